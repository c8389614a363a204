"""`tensorflow.python.ops.tensor_array_ops`: lists of tensors that loops write."""

from tfmini.ops.tensor_arrays import TensorArray

__all__ = ["TensorArray"]
