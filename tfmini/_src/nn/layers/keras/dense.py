"""`Dense`: a fully connected layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import hide_arguments
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.nn.layers.activations import find_activation
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import KERNEL_AND_BIAS_ARGUMENTS, set_objects
from tfmini._src.ops import ops, raw

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


@hide_arguments("trainable", "name")
class Dense(Layer):
    """Fully connected layer: activation(inputs @ kernel + bias).

    Inputs are [..., depth], float, or a SparseTensor [batch, depth]; outputs are [..., units]. The
    weights are `kernel`: [depth, units], and `bias`: [units] (None without one).

    Args:
      units: size of the last axis of the outputs.
      activation: an activation function or its name; None for the identity.
      use_bias: whether to add a bias.
      kernel_initializer, bias_initializer: initializers or their names.
      kernel_regularizer, bias_regularizer: functions from a weight to a loss, added to the layer's losses.
      activity_regularizer: a function from the outputs to a loss.
      kernel_constraint, bias_constraint: functions applied after each update by an optimizer.
      trainable: whether the weights are trained.
      name: the layer's name.

    Raises, when called:
      TypeError: if its dtype is neither floating nor complex.
      ValueError: if the depth is not static, or the inputs have fewer than two axes.

    Example: `hidden = tf.keras.layers.Dense(128, activation="relu")(x)`.
    """

    _in_config = ("units", "activation", "use_bias", *KERNEL_AND_BIAS_ARGUMENTS)

    def __init__(
        self,
        units: int,
        activation: Any = None,
        use_bias: bool = True,
        kernel_initializer: Identifier | None = "glorot_uniform",
        bias_initializer: Identifier | None = "zeros",
        kernel_regularizer: Any = None,
        bias_regularizer: Any = None,
        activity_regularizer: Any = None,
        kernel_constraint: Any = None,
        bias_constraint: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        if "input_shape" not in kwargs and "input_dim" in kwargs:
            kwargs["input_shape"] = (kwargs.pop("input_dim"),)
        super().__init__(trainable=trainable, name=name, **kwargs)
        self.units = int(units)
        self.activation = find_activation(activation)
        self.use_bias = use_bias
        set_objects(self, locals())
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=2)

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the kernel and bias for inputs of this shape."""
        dtype = dtypes.as_dtype(self.dtype or dtypes.float32)
        if not (dtype.is_floating or dtype.is_complex):
            raise TypeError(f"Unable to build `Dense` layer with non-floating point dtype {dtype}")
        depth = dimension_value(TensorShape(input_shape)[-1])
        if depth is None:
            raise ValueError(
                "The last dimension of the inputs to `Dense` should be defined. Found `None`."
            )
        self.input_spec = InputSpec(min_ndim=2, axes={-1: depth})
        self.kernel = self._add_role_weight("kernel", [depth, self.units], dtype=self.dtype)
        self.bias = (
            self._add_role_weight("bias", [self.units], dtype=self.dtype) if self.use_bias else None
        )
        self.built = True

    def call(self, inputs: Tensor) -> Any:
        """Returns activation(inputs @ kernel + bias)."""
        rank = len(inputs.shape)
        if rank > 2:
            outputs = ops.tensordot(inputs, self.kernel, [[rank - 1], [0]])
            outputs.set_shape(inputs.shape.as_list()[:-1] + [self.units])
        else:
            inputs = ops.cast(inputs, self._compute_dtype)
            if isinstance(inputs, SparseTensor):
                outputs = ops.sparse_tensor_dense_matmul(inputs, self.kernel)
            else:
                outputs = raw.MatMul(inputs, self.kernel)
        if self.use_bias:
            outputs = ops.bias_add(outputs, self.bias)
        return outputs if self.activation is None else self.activation(outputs)

    def compute_output_shape(self, input_shape: ShapeLike) -> TensorShape:
        """Returns [..., units] for inputs [..., depth].

        Raises:
          ValueError: if the depth is unknown, or the rank is below 2.
        """
        shape = TensorShape(input_shape).with_rank_at_least(2)
        if dimension_value(shape[-1]) is None:
            raise ValueError(
                "The innermost dimension of input_shape must be defined, but saw: " + str(shape)
            )
        return shape[:-1].concatenate(self.units)
