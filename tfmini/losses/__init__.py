"""`tf.losses`: how wrong predictions are, weighted, reduced to a scalar and collected.

Each function computes a loss for each element and hands it to `weighting`, which multiplies by weights that
stretch over them (`ops/math/weights_broadcast`), reduces as `reduction` says, and adds the result to the
collection LOSSES; `collected` adds these up. It imports ops.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
