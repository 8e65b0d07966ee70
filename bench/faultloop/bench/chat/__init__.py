"""`faultloop chat`: a person at a terminal, and the reference loop on a real endpoint.

    person --keys--> line --host--> agent --run events--> fold --> screen --> painting --> person

`screen` and `fold` are values: what is to be seen follows from the run events (SPEC E1) and from
nothing else, so a session that is resumed is shown by folding its journal. `keys` and `line` turn
bytes into what was typed. `host` is where both meet the agent. Only `terminal`, `painting` and
`headless` touch the outside, and each is thin.
"""
