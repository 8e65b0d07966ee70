"""Clients of models, one a dialect, behind one port."""
