"""The journal: append-only, behind one port; each store is one file."""
