"""`tf.keras.Input` and `InputLayer`: the entry points of a model."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers import tensorflow_op_layer  # noqa: F401  registers the layer that wraps ops on inputs
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.tensor_values import dtype as dtype_of, is_tensor, placeholder
from tfmini._src.nn.layers.backend.unique_object_name import get_uid
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.nodes import KerasHistory, Node


class InputLayer(Layer):
    """Layer of a model input; it creates a placeholder or wraps a tensor.

    Args:
      input_shape: the shape of one example; the keyword `batch_input_shape` includes the batch size.
      batch_size: the number of examples, or None.
      dtype: the dtype, by default `floatx`.
      input_tensor: a tensor to use instead of a placeholder.
      sparse, ragged: whether the placeholder is a SparseTensor or a RaggedTensor.
      name: its name; by default "input_1" ...

    Raises:
      ValueError: for contradictory or unknown arguments.
    """

    def __init__(
        self,
        input_shape: Any = None,
        batch_size: int | None = None,
        dtype: DTypeLike | None = None,
        input_tensor: Any = None,
        sparse: bool = False,
        name: str | None = None,
        ragged: bool = False,
        **kwargs: Any,
    ):
        if "batch_input_shape" in kwargs:
            batch_input_shape = kwargs.pop("batch_input_shape")
            if input_shape and batch_input_shape:
                raise ValueError(
                    "Only provide the input_shape OR batch_input_shape argument to InputLayer, not both at "
                    "the same time."
                )
            batch_size = batch_input_shape[0]
            input_shape = batch_input_shape[1:]
        if kwargs:
            raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
        if not name:
            name = f"input_{get_uid('input')}"
        if not dtype:
            dtype = floatx() if input_tensor is None else dtype_of(input_tensor)
        elif input_tensor is not None and input_tensor.dtype != dtype:
            raise ValueError(
                f"`input_tensor.dtype` differs from `dtype`: {input_tensor.dtype} vs. {dtype}"
            )
        super().__init__(dtype=dtype, name=name)
        self.built = True
        self.sparse = sparse
        self.ragged = ragged
        self.batch_size = batch_size
        self.supports_masking = True
        if isinstance(input_shape, TensorShape):
            input_shape = tuple(input_shape.as_list())
        elif isinstance(input_shape, int):
            input_shape = (input_shape,)
        self.is_placeholder = input_tensor is None
        if input_tensor is None:
            shape = None if input_shape is None else (batch_size, *input_shape)
            input_tensor = placeholder(
                shape=shape, dtype=dtype, name=self.name, sparse=sparse, ragged=ragged
            )
            self._batch_input_shape: Any = shape
        else:
            if not is_tensor(input_tensor):
                raise ValueError(f"`input_tensor` is not a tensor: {input_tensor}")
            self._batch_input_shape = tuple(input_tensor.shape.as_list())
        input_tensor._keras_history = KerasHistory(self, 0, 0)
        input_tensor._keras_mask = None
        Node(self, [], [], [], [input_tensor], [input_tensor])

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {
            "batch_input_shape": self._batch_input_shape,
            "dtype": self.dtype,
            "sparse": self.sparse,
            "ragged": self.ragged,
            "name": self.name,
        }


def Input(
    shape: Any = None,
    batch_size: int | None = None,
    name: str | None = None,
    dtype: Any = None,
    sparse: bool = False,
    tensor: Any = None,
    ragged: bool = False,
    **kwargs: Any,
) -> Any:
    """Creates an input tensor of a model.

    Args:
      shape: the shape of one example; sizes may be None. The keyword `batch_shape` includes the batch size.
      batch_size: the number of examples, or None.
      name: the name of the layer and its placeholder; by default "input_1" ...
      dtype: by default `floatx`.
      sparse, ragged: whether the input is a SparseTensor or a RaggedTensor.
      tensor: a tensor to use instead of a placeholder.

    Returns:
      The placeholder, or `tensor`.

    Raises:
      ValueError: if neither or both shapes are specified without a tensor, or for an unknown keyword argument.

    Example: `x = tf.keras.Input([784]); model = tf.keras.Model(x, tf.keras.layers.Dense(10)(x))`.
    """
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True in a Keras input.")
    config = {"name": name, "dtype": dtype, "sparse": sparse, "ragged": ragged}
    config["input_tensor"] = tensor
    batch_shape = kwargs.pop("batch_input_shape", kwargs.pop("batch_shape", None))
    if shape and batch_shape:
        raise ValueError(
            "Only provide the `shape` OR `batch_input_shape` argument to Input, not both at the same time."
        )
    if batch_shape:
        shape = batch_shape[1:]
        config["batch_input_shape"] = batch_shape
    else:
        config |= {"batch_size": batch_size, "input_shape": shape}
    if kwargs:
        raise ValueError("Unrecognized keyword arguments:", kwargs.keys())
    if shape is None and tensor is None:
        raise ValueError(
            "Please provide to Input either a `shape` or a `tensor` argument. Note that `shape` does "
            "not include the batch dimension."
        )
    outputs = InputLayer(**config).inbound_nodes[0].output_tensors
    return outputs[0] if len(outputs) == 1 else outputs
