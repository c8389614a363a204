"""`tf.losses`: errors of predictions, weighted, reduced to a scalar and collected.

Each function computes a loss for each element and hands it to `compute_weighted_loss`, which multiplies by weights that
stretch over them (`ops/math/weights_broadcast`), applies `reduction`, and adds the result to the
collection LOSSES; `losses_collection` adds these up. It imports ops.
"""
