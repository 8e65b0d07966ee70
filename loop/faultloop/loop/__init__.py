"""The reference loop: a pure core that decides, a thin shell that acts."""
