"""The kit: what drills are played with. Nothing in here is a drill, nothing in here judges.

drill      what a drill is, and what makes it held, broken or unknown
parts      the parts under test; a mutant is a kit with one of them replaced
model      a model that says its lines, in process
toys       tools that note their runs, and gates to hold anything at
session    one session with all of these, on the simulated clock
"""
