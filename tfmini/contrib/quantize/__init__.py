"""`tf.contrib.quantize`: graphs that compute as one in eight bits will, to be trained and exported.

A rewrite first folds batch normalization into the weights before it (`fused_norms`, `plain_norms`), since a network of
small integers has one product there; then it rounds weights and activations to the steps that the bits allow
(`insertion`), where `layers` finds them by `patterns`.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
