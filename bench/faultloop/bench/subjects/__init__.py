"""Subjects that come with the bench: package data, chosen by name."""
