"""Reverse-mode differentiation by building more graph: `gradients` walks back (`backward_pass`) from ys to xs.

`registry` says which rule a node has, `pending_counts` which nodes lie between, `aggregation` sums what arrives at
a tensor, `tape` differentiates what was just added, `gradient_checker` checks. Of loops, `loop_state` knows those that
a walk goes through, `loop_gradient` what one of them keeps for the way back, `loop_counters` what is added to it.
Rules are defined with their ops; this package reaches ops only through `raw` and `ops` of `tfmini._src.graph`.
"""
