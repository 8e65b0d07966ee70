"""Strictness: what a real provider rejects, one rule a file."""
