"""Random sampling of examples, with individual probabilities or toward target class frequencies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.convert_to_tensor import (
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
)
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.train.input_queues.batch import batch, maybe_batch
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope

_SMOOTHING_COUNT = 10  # initial pseudo-count per class
_TOLERANCE = 1e-6


def rejection_sample(
    tensors: Any,
    accept_prob_fn: Callable[..., Any],
    batch_size: int,
    queue_threads: int = 1,
    enqueue_many: bool = False,
    prebatch_capacity: int = 16,
    prebatch_threads: int = 1,
    runtime_checks: bool = False,
    name: str | None = None,
) -> list[Any]:
    """Returns batches of examples, each accepted with its own probability.

    Args:
      tensors, batch_size, name: as in `stratified_sample`.
      accept_prob_fn: a function of `tensors` that returns the probability, a scalar Tensor.
      queue_threads: number of sampling threads.
      enqueue_many: whether `tensors` are batches, one example per row.
      prebatch_capacity, prebatch_threads: capacity and threads of the queue that splits such batches.
      runtime_checks: whether to check that probabilities are in [0, 1].

    Returns:
      A list of Tensors like `tensors`, with a leading batch axis.

    Raises:
      ValueError: for different row counts.
    """
    with variable_scope(name, "rejection_sample", tensors):
        example: list[Any] = convert_n_to_tensor_or_indexed_slices(tensors)
        if enqueue_many:
            for tensor in example:
                rows = tensor.get_shape().with_rank_at_least(1)[0]
                rows.assert_is_compatible_with(example[0].get_shape()[0])
            rows = batch(
                example,
                batch_size=1,
                num_threads=prebatch_threads,
                capacity=prebatch_capacity,
                enqueue_many=True,
            )
            example = [ops.squeeze(x, [0]) for x in _as_list(rows)]
        probability = accept_prob_fn(example)
        if runtime_checks:
            checks = [
                ops.assert_less_equal(0.0, probability),
                ops.assert_less_equal(probability, 1.0),
            ]
            checked = ops.with_dependencies(checks, probability)
            probability = ops.identity(checked, name="prob_with_checks")
        batched = maybe_batch(
            example,
            keep_input=ops.random_uniform([]) < probability,
            batch_size=batch_size,
            num_threads=queue_threads,
        )
        return _as_list(batched)


def _as_list(tensors: Any) -> list:
    """Returns the tensors as a list; a single Tensor is wrapped, so that it is not iterated by rows."""
    return [tensors] if isinstance(tensors, Tensor) else tensors


def stratified_sample(
    tensors: Sequence[TensorLike],
    labels: TensorLike,
    target_probs: TensorLike,
    batch_size: int,
    init_probs: TensorLike | None = None,
    enqueue_many: bool = False,
    queue_capacity: int = 16,
    threads_per_queue: int = 1,
    name: str | None = None,
) -> tuple[Any, ...]:
    """Returns batches of examples with target class frequencies, obtained by rejection.

    Args:
      tensors: an example, a list of Tensors.
      labels: the example's class, a scalar integer.
      target_probs: vector of target class frequencies.
      batch_size: number of examples per batch.
      init_probs: actual class frequencies; by default estimated, in a variable.
      enqueue_many: whether `tensors` and `labels` are batches, one example per row.
      queue_capacity: capacity of the intermediate queue; threads_per_queue: number of threads per queue.
      name: operation name prefix.

    Returns:
      A tuple of a list of Tensors like `tensors`, with a leading batch axis, and the classes.

    Raises:
      ValueError: for unknown or different numbers of probabilities, or different row counts.
      tf.errors.InvalidArgumentError: at run time, for invalid probabilities, or a target class that never occurs.
    """
    with name_scope(name, "stratified_sample", [*tensors, labels]):
        example = convert_n_to_tensor_or_indexed_slices(tensors)
        labels = convert_to_tensor(labels)
        target = convert_to_tensor(target_probs, dtype=dtypes.float32)
        if not enqueue_many:
            example = [ops.expand_dims(tensor, 0) for tensor in example]
            labels = ops.expand_dims(labels, 0)
        if init_probs is None:
            target.get_shape().assert_is_fully_defined()
            start = _class_frequencies(labels, target.get_shape().num_elements())
        else:
            start = convert_to_tensor(init_probs, dtype=dtypes.float32)
        example, labels, (start, target) = _check_example(example, labels, [start, target])
        check = ops.Assert(
            ops.reduce_all(ops.logical_or(ops.not_equal(start, 0), ops.equal(target, 0))),
            [
                "All classes with zero initial probability must also have zero target probability: ",
                start,
                target,
            ],
        )
        start = ops.with_dependencies([check], start)
        acceptance_rates = _acceptance_rates(start, target)
        rejected = ops.reduce_sum((1 - acceptance_rates) * start)
        rates = acceptance_rates
        acceptance_rates = ops.cond(
            ops.less(rejected, 0.5),
            lambda: rates,
            lambda: ops.Print(
                rates,
                [rates],
                message="Proportion of examples rejected by sampler is high.",
                first_n=10,
            ),
        )
        rows = batch(
            [*example, labels],
            batch_size=1,
            num_threads=threads_per_queue,
            capacity=queue_capacity,
            enqueue_many=True,
        )
        *values, label = [ops.squeeze(x, [0]) for x in rows]
        probability = ops.gather(acceptance_rates, label)
        *batched, classes = maybe_batch(
            [*values, label],
            keep_input=ops.random_uniform([]) < probability,
            batch_size=batch_size,
            num_threads=threads_per_queue,
        )
        return batched, classes


def _class_frequencies(labels: Any, classes: int | None) -> Tensor:
    """Returns the smoothed running class frequencies, including this batch."""
    counter = Variable(
        initial_value=[_SMOOTHING_COUNT] * (classes or 0),
        trainable=False,
        name="class_count",
        dtype=dtypes.int64,
    )
    now = ops.reduce_sum(ops.one_hot(labels, classes, dtype=dtypes.int64), 0)
    counts = counter.assign_add(now)
    counts += 0
    return ops.cast(ops.truediv(counts, ops.reduce_sum(counts)), dtypes.float32)


def _check_example(example: list, labels: Any, probabilities: list) -> tuple:
    """Returns the same tensors, with checks as control dependencies."""
    assertions = []
    for probability in probabilities:
        probability.get_shape().assert_is_fully_defined()
        probability.get_shape().assert_has_rank(1)
        total = ops.reduce_sum(probability)
        checks = [
            ops.assert_non_negative(probability),
            ops.assert_less(total, 1.0 + _TOLERANCE),
            ops.assert_less(1.0 - _TOLERANCE, total),
        ]
        assertions.append(ops.with_dependencies(checks, probability))
    count = assertions[0].get_shape().num_elements()
    if any(probability.get_shape().num_elements() != count for probability in assertions):
        raise ValueError("Probability parameters must have the same length.")
    labels.get_shape().assert_has_rank(1)
    for tensor in example:
        rows = tensor.get_shape().with_rank_at_least(1)[0]
        rows.assert_is_compatible_with(labels.get_shape()[0])
    size = ops.shape(labels)[0]
    is_some = ops.assert_positive(size)
    labels = ops.with_dependencies([is_some], labels)
    example = [
        ops.with_dependencies([is_some, ops.assert_equal(ops.shape(x)[0], size)], x)
        for x in example
    ]
    checks = [
        ops.assert_integer(labels),
        ops.assert_non_negative(labels),
        ops.assert_less(labels, ops.cast(count, labels.dtype)),
    ]
    return example, ops.with_dependencies(checks, labels), assertions


def _acceptance_rates(start: Any, target: Any) -> Tensor:
    """Returns the acceptance probability of each class, 1 for the class that is rarest relative to its target."""
    ratio = target / start
    ratio = ops.where_v2(ops.is_nan(ratio), ops.zeros_like(ratio), ratio)
    return ratio / ops.reduce_max(ratio)
