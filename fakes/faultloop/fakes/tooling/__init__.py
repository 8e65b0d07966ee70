"""The tool side of a stage: calls that arrive, and what becomes of them."""
