"""From a fetch to numbers: prune -> place -> structure -> simplify -> fuse -> emit, then run the function that came out.

Each stage is one file and one function from Program to Program (`program.py`); `plan.py` strings them together.
"""
