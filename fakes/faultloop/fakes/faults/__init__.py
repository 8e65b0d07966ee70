"""Faults: injected trouble, one a file."""
