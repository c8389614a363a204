"""`tf.contrib.model_pruning`: weights that are set to zero while a network is trained, the smallest ones first.

Layers and cells multiply their weights by masks (`layers`, `cells`); `Pruning` sets these as training goes on; and
`stripping` leaves out of a graph what only pruning needs.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
