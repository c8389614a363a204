"""`tf.saved_model.utils`: tensors as TensorInfo messages."""

from tfmini.names.namespaces import namespace as _namespace
from tfmini.saved_model.tensor_infos import build_tensor_info, get_tensor_from_tensor_info

__all__ = ["build_tensor_info", "get_tensor_from_tensor_info"]

_namespace(globals())
