"""The Berkeley Function Calling Leaderboard (BFCL) as wordings and tasks, and its checker beside
our scores.

    source     rows of an installed `bfcl-eval`, or of a folder, as they are written there
    json_types its types, as JSON Schema
    tools      its functions, as contracts with names that an API takes
    answers    its possible answers, as matchers
    importing  rows to one wording and its tasks, by category, and what had to be left out
    mutating   wrong and strange answers, by seed
    checker    its own checker, in a process of its own
    comparing  both verdicts on the same answers
    reasons    why the two disagree: a table

Nothing of BFCL is part of faultloop, and nothing of it is imported: its package drags a dozen
vendors' SDKs along. Its data and its checker are read from where the user has them (Apache-2.0).
"""
