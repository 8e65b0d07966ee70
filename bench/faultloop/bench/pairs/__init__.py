"""Version pairs: a known bug is broken on one version of a loop and held on the next."""
