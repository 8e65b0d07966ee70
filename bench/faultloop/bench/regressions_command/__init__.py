"""`faultloop regressions`: a known bug is broken on one version of a loop and held on the next.

A pair is a line of regressions.toml with what was seen on its two sides; of an open bug, on one.
"""
