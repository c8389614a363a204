"""`tf.layers`: functions with weights, which they make at their first call.

`layer.py` holds what all layers share, `base.py` the layers of `tf.layers`, whose weights come from
`tf.get_variable` and which open a variable scope and a name scope of their own; the cells of
recurrent networks derive from it. What strings among their arguments stand for is in `activations`,
`constraints`, `initializers` and `regularizers`. It imports ops and variables.
"""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.layers import experimental
from tfmini.layers.base import Layer
from tfmini.layers.connected import Dense, dense
from tfmini.layers.input_spec import InputSpec

__all__ = ["Dense", "InputSpec", "Layer", "dense", "experimental"]

__getattr__ = _no_attributes(__name__, globals())
