"""From a fetch to numbers: prune, place, check_attrs, loops, reads, sink_accumulation, loop_shapes, lower_bodies,
if_convert, simplify, drop_noop_reshapes, concat_matmuls, slice_matmul, push_bias_through_split, fuse_products,
fuse_native, fuse_cpu, fuse_gpu, collectives, insert_copies, stream_restores, fuse_optimizer_updates, emit; then run
what came out.

Before that, where a graph calls functions, `inline/` makes the graph without calls that is run for it.

A step that may wait (for a queue) is divided by `schedule.py` once its structure is known, into parts that do not: each
is a plan of its own, and `waiting.py` runs them and what waits between them.

Each pass is one file and one function from Program to Program (`program/program.py`); `pipeline.py` has them in one
tuple, and `codegen/emit.py` writes the Program down as one Python function, which is what `plan.py` runs. What
TFMINI_DEBUG prints and checks is in `program/debug.py`.
"""
