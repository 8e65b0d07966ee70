"""Adapters: the reference in this process, and strangers in processes of their own."""
