"""Statistics of paired comparisons: one method a file, pure functions on arrays of numbers.

Nothing here knows observations, wordings or verdicts, reads a clock, or draws from a generator that
was not seeded by an argument. Each function names its source; tests hold each to statsmodels or to
a worked example that was published.
"""
