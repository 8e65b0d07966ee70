"""Speed and size, each as a figure, its bound, and its ratio to a baseline of the same run.

Absolute figures say little on a machine that others use too; so every measurement has a baseline
that does the same work without the thing measured, and the two take turns. The medians and the
median of the ratios round by round are what is told. Nothing here is a test: a bound that is missed
is shown, and the exit code stays 0.

A measurement is one value of `measurement.Measurement`; `MEASUREMENTS` in `__main__` lists them.
"""
