"""`tf.layers.BatchNormalization`: normalizes by the mean and variance of the batch, or by moving averages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.shapes import TensorShape, dimension_value
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.replica_modes import colocated_with, current_strategy
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.backend.learning_phase import choose, learning_phase, static_training
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.batch_statistics import renormalize, update_average, update_variance
from tfmini._src.nn.layers.deserialize import Identifier
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.input_spec import InputSpec
from tfmini._src.nn.layers.layer_arguments import set_objects
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)

_BOUNDS = ["rmax", "rmin", "dmax"]


class BatchNormalization(Layer):
    """Batch normalization: (x - mean) / sqrt(variance + epsilon) * gamma + beta.

    A call with `training=True` normalizes by the batch's own mean and variance, and adds the updates of the moving
    averages to the collection UPDATE_OPS, on which the training step must depend. Other calls normalize by the
    averages.

    Args:
      axis: the axis of the channels, or a list of axes; each element along them has separate statistics.
      momentum: momentum of the moving averages.
      epsilon: added to variances.
      center, scale: whether to add `beta`, and to multiply by `gamma`.
      beta_initializer, gamma_initializer, moving_mean_initializer, moving_variance_initializer: initializers.
      beta_regularizer, gamma_regularizer: functions from a weight to a loss.
      beta_constraint, gamma_constraint: functions applied after each update by an optimizer.
      renorm: whether to correct the batch's statistics towards the moving ones (batch renormalization).
      renorm_clipping: bounds of the correction: a dict with "rmax", "rmin", "dmax" or some of them.
      renorm_momentum: momentum of the averages used for the correction.
      fused: whether to use the fused op; by default if possible (rank 4, channels on axis 1 or 3).
      trainable: whether beta and gamma are trained.
      virtual_batch_size: size of the sub-batches to compute statistics over.
      adjustment: a function from the shape of the inputs to a random scale and bias, used in training.
      name: the layer's name.

    Raises:
      TypeError: if `axis` is neither an int nor a list.
      ValueError: for unknown bounds; when called, for axes that are out of range or of unknown size.

    Example:
      y = tf.layers.BatchNormalization()(x, training=True)
      with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
          train = optimizer.minimize(loss)
    """

    _in_config = (
        *("axis", "momentum", "epsilon", "center", "scale"),
        *("beta_initializer", "gamma_initializer"),
        *("moving_mean_initializer", "moving_variance_initializer"),
        *("beta_regularizer", "gamma_regularizer", "beta_constraint", "gamma_constraint"),
    )

    def __init__(
        self,
        axis: int | Sequence[int] = -1,
        momentum: float = 0.99,
        epsilon: float = 0.001,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Identifier | None = "zeros",
        gamma_initializer: Identifier | None = "ones",
        moving_mean_initializer: Identifier | None = "zeros",
        moving_variance_initializer: Identifier | None = "ones",
        beta_regularizer: Any = None,
        gamma_regularizer: Any = None,
        beta_constraint: Any = None,
        gamma_constraint: Any = None,
        renorm: bool = False,
        renorm_clipping: dict[Any, Any] | None = None,
        renorm_momentum: float = 0.99,
        fused: bool | None = None,
        trainable: bool = True,
        virtual_batch_size: int | None = None,
        adjustment: Any = None,
        name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(name=name, **kwargs)
        if not isinstance(axis, (list, int)):
            raise TypeError(f"axis must be int or list, type given: {type(axis)}")
        self.axis: Any = axis[:] if isinstance(axis, list) else axis
        self.momentum = momentum
        self.epsilon = epsilon
        self.center = center
        self.scale = scale
        set_objects(self, locals())
        self.moving_mean_initializer = find_initializer(moving_mean_initializer)
        self.moving_variance_initializer = find_initializer(moving_variance_initializer)
        self.renorm = renorm
        self.virtual_batch_size = virtual_batch_size
        self.adjustment = adjustment
        self.fused = True if fused is None else fused
        self.supports_masking = True
        self.trainable = trainable
        if renorm:
            self.renorm_clipping = renorm_clipping or {}
            self.renorm_momentum = renorm_momentum
            if set(self.renorm_clipping) - set(_BOUNDS):
                raise ValueError(
                    f"renorm_clipping {self.renorm_clipping} contains keys not in {_BOUNDS}"
                )

    @property
    def _param_dtype(self) -> Any:
        if self.dtype in ("float16", "bfloat16"):
            return dtypes.float32
        return self.dtype or dtypes.float32

    # Weights -------------------------------------------------------------------------------------

    def build(self, input_shape: ShapeLike) -> None:
        """Creates beta, gamma and the moving averages for inputs of this shape."""
        shape = TensorShape(input_shape)
        if not shape.ndims:
            raise ValueError("Input has undefined rank:", shape)
        rank = shape.ndims
        self.axis = _checked_axes(self.axis, rank)
        if len(self.axis) != len(set(self.axis)):
            raise ValueError(f"Duplicate axis: {self.axis}")
        self._check_virtual_batches()
        self._decide_if_fused(rank)
        if self.fused:
            formats = {(1,): "NCHW", (3,): "NHWC"}
            if tuple(self.axis) not in formats:
                raise ValueError(
                    "Unsupported axis, fused batch norm only supports axis == [1] or axis == [3]"
                )
            self._data_format = formats[tuple(self.axis)]
        sizes = {axis: dimension_value(shape[axis]) for axis in self.axis}
        if None in sizes.values():
            raise ValueError("Input has undefined `axis` dimension. Input shape: ", shape)
        self.input_spec = InputSpec(ndim=rank, axes=sizes)
        self._make_weights(self._weight_shape(sizes, rank))
        self.built = True

    def _check_virtual_batches(self) -> None:
        if self.virtual_batch_size is None:
            return
        if self.virtual_batch_size <= 0:
            raise ValueError(
                "virtual_batch_size must be a positive integer that divides the true batch size of "
                "the input Tensor"
            )
        if 0 in self.axis:
            raise ValueError(
                "When using virtual_batch_size, the batch dimension must be 0 and thus axis cannot "
                "include 0"
            )
        if self.adjustment is not None:
            raise ValueError("When using virtual_batch_size, adjustment cannot be specified")

    def _decide_if_fused(self, rank: int) -> None:
        """Decides `fused` once the rank of the inputs is known."""
        if self.fused:
            self.fused = rank == 4 and self._can_be_fused()

    def _can_be_fused(self) -> bool:
        is_channel_axis = len(self.axis) == 1 and self.axis[0] in (1, 3)
        plain = self.virtual_batch_size is None and self.adjustment is None
        return is_channel_axis and plain and not self.renorm

    def _weight_shape(self, sizes: dict[int, int], rank: int) -> Any:
        if len(sizes) == 1 and self.virtual_batch_size is None:
            return (next(iter(sizes.values())),)
        shape = [sizes.get(axis, 1) for axis in range(rank)]
        if self.virtual_batch_size is not None:
            shape.insert(1, 1)
            self.axis = [axis + 1 for axis in self.axis]
        return shape

    def _make_weights(self, shape: Any) -> None:
        self.gamma = self.beta = None
        if self.scale:
            self.gamma = self._add_parameter("gamma", shape)
        elif self.fused:
            self._gamma_const = ops.constant(1.0, dtype=self._param_dtype, shape=shape)
        if self.center:
            self.beta = self._add_parameter("beta", shape)
        elif self.fused:
            self._beta_const = ops.constant(0.0, dtype=self._param_dtype, shape=shape)
        scope = getattr(self, "_scope", None)
        partitioner = scope.partitioner if scope else None
        if scope:
            scope.set_partitioner(None)
        try:
            mean, variance = self.moving_mean_initializer, self.moving_variance_initializer
            self.moving_mean = self._average("moving_mean", shape, mean)
            self.moving_variance = self._average("moving_variance", shape, variance)
            if self.renorm:
                self._make_renorm_weights(shape)
        finally:
            if partitioner and scope:
                scope.set_partitioner(partitioner)

    def _make_renorm_weights(self, shape: Any) -> None:
        def stddev_initializer(*args: Any, **kwargs: Any) -> Any:
            return ops.sqrt(self.moving_variance_initializer(*args, **kwargs))

        with colocated_with(self.moving_variance):
            self.moving_stddev = self._average("moving_stddev", shape, stddev_initializer)
        with colocated_with(self.moving_mean):
            mean = self.moving_mean_initializer
            self.renorm_mean = self._average("renorm_mean", shape, mean)
        with colocated_with(self.moving_stddev):
            self.renorm_stddev = self._average("renorm_stddev", shape, stddev_initializer)

    def _add_parameter(self, name: str, shape: Any) -> Any:
        return self._add_role_weight(
            name, shape, dtype=self._param_dtype, experimental_autocast=False
        )

    def _average(self, name: str, shape: Any, initializer: Any) -> Any:
        return self.add_weight(
            name=name,
            shape=shape,
            dtype=self._param_dtype,
            initializer=initializer,
            synchronization=VariableSynchronization.ON_READ,
            trainable=False,
            aggregation=VariableAggregation.MEAN,
            experimental_autocast=False,
        )

    # Calls ---------------------------------------------------------------------------------------

    def call(self, inputs: Tensor, training: TensorLike | None = None) -> Any:
        """Normalizes the inputs, by the batch's own statistics if `training`, a bool or bool tensor, is true."""
        training = self._phase(training)
        original = [-1, *inputs.shape.as_list()[1:]]
        if self.virtual_batch_size is not None:
            inputs = ops.reshape(inputs, [self.virtual_batch_size, -1, *original[1:]])
        if self.fused:
            return self._normalize_fused(inputs, training)
        outputs = self._compose(inputs, training)
        return outputs if self.virtual_batch_size is None else ops.reshape(outputs, original)

    def _phase(self, training: Any) -> Any:
        """Returns whether a call is for training, from the argument of the caller."""
        return learning_phase() if training is None else training

    def _normalize_fused(self, inputs: Any, training: Any) -> Any:
        beta = self.beta if self.center else self._beta_const
        gamma = self.gamma if self.scale else self._gamma_const
        settings: Any = {"epsilon": self.epsilon, "data_format": self._data_format}

        def normalize_by_averages() -> Any:
            return ops.fused_batch_norm(
                *(inputs, gamma, beta),
                mean=self.moving_mean,
                variance=self.moving_variance,
                is_training=False,
                **settings,
            )

        def normalize_by_batch() -> Any:
            return ops.fused_batch_norm(inputs, gamma, beta, **settings)

        output, mean, variance = choose(training, normalize_by_batch, normalize_by_averages)
        is_training = static_training(training)
        if is_training is None:
            momentum = choose(training, lambda: self.momentum, lambda: 1.0)
        else:
            momentum = ops.convert_to_tensor(self.momentum)
        if is_training is not False:
            has_rows = _has_rows(inputs)
            for moving_average, new in ((self.moving_mean, mean), (self.moving_variance, variance)):
                self.add_update(partial(update_average, moving_average, new, momentum, has_rows))
        return output

    def _compose(self, inputs: Any, training: Any) -> Any:
        shape = inputs.shape
        rank = len(shape)
        axes = [axis for axis in range(rank) if axis not in self.axis]
        if self.virtual_batch_size is not None:
            del axes[1]
        broadcast = [1] * rank
        broadcast[self.axis[0]] = dimension_value(shape[self.axis[0]])

        def spread(vector: Any) -> Any:
            if vector is None or len(vector.shape) == rank or axes == list(range(rank - 1)):
                return vector
            return ops.reshape(vector, broadcast)

        scale, offset = spread(self.gamma), spread(self.beta)
        if static_training(training) is False:
            mean, variance = self.moving_mean, self.moving_variance
        else:
            if self.adjustment:
                scale, offset = self._adjust(inputs, training, scale, offset)
            mean, variance, new_mean, new_variance = self._statistics(inputs, training, axes)
            if self.renorm:
                factor, shift, new_mean, new_variance = renormalize(
                    self, new_mean, new_variance, training, _has_rows(inputs)
                )
                factor = spread(ops.stop_gradient(factor, name="renorm_r"))
                shift = spread(ops.stop_gradient(shift, name="renorm_d"))
                scale, offset = _compose(factor, shift, scale, offset)
            self._add_updates(new_mean, new_variance, training, _has_rows(inputs))
        mean, variance = (ops.cast(value, inputs.dtype) for value in (mean, variance))
        offset = None if offset is None else ops.cast(offset, inputs.dtype)
        scale = None if scale is None else ops.cast(scale, inputs.dtype)
        outputs = ops.batch_normalization(
            inputs, spread(mean), spread(variance), offset, scale, self.epsilon
        )
        outputs.set_shape(shape)
        return outputs

    def _adjust(self, inputs: Any, training: Any, scale: Any, offset: Any) -> tuple:
        by, shift = self.adjustment(ops.shape(inputs))
        factor = choose(training, lambda: by, lambda: ops.ones_like(by))
        conditional_shift = choose(training, lambda: shift, lambda: ops.zeros_like(shift))
        return _compose(factor, conditional_shift, scale, offset)

    def _moments(self, inputs: Any, axes: list[int], keep_dims: bool) -> tuple:
        """Returns the mean and variance of the batch."""
        mean, variance = ops.moments(inputs, axes, keep_dims=keep_dims)
        if (has_rows := _has_rows(inputs)) is not None:
            mean = ops.where(has_rows, mean, ops.zeros_like(mean))
            variance = ops.where(has_rows, variance, ops.zeros_like(variance))
        return mean, variance

    def _statistics(self, inputs: Any, training: Any, axes: list[int]) -> tuple:
        """Returns the mean and variance for normalization, and the mean and variance for the moving averages."""
        virtual = self.virtual_batch_size is not None
        keep_dims = virtual or len(self.axis) > 1
        normalize_by_batch = self._moments(ops.cast(inputs, self._param_dtype), axes, keep_dims)
        mean, variance = (
            choose(training, lambda m=m: m, lambda v=v: ops.convert_to_tensor(v))
            for m, v in zip(normalize_by_batch, (self.moving_mean, self.moving_variance))
        )
        if not virtual:
            return mean, variance, mean, variance
        new_mean = ops.reduce_mean(mean, axis=1, keepdims=True)
        return mean, variance, new_mean, ops.reduce_mean(variance, axis=1, keepdims=True)

    def _add_updates(self, mean: Any, variance: Any, training: Any, has_rows: Any) -> None:
        def assign_variance() -> Any:
            if self.renorm:
                return update_variance(
                    self, ops.sqrt(variance + self.epsilon), self.momentum, has_rows
                )
            return update_average(self.moving_variance, variance, self.momentum, has_rows)

        def assign_mean() -> Any:
            return update_average(self.moving_mean, mean, self.momentum, has_rows)

        self.add_update(lambda: choose(training, assign_mean, lambda: self.moving_mean))
        self.add_update(lambda: choose(training, assign_variance, lambda: self.moving_variance))

    # Properties ----------------------------------------------------------------------------------

    def compute_output_shape(self, input_shape: ShapeLike) -> Any:
        """Returns the input shape."""
        return input_shape

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments as plain data, except `adjustment`."""
        config = super().get_config()
        if self.renorm:
            config |= {"renorm": True, "renorm_clipping": self.renorm_clipping}
            config["renorm_momentum"] = self.renorm_momentum
        if self.virtual_batch_size is not None:
            config["virtual_batch_size"] = self.virtual_batch_size
        if self.adjustment is not None:
            logs.warn(
                "The `adjustment` function of this `BatchNormalization` layer cannot be serialized and has been "
                "omitted from the layer config. It will not be included when re-creating the layer from the saved "
                "config."
            )
        return config


def _has_rows(inputs: Any) -> Any:
    """Whether inputs are nonempty, as a scalar bool tensor; None if no strategy passes empty batches to replicas."""
    extended = getattr(current_strategy(), "extended", None)
    if getattr(extended, "experimental_enable_get_next_as_optional", False):
        return ops.size(inputs) > 0
    return None


def _checked_axes(axis: Any, rank: int) -> list[int]:
    axes = [axis] if isinstance(axis, int) else axis
    axes = [dim + rank if dim < 0 else dim for dim in axes]
    for dim in axes:
        if not 0 <= dim < rank:
            raise ValueError(f"Invalid axis: {dim}")
    return axes


def _compose(scale: Any, offset: Any, then_scale: Any, then_offset: Any) -> tuple:
    """Composes two successive scales and offsets into one."""
    if then_scale is not None:
        scale = scale * then_scale
        offset = offset * then_scale
    return scale, offset if then_offset is None else offset + then_offset
