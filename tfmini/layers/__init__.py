"""`tf.layers`: functions with weights, which they make at their first call.

`layer.py` holds what all layers share, `base.py` the layers of `tf.layers`, whose weights come from
`tf.get_variable` and which open a variable scope and a name scope of their own; the cells of
recurrent networks derive from it. What strings among their arguments stand for is in `activations`,
`constraints`, `initializers` and `regularizers`. It imports ops and variables.
"""

from tfmini._src.base.names.public import attach as _attach

__getattr__, __dir__, __all__ = _attach(__name__, __file__)
