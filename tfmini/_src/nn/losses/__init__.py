"""`tf.losses`: errors of predictions, weighted, reduced to a scalar and collected.

Each function computes a loss for each element and passes it to `compute_weighted_loss`, which multiplies by weights
that broadcast against them (`ops/math/broadcast_weights.py`), applies `reduction`, and adds the result to the
collection LOSSES; `losses_collection` sums these. May import ops.
"""
