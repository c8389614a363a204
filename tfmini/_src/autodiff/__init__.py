"""Reverse-mode differentiation by graph construction: `gradients` walks back (`backward_pass`) from ys to xs.

`register_gradient` looks up a node's rule, `pending_counts` finds the nodes between them, `aggregation` sums the
gradients of a tensor, `tape` differentiates recorded operations, `gradient_checker` checks. For loops, `loop_state`
tracks the loops in between, `loop_gradient` the values that a loop saves for its backward loop, and `loop_counters`
adds loop variables.

Rules are defined with their ops; this package accesses ops only through `raw` and `ops` of `tfmini._src.graph`.
"""
