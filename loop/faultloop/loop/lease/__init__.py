"""The lease: one process at a time works on a session; the port, its files, and keeping it."""
