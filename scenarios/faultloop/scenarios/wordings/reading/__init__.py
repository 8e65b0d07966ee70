"""What people write about wordings, read: task files, wording files, and their schemas for editors.

Errors are one sentence each, `path:line: field: what is wrong and what to write`, and are raised
here: a task that could not be scored, or a variant that is another interface, goes no further.
"""
