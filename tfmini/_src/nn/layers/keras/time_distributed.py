"""`TimeDistributed`: applies a layer to each time step."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.math_functions import any as any_along
from tfmini._src.nn.layers.backend.rnn import rnn
from tfmini._src.nn.layers.backend.tensor_values import int_shape
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.keras.recurrent.cell_states import has_argument
from tfmini._src.nn.layers.keras.wrapper import Wrapper
from tfmini._src.nn.layers.serialization import layer_registry
from tfmini._src.ops import ops

# TensorFlow recognizes its own layers by their v2 names, and takes these for user layers.
_UNRECOGNIZED_LAYERS = frozenset(
    (
        "BatchNormalization",
        "CuDNNGRU",
        "CuDNNLSTM",
        "DenseFeatures",
        "GRU",
        "GRUCell",
        "LSTM",
        "LSTMCell",
    )
)


class TimeDistributed(Wrapper):
    """Applies a layer to each time step of [batch, time, ...].

    Args:
      layer: the layer, which accepts inputs [batch, ...].

    Raises:
      ValueError: if `layer` is not a layer; when called, for inputs of rank 2.

    Example:
      outputs = tf.keras.layers.TimeDistributed(tf.keras.layers.Dense(4))(tf.keras.Input((10, 3)))
    """

    def __init__(self, layer: Layer, **kwargs: Any):
        if not isinstance(layer, Layer):
            raise ValueError(
                "Please initialize `TimeDistributed` layer with a `Layer` instance. You passed: "
                f"{layer}"
            )
        super().__init__(layer, **kwargs)
        self.supports_masking = True
        names = (cls for cls in type(layer).__mro__ if layer_registry.class_named(cls.__name__))
        layer_class = next(names, Layer)
        is_builtin = layer_class is not Layer and not (
            layer_class.__name__ in _UNRECOGNIZED_LAYERS and layer_registry.is_known(layer_class)
        )
        self._reshapes = is_builtin and not getattr(layer, "stateful", False)
        self._input_map: dict = {}

    def build(self, input_shape: ShapeLike) -> None:  # type: ignore[override]
        """Creates the weights of the wrapped layer."""
        shape = TensorShape(input_shape).as_list()
        if len(shape) < 3:
            raise ValueError(
                "`TimeDistributed` Layer should be passed an `input_shape ` with at least 3 dimensions, received: "
                f"{shape}"
            )
        self.input_spec = InputSpec(shape=[None, None, *shape[2:]])
        super().build((shape[0], *shape[2:]))

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the output shape of the wrapped layer, with the time axis after the batch axis."""
        shape = TensorShape(input_shape).as_list()
        inner = TensorShape(self.layer.compute_output_shape(TensorShape([shape[0], *shape[2:]])))
        sizes = inner.as_list()
        return TensorShape([sizes[0], shape[1], *sizes[1:]])

    def call(
        self, inputs: Tensor, training: TensorLike | None = None, mask: Tensor | None = None
    ) -> Any:
        """Applies the layer to all steps at once, or in a loop if its results may depend on a static batch size."""
        kwargs = {"training": training} if has_argument(self.layer.call, "training") else {}
        shape: Any = int_shape(inputs)
        if shape[0] and not self._reshapes:
            _, outputs, _ = rnn(
                lambda x, _: (self.layer(x, **kwargs), []),
                inputs,
                initial_states=[],
                input_length=shape[1],
                unroll=False,
            )
            return outputs
        length = shape[1] or ops.shape(inputs)[1]
        inner_shape = _leading_and_inner_sizes((-1,), inputs, 2)
        key = id(inputs)
        inputs = ops.reshape(inputs, inner_shape)
        self._input_map[key] = inputs
        if has_argument(self.layer.call, "mask") and mask is not None:
            kwargs["mask"] = ops.reshape(mask, _leading_and_inner_sizes((-1,), mask, 2))
        outputs = self.layer(inputs, **kwargs)
        sizes = self.compute_output_shape(shape).as_list()
        return ops.reshape(outputs, _leading_and_inner_sizes((-1, length), outputs, 1, sizes[2:]))

    def compute_mask(self, inputs: Any, mask: Tensor | None = None) -> Any:
        """Returns the mask computed by the layer, with the time axis after the batch axis."""
        shape: Any = int_shape(inputs)
        if shape[0]:
            return mask
        inner = (
            None if mask is None else ops.reshape(mask, _leading_and_inner_sizes((-1,), mask, 2))
        )
        inner_inputs = self._input_map.get(id(flatten(inputs)[0]), inputs)
        output = self.layer.compute_mask(inner_inputs, inner)
        if output is None:
            if mask is not None:
                for _ in range(2, len(int_shape(mask) or ())):
                    mask = any_along(mask, axis=-1)
            return mask
        length = shape[1] or ops.shape(inputs)[1]
        output_shape: Any = int_shape(output)
        if output_shape is None:
            output_shape = (
                self.compute_output_shape(shape).as_list()[:-1] if mask is None else int_shape(mask)
            )
        return ops.reshape(
            output, _leading_and_inner_sizes((-1, length), output, 1, output_shape[1:])
        )


def _leading_and_inner_sizes(first: tuple, tensor: Any, start: int, static: Any = None) -> tuple:
    """Returns `first`, followed by the sizes of `tensor` from axis `start` on, as tensors where not static."""
    sizes = list((int_shape(tensor) or ())[start:] if static is None else static)
    if not all(sizes):
        shape = ops.shape(tensor)
        sizes = [size or shape[start + n] for n, size in enumerate(sizes)]
    return (*first, *sizes)
