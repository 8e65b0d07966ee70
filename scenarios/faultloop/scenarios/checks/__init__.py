"""Checks: one promise a file. `CHECKS` is the table of all of them."""
