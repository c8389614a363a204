"""From fetches to the text of a plan: prune, place, rewrite, emit.

prune, place, check_attrs, frames_to_loops, variable_reads, sink_accumulation, loop_shapes,
lower_bodies, if_convert, fed_shapes, simplify, drop_noop_reshapes, join_pads, divide_before_tile, concat_matmuls,
slice_matmul, push_bias_through_split, fuse_matmul, fuse_layers, pack_matmuls, fuse_native, fuse_runs, fuse_cpu,
collectives, insert_copies, stream_restores, fuse_optimizer_updates; then emit. Devices add passes of their own.

`program` is what passes rewrite, slots and steps of a pruned graph; `placement` gives each node its device, `analysis`
says what passes ask (liveness, aliases, static shapes), `passes` has one file a pass, a function from Program to
Program, and `pipeline` all of them in order; `codegen` writes the Program down as one Python function, which the
executor runs. `error_translation` makes the error of a failing node. What TFMINI_DEBUG prints and checks is in
`program/debug.py`. It imports what lies below `executor`. Begin with `pipeline` and `program/program.py`.
"""
