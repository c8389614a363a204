"""`tf.metrics`: measures of models over many batches, in local variables.

Each function returns the metric as of now and an op that takes a batch in. `state` makes the variables,
`operands` brings labels, predictions and weights to one rank; the other files hold the metrics by what they keep:
`means` a sum and a count, `counts` and `thresholds` rights and wrongs, `curves` what follows from these, `classes`
sums by class, `top_ks` and `average_precision` sets of predicted classes. It imports ops and variables.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
