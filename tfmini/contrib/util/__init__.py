"""`tf.contrib.util`: constants as protos, and the values of tensors that the graph decides."""

from tfmini.graph.static_values import get_static_value as constant_value
from tfmini.graph.tensor_proto import MakeNdarray as make_ndarray
from tfmini.graph.tensor_proto import make_tensor_proto
from tfmini.hints import no_attributes as _no_attributes

__all__ = ["constant_value", "make_ndarray", "make_tensor_proto"]

__getattr__ = _no_attributes(__name__, globals())
