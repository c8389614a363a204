"""Layers without weights: one-hot encoding, softmax over the last axis, maxout, unit norm, dropout, flatten."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.layer_builder import (
    variable_getter,
)
from tfmini._src.contrib.layers.layer_sizes import last_dimension
from tfmini._src.contrib.layers.named_outputs import collect_named_outputs
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.nn.layers.dropout import Dropout
from tfmini._src.nn.layers.flatten import Flatten
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope


@add_arg_scope
def one_hot_encoding(
    labels: TensorLike,
    num_classes: Any,
    on_value: float = 1.0,
    off_value: float = 0.0,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """Returns a tensor [..., num_classes]: `on_value` at each label's index, `off_value` elsewhere.

    Args:
      labels: integers.
      num_classes: number of classes.
      on_value, off_value: numbers.
      outputs_collections: keys of collections to add the outputs to.
      scope: scope name.
    """
    with name_scope(scope, "OneHotEncoding", [labels, num_classes]) as sc:
        labels = ops.convert_to_tensor(labels)
        if labels.dtype == dtypes.int32:
            labels = ops.cast(labels, dtypes.int64, name="ToInt64")
        outputs = ops.one_hot(labels, num_classes, on_value=on_value, off_value=off_value)
        return collect_named_outputs(outputs_collections, sc, outputs)


@add_arg_scope
def softmax(logits: Tensor | Variable, scope: str | VariableScope | None = None) -> Any:
    """Computes the softmax along the last axis of a tensor of rank 2 or more.

    Args:
      logits: [..., classes], floats.
      scope: scope name.

    Raises:
      ValueError: if there are fewer than two axes, or the number of classes is unknown.
    """
    with variable_scope(scope, "softmax", [logits]):
        classes = last_dimension(logits.shape, min_rank=2)
        predictions = ops.softmax(ops.reshape(logits, [-1, classes]))
        predictions = ops.reshape(predictions, ops.shape(logits))
        predictions.set_shape(logits.shape)
        return predictions


@add_arg_scope
def maxout(
    inputs: TensorLike, num_units: int, axis: int = -1, scope: str | VariableScope | None = None
) -> Any:
    """Returns the maximum of each group of channels.

    Args:
      inputs: a tensor with a known number of channels.
      num_units: number of groups.
      axis: axis of the channels.
      scope: scope name.

    Raises:
      ValueError: if the number of channels is not a multiple of `num_units`.
    """
    with variable_scope(scope, "MaxOut", [inputs]):
        inputs = ops.convert_to_tensor(inputs)
        shape: list[Any] = inputs.shape.as_list()
        channels = shape[axis]
        if channels % num_units:
            raise ValueError(
                f"number of features({channels}) is not a multiple of num_units({num_units})"
            )
        shape[axis] = num_units
        shape.append(channels // num_units)
        for dim, size in enumerate(shape):
            if size is None:
                shape[dim] = ops.shape(inputs)[dim]
        return ops.reduce_max(ops.reshape(inputs, shape), -1, keepdims=False)


@add_arg_scope
def unit_norm(
    inputs: Tensor | Variable,
    dim: int,
    epsilon: float = 1e-7,
    scope: str | VariableScope | None = None,
) -> Any:
    """Normalizes vectors along an axis to unit Euclidean norm.

    Args:
      inputs: a float tensor of known rank.
      dim: the axis, 0 or more.
      epsilon: added to squared norms.
      scope: scope name.

    Raises:
      ValueError: for an unknown rank or invalid axis.
    """
    with variable_scope(scope, "UnitNorm", [inputs]):
        if not inputs.shape:
            raise ValueError("The input rank must be known.")
        rank = len(inputs.shape.as_list())
        if dim < 0 or dim >= rank:
            raise ValueError("dim must be positive but smaller than the input rank.")
        lengths = ops.sqrt(epsilon + ops.reduce_sum(ops.square(inputs), dim, True))
        multiples = [ops.ones([dim], dtypes.int32)] if dim > 0 else []
        multiples.append(ops.strided_slice(ops.shape(inputs), [dim], [dim + 1]))
        if dim < rank - 1:
            multiples.append(ops.ones([rank - 1 - dim], dtypes.int32))
        return ops.div(inputs, ops.tile(lengths, ops.concat(multiples, 0)))


@add_arg_scope
def dropout(
    inputs: Tensor | Variable,
    keep_prob: Any = 0.5,
    noise_shape: TensorLike | None = None,
    is_training: TensorLike = True,
    outputs_collections: Any = None,
    scope: str | VariableScope | None = None,
    seed: int | None = None,
) -> Any:
    """Randomly sets elements to 0 in training and scales the others by 1 / keep_prob.

    Args:
      inputs: a float tensor.
      keep_prob: fraction of elements to keep, a number or a scalar tensor.
      noise_shape: shape of the dropout mask, which is broadcast.
      is_training: a bool, or a scalar bool tensor; if false, the inputs are returned unchanged.
      outputs_collections: keys of collections to add the outputs to.
      scope: scope name.
      seed: an integer; see `tf.set_random_seed`.

    Raises:
      ValueError: for a keep_prob outside (0, 1].
    """
    with variable_scope(scope, "Dropout", [inputs], custom_getter=variable_getter()) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = Dropout(
            rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc
        )
        outputs = layer.apply(inputs, training=is_training)
        return collect_named_outputs(outputs_collections, sc.name, outputs)


@add_arg_scope
def flatten(inputs: Tensor | Variable, outputs_collections: Any = None, scope: Any = None) -> Any:
    """Reshapes [batch, a, b, ...] to [batch, a * b * ...].

    Args:
      inputs: a tensor of rank 1 or more.
      outputs_collections: keys of collections to add the outputs to.
      scope: scope name.

    Raises:
      ValueError: for a scalar or an unknown rank.
    """
    with name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = Flatten(name=None, data_format="channels_last").apply(
            ops.convert_to_tensor(inputs)
        )
        return collect_named_outputs(outputs_collections, sc, outputs)
