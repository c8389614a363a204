"""Losses, an activation and random numbers, with Keras's signatures."""

from __future__ import annotations

from typing import Any

import numpy as np

import tfmini as tf
from tfmini.graph.tensor import Tensor
from tfmini.hook.keras.settings import epsilon, floatx
from tfmini.ops.nn.cross_entropies import (
    softmax_cross_entropy_with_logits_v2,
    sparse_softmax_cross_entropy_with_logits,
)
from tfmini.ops.nn.elementwise_losses import sigmoid_cross_entropy_with_logits


def _logits(output: Any, from_logits: bool, activation: str) -> Any:
    """What went into the activation that made `output`, where that is to be seen."""
    if from_logits:
        return output
    if isinstance(output, Tensor) and output.op.type == activation:
        return output.op.inputs[0]
    return None


def _clipped(output: Any) -> Any:
    least = tf.constant(epsilon(), dtype=output.dtype.base_dtype)
    return tf.clip_by_value(output, least, 1.0 - least)


def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Cross entropy of distributions along `axis`: probabilities, or logits."""
    target, output = tf.convert_to_tensor(target), tf.convert_to_tensor(output)
    target.shape.assert_is_compatible_with(output.shape)
    logits = _logits(output, from_logits, "Softmax")
    if logits is None:
        output = _clipped(output / tf.reduce_sum(output, axis, True))
        return -tf.reduce_sum(target * tf.log(output), axis)
    return softmax_cross_entropy_with_logits_v2(labels=target, logits=logits, axis=axis)


def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """Cross entropy of classes' numbers and distributions along `axis`.

    Raises:
      ValueError: if there is no such axis.
    """
    output = tf.convert_to_tensor(output)
    logits = _logits(output, from_logits, "Softmax")
    if logits is None:
        logits = tf.log(_clipped(output))
    rank = logits.shape.ndims
    if rank is not None:
        if not -rank <= axis < rank:
            raise ValueError(
                f"Unexpected channels axis {axis}. Expected to be in [{-rank}, {rank})."
            )
        if axis % rank != rank - 1:
            order = [i for i in range(rank) if i != axis % rank]
            logits = tf.transpose(logits, [*order, axis % rank])
    labels = tf.cast(target, "int64")
    if rank is None or rank <= 2:
        labels = tf.reshape(labels, [-1])
        return sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    shape = tf.shape(logits)
    classes = logits.shape.as_list()[-1]
    losses = sparse_softmax_cross_entropy_with_logits(
        labels=tf.reshape(labels, [-1]), logits=tf.reshape(logits, [-1, classes])
    )
    return tf.reshape(losses, shape[:-1])


def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """Cross entropy of each element."""
    target, output = tf.convert_to_tensor(target), tf.convert_to_tensor(output)
    logits = _logits(output, from_logits, "Sigmoid")
    if logits is None:
        output, least = _clipped(output), epsilon()
        gained = target * tf.log(output + least)
        return -(gained + (1 - target) * tf.log(1 - output + least))
    return sigmoid_cross_entropy_with_logits(labels=target, logits=logits)


def hard_sigmoid(x: Any) -> Any:
    """0.2 x + 0.5, between 0 and 1."""
    return tf.clip_by_value(x * 0.2 + 0.5, 0.0, 1.0)


def _seed(seed: Any) -> Any:
    return np.random.randint(10_000_000) if seed is None else seed


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers of a normal distribution."""
    return tf.random_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))


def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers between `minval` and `maxval`."""
    return tf.random_uniform(shape, minval, maxval, dtype or floatx(), _seed(seed))


def random_binomial(shape: Any, p: float = 0.0, dtype: Any = None, seed: Any = None) -> Any:
    """Ones with probability `p`, else zeros."""
    kind = dtype or floatx()
    drawn = tf.random_uniform(shape, dtype=kind, seed=_seed(seed))
    return tf.where(drawn <= p, tf.ones(shape, kind), tf.zeros(shape, kind))


def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> Any:
    """Numbers of a normal distribution, less than two deviations away."""
    return tf.truncated_normal(shape, mean, stddev, dtype or floatx(), _seed(seed))
