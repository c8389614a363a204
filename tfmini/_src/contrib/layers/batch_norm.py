"""`batch_norm` of `tf.contrib.layers`: a `tf.layers` layer, or separate nodes for options it lacks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.layer_builder import (
    add_variable,
    check_format,
    finish_outputs,
    layer_variable,
    variable_getter,
)
from tfmini._src.contrib.layers.smart_cond import constant_value, smart_cond
from tfmini._src.graph.collections import add_to_collections
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import control_dependencies
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.nn.layers.batch_normalization import BatchNormalization
from tfmini._src.ops import ops
from tfmini._src.variables.assign_moving_average import assign_moving_average
from tfmini._src.variables.get_variable import VariableScope, get_variable_scope
from tfmini._src.variables.initializers import Ones, Zeros
from tfmini._src.variables.variable_scope import variable_scope

_NAMES = ("beta", "gamma", "moving_mean", "moving_variance")
_DEFAULTS = {name: Zeros() if name in ("beta", "moving_mean") else Ones() for name in _NAMES}


@add_arg_scope
def batch_norm(
    inputs: TensorLike,
    decay: float = 0.999,
    center: bool = True,
    scale: bool = False,
    epsilon: float = 0.001,
    activation_fn: Callable[..., Any] | None = None,
    param_initializers: dict[Any, Any] | None = None,
    param_regularizers: dict[Any, Any] | None = None,
    updates_collections: Sequence[str] = GraphKeys.UPDATE_OPS,
    is_training: TensorLike = True,
    reuse: bool | None = None,
    variables_collections: str | Sequence[str] | None = None,
    outputs_collections: Sequence[str] | None = None,
    trainable: bool = True,
    batch_weights: Any = None,
    fused: bool | None = None,
    data_format: str = "NHWC",
    zero_debias_moving_mean: bool = False,
    scope: str | VariableScope | None = None,
    renorm: bool = False,
    renorm_clipping: dict[Any, Any] | None = None,
    renorm_decay: float = 0.99,
    adjustment: Any = None,
) -> Any:
    """Returns (x - mean) / sqrt(variance + epsilon) * gamma + beta, by batch statistics or moving averages.

    Args:
      inputs: [batch, ..., channels], floats ([batch, channels, rows, columns] with "NCHW").
      decay: decay rate of the moving averages.
      center, scale: whether to add a `beta` and a `gamma`.
      epsilon: added to variances.
      activation_fn: activation function, or None.
      param_initializers, param_regularizers: dicts keyed by "beta", "gamma", "moving_mean", "moving_variance".
      updates_collections: keys of collections for the updates; None to update before computing the outputs.
      is_training: a bool, or a scalar bool tensor.
      reuse: whether to reuse that scope's variables.
      variables_collections: keys of collections for all variables, or a dict of keys by name.
      outputs_collections: keys of collections to add the outputs to.
      trainable: whether beta and gamma are trainable.
      batch_weights: [batch], example weights.
      fused: whether to use a single fused op where possible, the default.
      data_format: "NHWC" or "NCHW".
      zero_debias_moving_mean: whether to correct the moving mean's bias from its zero initialization.
      scope: variable scope name.
      renorm, renorm_clipping, renorm_decay, adjustment: as in `tf.layers.BatchNormalization`.

    Returns:
      A tensor of the shape and dtype of `inputs`.

    Raises:
      ValueError: for any other format, an unknown rank or number of channels, or conflicting options.

    Example:
      net = slim.conv2d(net, 64, [3, 3], normalizer_fn=slim.batch_norm,
                        normalizer_params={"is_training": True, "decay": 0.95})
    """
    fused = True if fused is None else fused
    inputs = ops.convert_to_tensor(inputs)
    rank = inputs.shape.ndims
    plain = batch_weights is None and not renorm and rank in (2, 4) and adjustment is None
    for_layer = updates_collections is GraphKeys.UPDATE_OPS and not zero_debias_moving_mean
    normalizer = _CustomBatchNorm(
        *(decay, center, scale, epsilon, activation_fn),
        *(param_initializers or {}, param_regularizers or {}, updates_collections, is_training),
        *(variables_collections, outputs_collections, trainable, data_format),
        zero_debias_moving_mean,
    )
    if fused and plain and (rank == 2 or not for_layer):
        return normalizer.normalize_fused(inputs, reuse, scope)
    check_format(data_format)
    getter = variable_getter()
    with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse, custom_getter=getter) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if batch_weights is not None or not for_layer:
            if renorm:
                raise ValueError(
                    "renorm is not supported with batch_weights, updates_collections or "
                    "zero_debias_moving_mean"
                )
            return normalizer.normalize_composed(inputs, batch_weights, sc)
        initializers, regularizers = normalizer.initializers, normalizer.regularizers
        layer = BatchNormalization(
            axis=1 if data_format == "NCHW" else -1,
            momentum=decay,
            epsilon=epsilon,
            center=center,
            scale=scale,
            **{f"{name}_initializer": initializers.get(name, _DEFAULTS[name]) for name in _NAMES},
            beta_regularizer=regularizers.get("beta"),
            gamma_regularizer=regularizers.get("gamma"),
            trainable=trainable,
            renorm=renorm,
            renorm_clipping=renorm_clipping,
            renorm_momentum=renorm_decay,
            adjustment=adjustment,
            name=sc.name,
            _scope=sc,
            _reuse=reuse,
            fused=fused,
        )
        outputs = layer.apply(inputs, training=is_training)
        for name in ("moving_mean", "moving_variance", "beta", "gamma"):
            if getattr(layer, name) is not None:
                add_variable(getattr(layer, name), variables_collections, name)
        return finish_outputs(outputs, sc.name, activation_fn, outputs_collections)


@dataclass(frozen=True)
class _CustomBatchNorm:
    """Batch normalization without a `tf.layers` layer, from one fused op or from elementary ops."""

    decay: float
    center: bool
    scale: bool
    epsilon: float
    activation_fn: Any
    initializers: dict
    regularizers: dict
    updates: Any
    training: Any
    variables: Any
    outputs: Any
    trainable: bool
    data_format: str
    zero_debias: bool

    def normalize_fused(self, inputs: Any, reuse: Any, scope: Any) -> Any:
        """Normalizes matrices or images with a single fused op."""
        check_format(self.data_format)
        with variable_scope(scope, "BatchNorm", [inputs], reuse=reuse) as sc:
            inputs = original = ops.convert_to_tensor(inputs)
            if original.shape.ndims == 2:
                inputs = self._as_images(inputs)
            shape = inputs.shape
            params = shape[-1:] if self.data_format == "NHWC" else shape[1:2]
            if not params.is_fully_defined():
                raise ValueError(f"Inputs {inputs.name} has undefined `C` dimension {params}.")
            beta = self._weights("beta", params, dtypes.float32, True) if self.center else None
            if beta is None:
                beta = ops.constant(0.0, dtype=dtypes.float32, shape=params)
            gamma = self._weights("gamma", params, dtypes.float32, True) if self.scale else None
            if gamma is None:
                gamma = ops.constant(1.0, dtype=dtypes.float32, shape=params)
            averages = self._averages(params, dtypes.float32)
            options: Any = {"epsilon": self.epsilon, "data_format": self.data_format}

            def normalize_by_averages() -> Any:
                moving_statistics = {"mean": averages[0], "variance": averages[1]}
                return ops.fused_batch_norm(
                    inputs, gamma, beta, **moving_statistics, is_training=False, **options
                )

            def normalize_by_batch() -> Any:
                return ops.fused_batch_norm(inputs, gamma, beta, **options)

            outputs, mean, variance = smart_cond(
                self.training, normalize_by_batch, normalize_by_averages
            )
            outputs = self._collect_updates(outputs, mean, variance, averages)
            outputs.set_shape(shape)
            if original.shape.ndims == 2:
                outputs = ops.reshape(outputs, ops.shape(original))
            return finish_outputs(outputs, sc.name, self.activation_fn, self.outputs)

    def _as_images(self, inputs: Any) -> Any:
        channels = inputs.shape.dims[-1].value
        if channels is None:
            raise ValueError("`C` dimension must be known but is None")
        first = self.data_format == "NCHW"
        return ops.reshape(inputs, [-1, channels, 1, 1] if first else [-1, 1, 1, channels])

    def _collect_updates(self, outputs: Any, mean: Any, variance: Any, averages: tuple) -> Any:
        """Returns the outputs, after running the updates or adding them to collections."""
        static = constant_value(self.training)
        if static is not None and not static:
            return outputs
        if self.updates is None:

            def output_after_updates() -> Any:
                with control_dependencies(self._moving_averages(mean, variance, averages)):
                    return ops.identity(outputs)

            return smart_cond(self.training, output_after_updates, lambda: outputs)
        self._collect(mean, variance, averages)
        return outputs

    def _collect(self, mean: Any, variance: Any, averages: tuple) -> None:
        updates = smart_cond(
            self.training, lambda: self._moving_averages(mean, variance, averages), lambda: averages
        )
        for update in updates:
            add_to_collections(self.updates, update)

    def _moving_averages(self, mean: Any, variance: Any, averages: tuple) -> tuple:
        mean_update = assign_moving_average(
            averages[0], mean, self.decay, zero_debias=self.zero_debias
        )
        return mean_update, assign_moving_average(
            averages[1], variance, self.decay, zero_debias=False
        )

    def normalize_composed(self, inputs: Any, weights: Any, sc: Any) -> Any:
        """Normalizes with elementary ops, optionally with example weights."""
        shape = inputs.shape
        rank = shape.ndims
        if rank is None:
            raise ValueError(f"Inputs {inputs.name} has undefined rank.")
        dtype = inputs.dtype.base_dtype
        if weights is not None:
            weights = ops.convert_to_tensor(weights)
            shape[0:1].assert_is_compatible_with(weights.shape)
            weights = ops.reshape(weights, [-1] + [1] * (rank - 1))
        first = self.data_format == "NCHW"
        params = shape[1:2] if first else shape[-1:]
        if not params.is_fully_defined():
            raise ValueError(f"Inputs {inputs.name} has undefined channels dimension {params}.")
        beta = self._weights("beta", params, dtype, False) if self.center else None
        gamma = self._weights("gamma", params, dtype, False) if self.scale else None
        averages = self._averages(params, dtype)
        static = constant_value(self.training)
        mean, variance = averages
        if static is None or static:
            mean, variance = self._moments(inputs, weights)
            mean, variance = self._normalizing(mean, variance, averages)
        if first:
            spread = [1, params.as_list()[0]] + [1] * (rank - 2)
            mean, variance = ops.reshape(mean, spread), ops.reshape(variance, spread)
            beta = None if beta is None else ops.reshape(beta, spread)
            gamma = None if gamma is None else ops.reshape(gamma, spread)
        outputs = ops.batch_normalization(inputs, mean, variance, beta, gamma, self.epsilon)
        outputs.set_shape(shape)
        return finish_outputs(outputs, sc.name, self.activation_fn, self.outputs)

    def _moments(self, inputs: Any, weights: Any) -> tuple:
        rank = inputs.shape.ndims
        first = self.data_format == "NCHW"
        axes = [0, *range(2, rank)] if first else list(range(rank - 1))
        if weights is None:
            mean, variance = ops.moments(inputs, axes, keep_dims=first or None)
        else:
            mean, variance = ops.weighted_moments(inputs, axes, weights, keepdims=first or None)
        if first:
            mean, variance = ops.reshape(mean, [-1]), ops.reshape(variance, [-1])
        return mean, variance

    def _normalizing(self, mean: Any, variance: Any, averages: tuple) -> tuple:
        """Returns the mean and variance for normalization, with the updates run or collected."""
        if self.updates is not None:
            self._collect(mean, variance, averages)
            return smart_cond(self.training, lambda: (mean, variance), lambda: averages)

        def output_after_updates() -> tuple:
            with control_dependencies(self._moving_averages(mean, variance, averages)):
                return ops.identity(mean), ops.identity(variance)

        return smart_cond(self.training, output_after_updates, lambda: averages)

    def _weights(self, name: str, shape: Any, dtype: Any, regularized: bool) -> Any:
        options = {"regularizer": self.regularizers.get(name)} if regularized else {}
        initializer = self.initializers.get(name, _DEFAULTS[name])
        return layer_variable(
            name, shape, dtype, initializer, self.variables, self.trainable, **options
        )

    def _averages(self, shape: Any, dtype: Any) -> tuple:
        """Returns the moving mean and variance, unpartitioned."""
        with variable_scope(get_variable_scope()) as scope:
            scope.set_partitioner(None)
            mean, variance = (
                layer_variable(
                    *(name, shape, dtype, self.initializers.get(name, _DEFAULTS[name])),
                    *(self.variables, False),
                )
                for name in ("moving_mean", "moving_variance")
            )
            return mean, variance
