"""`LayerNormalization`: normalizes each example to mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class LayerNormalization(Layer):
    """Layer normalization: (x - mean) / sqrt(variance + epsilon) * gamma + beta.

    The moments are computed for each example along `axis`; the weights `gamma` and `beta` have the sizes of these axes.

    Args:
      axis: the axis, or a list of axes.
      epsilon: added to the variance.
      center: whether to add `beta`.
      scale: whether to multiply by `gamma`.
      beta_initializer, gamma_initializer: initializers or their names.
      beta_regularizer, gamma_regularizer: functions from a weight to a loss.
      beta_constraint, gamma_constraint: functions applied after each update.
      trainable: whether the weights are trained.
      name: the layer's name.

    Raises:
      ValueError: if `axis` is neither a number nor a sequence; when called, for axes out of range.
    """

    _in_config = (
        *("axis", "epsilon", "center", "scale"),
        *("beta_initializer", "gamma_initializer", "beta_regularizer", "gamma_regularizer"),
        *("beta_constraint", "gamma_constraint"),
    )

    def __init__(
        self,
        axis: int | Sequence[int] = -1,
        epsilon: float = 1e-3,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Identifier | None = "zeros",
        gamma_initializer: Identifier | None = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        trainable: bool = True,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(name=name, trainable=trainable, **kwargs)
        if not isinstance(axis, (int, list, tuple)):
            raise ValueError(
                "Expected an int or a list/tuple of ints for the argument 'axis', but received "
                f"instead: {axis}"
            )
        self.axis: Any = axis if isinstance(axis, int) else axis[:]
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        set_objects(self, locals())
        self.supports_masking = True

    def build(self, input_shape: ShapeLike) -> None:
        """Creates the weights for inputs of this shape."""
        sizes = TensorShape(input_shape).as_list()
        rank = len(sizes)
        if isinstance(self.axis, int):
            self.axis = [self.axis]
        for index, axis in enumerate(self.axis):
            if axis < 0:
                self.axis[index] = rank + axis  # raises an error for a tuple, as in TensorFlow
        for axis in self.axis:
            if not 0 <= axis < rank:
                raise ValueError(f"Invalid axis: {axis}")
        if len(set(self.axis)) != len(self.axis):
            raise ValueError(f"Duplicate axis: {tuple(self.axis)}")
        shape = [sizes[axis] for axis in self.axis]
        self.gamma = (
            self._add_role_weight("gamma", shape, experimental_autocast=False)
            if self.scale
            else None
        )
        self.beta = (
            self._add_role_weight("beta", shape, experimental_autocast=False)
            if self.center
            else None
        )
        self.built = True

    def call(self, inputs: Tensor) -> Any:
        """Normalizes the inputs."""
        sizes = inputs.shape.as_list()
        mean, variance = ops.moments(inputs, self.axis, keep_dims=True)
        broadcast = [size if n in self.axis else 1 for n, size in enumerate(sizes)]

        def reshape(weight: Any) -> Any:
            if weight is None or len(weight.shape) == len(sizes) or self.axis == [len(sizes) - 1]:
                return weight
            return ops.reshape(weight, broadcast)

        gamma, beta = reshape(self.gamma), reshape(self.beta)
        outputs = ops.batch_normalization(
            inputs, mean, variance, offset=beta, scale=gamma, variance_epsilon=self.epsilon
        )
        outputs.set_shape(inputs.shape)
        return outputs

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape
