"""Scenarios: what is staged, who is played, and how it is judged."""
