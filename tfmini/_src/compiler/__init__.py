"""The compiler: turns fetches and feeds into the source of a plan (prune, place, rewrite, emit).

prune, place, check_attrs, frames_to_loops, variable_reads, sink_accumulation, loop_shapes, hoist_reads, lower_bodies,
if_convert, fed_shapes, simplify, drop_full_gathers, drop_noop_reshapes, join_pads, divide_before_tile, concat_matmuls,
slice_matmul, push_bias_through_split, fuse_matmul, fuse_layers, pack_matmuls, fuse_native, fuse_runs, fuse_cpu,
collectives, insert_copies, stream_restores, fuse_optimizer_updates; then emit. Devices add their own passes.

`program` defines the intermediate form, nodes over slots; `placement` assigns devices; `analysis` answers queries of
passes (liveness, aliasing, symbolic shapes); `passes` has one file per pass, a function from Program to Program;
`fusion` has the parts that fusion passes share; `pipeline` orders the passes; `codegen` emits the Program as one
Python function, which the executor runs. `error_translation` builds the error of a failing node.
`program/debug.py` documents TFMINI_DEBUG. The package imports only packages below `executor`. Start reading at
`pipeline` and `program/program.py`.
"""
