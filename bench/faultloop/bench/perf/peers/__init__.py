"""The two fake providers that are nearest to ours, asked the same as we are, and timed beside us.

Nothing of them is part of faultloop: `install` puts each, at the version that `PEERS` names, into
an environment of its own below the user's cache folder. What is said about one is what it did here
on the day that docs/peers.md names; a peer that is not installed has no figures and no row.

They are good tools with another purpose. A row that shows them accepting something says what they
document; a list of what they can do and we cannot stands beside the rows.
"""
