"""Reverse-mode differentiation by graph construction: `gradients` walks back (`backward_pass`) from ys to xs.

`register_gradient` looks up the rule of a node, `pending_counts` finds the nodes in between, `aggregation` sums the
gradients of a tensor, `tape` differentiates recorded operations, and `gradient_checker` compares gradients with finite
differences. `loop_state` tracks the loops between ys and xs, `loop_gradient` the values that a loop saves for its
backward loop, and `loop_counters` adds loop variables.

Rules are defined with their ops; this package accesses ops only through `raw` and `ops` of `tfmini._src.graph`.
"""
