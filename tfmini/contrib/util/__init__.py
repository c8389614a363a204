"""`tf.contrib.util`: constants as protos, and the values of tensors that the graph decides."""

from tfmini.graph.static_values import get_static_value as constant_value
from tfmini.graph.tensor_proto import MakeNdarray as make_ndarray
from tfmini.graph.tensor_proto import make_tensor_proto
from tfmini.names.namespaces import namespace as _namespace

__all__ = ["constant_value", "make_ndarray", "make_tensor_proto"]

_namespace(globals())
