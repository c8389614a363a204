"""`tensorflow.python.saved_model.utils`."""

from tfmini.saved_model.tensor_infos import build_tensor_info, get_tensor_from_tensor_info

__all__ = ["build_tensor_info", "get_tensor_from_tensor_info"]
