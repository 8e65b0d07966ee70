"""Errors are wording too (SPEC O4): a failed call, worded in several ways, and what comes of it."""
