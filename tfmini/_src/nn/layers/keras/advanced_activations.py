"""Activation layers: variants of the rectifier, and softmax along an arbitrary axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import change_defaults
from tfmini._src.base.shapes import TensorShape
from tfmini._src.nn.layers.backend.activations import elu, relu, softmax
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.backend.tensor_values import cast_to_floatx
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.base.shapes.tensor_shape import ShapeLike
    from tfmini._src.graph.tensor import Tensor
    from tfmini._src.nn.layers.deserialize import Identifier


class _Elementwise(Layer):
    """Base class of layers whose output shape equals their input shape."""

    def __init__(self, **kwargs: Any):
        super().__init__(**kwargs)
        self.supports_masking = True

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return TensorShape(input_shape)


class _AlphaActivation(_Elementwise):
    def __init__(self, alpha: float = 0.3, **kwargs: Any):
        super().__init__(**kwargs)
        self.alpha = cast_to_floatx(alpha)

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {**super().get_config(), "alpha": float(self.alpha)}


class LeakyReLU(_AlphaActivation):
    """Leaky rectifier: x where positive, else alpha * x.

    Args:
      alpha: the slope below 0.

    Example: `y = tf.keras.layers.LeakyReLU(0.1)(x)`.
    """

    def call(self, inputs: Tensor) -> Any:
        """Returns the rectified inputs."""
        return relu(inputs, alpha=self.alpha)


class PReLU(_Elementwise):
    """Parametric rectifier: x where positive, else alpha * x, with a trained `alpha` per element of an example.

    Args:
      alpha_initializer: an initializer or its name.
      alpha_regularizer: a function from the weight to a loss.
      alpha_constraint: a function applied after each update.
      shared_axes: the axes (from 1) along which `alpha` is shared; a number or a list of them.
    """

    _in_config = ("alpha_initializer", "alpha_regularizer", "alpha_constraint", "shared_axes")

    def __init__(
        self,
        alpha_initializer: Identifier | None = "zeros",
        alpha_regularizer: Any = None,
        alpha_constraint: Any = None,
        shared_axes: Any = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        set_objects(self, locals())
        if shared_axes is not None:
            is_list = isinstance(shared_axes, (list, tuple))
            shared_axes = list(shared_axes) if is_list else [shared_axes]
        self.shared_axes = shared_axes

    def build(self, input_shape: ShapeLike) -> None:
        """Creates `alpha` for inputs of this shape."""
        sizes = TensorShape(input_shape).as_list()
        shared = self.shared_axes or []
        shape = sizes[1:]
        for axis in shared:
            shape[axis - 1] = 1
        self.alpha = self._add_role_weight("alpha", shape)
        axes = {n: sizes[n] for n in range(1, len(sizes)) if shared and n not in shared}
        self.input_spec = InputSpec(ndim=len(sizes), axes=axes)
        self.built = True

    def call(self, inputs: Tensor) -> Any:
        """Returns the rectified inputs."""
        positive = relu(inputs)
        negative = -self.alpha * relu(-inputs)
        return positive + negative


@change_defaults(alpha=1.0)
class ELU(_AlphaActivation):
    """Exponential linear unit: x where positive, else alpha * (exp(x) - 1).

    Args:
      alpha: the outputs approach -alpha for large negative inputs.
    """

    def call(self, inputs: Tensor) -> Any:
        """Returns the rectified inputs."""
        return elu(inputs, self.alpha)


class ThresholdedReLU(_Elementwise):
    """Thresholded rectifier: x where it is greater than theta, else 0.

    Args:
      theta: the threshold.
    """

    def __init__(self, theta: float = 1.0, **kwargs: Any):
        super().__init__(**kwargs)
        self.theta = cast_to_floatx(theta)

    def call(self, inputs: Tensor) -> Any:
        """Returns the rectified inputs."""
        return inputs * ops.cast(ops.greater(inputs, self.theta), floatx())

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        return {**super().get_config(), "theta": float(self.theta)}


class Softmax(_Elementwise):
    """Layer that computes probabilities along one axis.

    Args:
      axis: the axis.
    """

    _in_config = ("axis",)

    def __init__(self, axis: int = -1, **kwargs: Any):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs: Tensor) -> Any:
        """Returns the probabilities."""
        return softmax(inputs, axis=self.axis)


class ReLU(Layer):
    """Rectifier: `min(x, max_value)` for x >= threshold, otherwise `negative_slope * (x - threshold)`.

    Args:
      max_value: the largest value; None for no limit.
      negative_slope: the slope below the threshold.
      threshold: the smallest value passed through.

    Raises:
      ValueError: if `max_value` or `negative_slope` is negative.
    """

    _in_config = ("max_value", "negative_slope", "threshold")

    def __init__(
        self,
        max_value: float | None = None,
        negative_slope: float = 0,
        threshold: float = 0,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        if max_value is not None and max_value < 0.0:
            raise ValueError(f"max_value of Relu layer cannot be negative value: {max_value}")
        if negative_slope < 0.0:
            raise ValueError(
                f"negative_slope of Relu layer cannot be negative value: {negative_slope}"
            )
        self.max_value = None if max_value is None else cast_to_floatx(max_value)
        self.negative_slope = cast_to_floatx(negative_slope)
        self.threshold = cast_to_floatx(threshold)

    def call(self, inputs: Tensor) -> Any:
        """Returns the rectified inputs."""
        return relu(
            inputs,
            alpha=self.negative_slope,
            max_value=self.max_value,
            threshold=self.threshold,
        )

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return TensorShape(input_shape)
