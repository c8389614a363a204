"""`tf.distributions`: probability distributions, their samples, densities, statistics and divergences.

`Distribution` holds the public methods; each other file a distribution with its divergence. Numbers,
names and nodes are those of TensorFlow 1.15.5; what samples say of their parameters is in
`reparameterization`, and `checks` is what `validate_args` adds.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
