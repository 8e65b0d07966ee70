"""The bench: pytest plugin, command line, shipped subjects, mutants and measurements."""
