"""Accuracy: what observations of wordings say, with how much doubt, in figures, words and pages."""
