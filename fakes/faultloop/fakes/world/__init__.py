"""The fake world: files, commands, pull requests, CI and payments."""
