"""`faultloop record`: a real provider's replies, seen through a proxy, become a script.

    upstream    where a request goes on to
    proxy       carries both ways, piece by piece, and keeps what it saw (`seen`)
    replies/    what a reply means, by dialect
    views       a body as the texts that a reader could make of it
    secrets     what no file may hold; `redaction` takes it out of all views
    composing   from what was seen to a scenario; `writing` puts it on the disk
    command     a command between the two; `typed` is the command line

Nothing is written before it was redacted, and nothing of a request is ever written but tools,
results and the user's words.
"""
