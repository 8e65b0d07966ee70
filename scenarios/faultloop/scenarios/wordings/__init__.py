"""Wordings of tool contracts, compared by how well models choose and fill tools (SPEC C9).

```
wording x task x order x sample ──> model ──> answer ──> score ──> observation ──> reports.accuracy
(contracts)  (what is asked, what is expected)         (against the task)   (one row)
```

Everything here is a value or a pure function, but for the models. A wording never knows a task's
answer, a model never knows what is expected, and a score never knows which wording it judges: what
a wording calls its tools and parameters is translated back before anything is scored.
"""
