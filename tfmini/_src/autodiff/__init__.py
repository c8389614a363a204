"""Reverse-mode differentiation by graph construction: `gradients` walks back (`backward_pass`) from ys to xs.

`register_gradient` looks up a node's rule, `pending_counts` finds the nodes in between, `aggregation` sums the
gradients of a tensor, `tape` differentiates recorded operations, `gradient_checker` checks. For loops, `loop_state`
tracks those on the way, `loop_gradient` what one of them saves for the backward loop, `loop_counters` the loop
variables
added to it.

Rules are defined with their ops; this package accesses ops only through `raw` and `ops` of `tfmini._src.graph`.
"""
