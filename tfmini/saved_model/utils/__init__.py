"""`tf.saved_model.utils`: tensors as TensorInfo messages."""

from tfmini.hints import no_attributes as _no_attributes
from tfmini.saved_model.tensor_infos import build_tensor_info, get_tensor_from_tensor_info

__all__ = ["build_tensor_info", "get_tensor_from_tensor_info"]

__getattr__ = _no_attributes(__name__, globals())
