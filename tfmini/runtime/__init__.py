"""From a fetch to numbers: prune, place, loops, accumulate, structure, simplify, same shapes, contract, narrow, fuse,
emit; then run what came out.

Before that, where a graph calls functions, `inline.py` makes the graph without calls that is run for it.

Each stage is one file and one function from Program to Program (`program.py`); `plan.py` strings them together, and
`emit.py` writes the Program down as one Python function, which is what runs. `TFMINI_DEBUG=plan` prints that function,
`TFMINI_DEBUG=stages` the Program after each stage, both to stderr; `TFMINI_DEBUG=alias` fills what a plan is done with,
so that who still reads it is found out (`debug.py`).
"""
