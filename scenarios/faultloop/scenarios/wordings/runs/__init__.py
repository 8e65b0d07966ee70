"""Whole runs: tasks played through the reference loop in the fake world, judged by its end."""
