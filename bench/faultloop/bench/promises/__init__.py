"""Promises: one test file a promise; each item judges one subject in one column."""
