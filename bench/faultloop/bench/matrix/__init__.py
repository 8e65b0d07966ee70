"""`faultloop matrix`: the catalogue against many subjects, cell by cell, and the page of it.

    subjects -> cells (one subject each) -> a report directory per cell -> reports.matrix -> page

A finished cell is kept until what it was made of changes, so a matrix of hours may be stopped and
gone on with. Nothing here judges anything: the cells are reports like any other.
"""
