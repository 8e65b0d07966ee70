"""The SDKs' parse matrix: what the official SDKs make of all that the fake provider can say.

Nothing here is compared with what we think that we send. The real server plays a script, an
official SDK asks, streamed and whole, and what it parsed is held against the script. A cell of the
matrix is one row (a kind of reply, of failure or of question beside) for one dialect in one form:

    green   the SDK parsed what the script says
    limit   the SDK cannot, by a known limit of its own, which is named with its version
    none    there is no such thing in this dialect or form; the reason says why
    red     anything else, in sentences

Which kinds of event, item and field an SDK defines is read from its types, which of them went over
the wire is measured while the rows are played, and whatever did not needs a reason (`kinds`). So a
new release of an SDK that knows more turns the matrix red until somebody has looked.
"""
