"""`tf.losses`: prediction errors, weighted, reduced to a scalar and added to a collection.

Each function computes a loss for each element and passes it to `compute_weighted_loss`, which multiplies by weights
that broadcast against them (`ops/math/broadcast_weights.py`), applies `reduction`, and adds the result to the
collection LOSSES, whose sum is computed in `losses_collection`. May import ops.
"""
