"""Models that answer questions, and asking them: kept answers, limits of cost, retries.

`port` is what a model is. `endpoint` is one behind an API, `embedded` are those that come along.
`asking` asks any of them, `failures` says which are tried again, `cache` keeps what was
answered, `budget` says when to stop.
"""

DEFAULT = "embedded:lexical"
"""Who is asked if nobody is named."""
