"""Batching through queues, in which threads enqueue examples and a node dequeues batches."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.shapes import as_shape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.convert_to_tensor import (
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
)
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue, PaddingFIFOQueue, RandomShuffleQueue
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.input_producer import NO_QUEUES, REPLACEMENT_NOTICE
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner
from tfmini._src.train.input_queues.sparse_components import restore, store_lists

_PADDED_BATCH_ADVICE = " (or `padded_batch(...)` if `dynamic_pad=True`)."


def tensor_list(tensors: Any) -> list:
    """Returns the tensors of an example as a list, in key order for a dictionary."""
    if isinstance(tensors, dict):
        return [tensors[key] for key in sorted(tensors, key=str)]
    return tensors


def pack_dequeued(tensors: Any, results: Any) -> Any:
    """Returns the dequeued tensors in the structure of the enqueued tensors."""
    if not isinstance(tensors, dict):
        return results
    values = results if isinstance(results, list) else [results]
    return dict(zip(sorted(tensors, key=str), values))


def _convert_tensors(tensors: Any, empty_message: str) -> list:
    converted = convert_n_to_tensor_or_indexed_slices(tensors)
    if empty_message and not converted:
        raise ValueError(empty_message)
    return converted


def keeping(keep_input: Any, enqueue_many: bool) -> Any:
    tensor = convert_to_tensor(keep_input)
    if tensor.shape.ndims is None:
        raise ValueError("`keep_input` dimensions must be known at graph construction.")
    if not enqueue_many and tensor.shape.ndims == 1:
        raise ValueError("`keep_input` cannot be a vector when `enqueue_many=False`.")
    if tensor.shape.ndims > 1:
        raise ValueError("`keep_input` must be 0 or 1 dimensions.")
    return tensor


def component_dtypes(lists: Sequence[list]) -> list:
    dtype_lists = [[tensor.dtype for tensor in tensors] for tensors in lists]
    for dtype_list in dtype_lists[1:]:
        if dtype_list != dtype_lists[0]:
            first, second = (
                ", ".join(dtype.name for dtype in row) for row in (dtype_lists[0], dtype_list)
            )
            raise TypeError(f"Expected types to be consistent: {first} vs. {second}.")
    return dtype_lists[0]


def component_shapes(lists: Sequence[list], value: Any, enqueue_many: bool) -> Any:
    """Returns the shapes of an example's components."""
    if value is not None:
        return value
    for tensors in lists:
        for tensor in tensors:
            if tensor.shape.ndims is None:
                raise ValueError(f"Cannot infer Tensor's rank: {tensor}")
    static_shapes = []
    for parts in zip(*lists):
        shapes = [as_shape(tensor.shape) for tensor in parts]
        if enqueue_many:
            shapes = [shape.with_rank_at_least(1)[1:] for shape in shapes]
        for shape in shapes[1:]:
            shapes[0].merge_with(shape)
        static_shapes.append(shapes[0].as_list())
    return static_shapes


def _add_queue_runner(
    queue: Any, lists: Sequence[list], keep: Any, enqueue_many: bool, threads: int
) -> None:
    """Adds the queue runner, with `threads` threads per tensor list."""
    put = queue.enqueue_many if enqueue_many else queue.enqueue
    fills: list[Any] = []
    for tensors in lists:
        if keep.shape.ndims == 1:
            partitions = ops.cast(keep, dtypes.int32)
            rows = [ops.dynamic_partition(t, partitions, num_partitions=2)[1] for t in tensors]
            fill = put(rows)
        else:
            fill = ops.smart_cond(keep, lambda tensors=tensors: put(tensors), ops.no_op)
        fills += [fill] * threads
    add_queue_runner(QueueRunner(queue, fills))


def _batches(
    default_name: str,
    lists: Sequence[list],
    empty_message: str,
    *,
    batch_size: Any,
    capacity: int,
    enqueue_many: bool,
    shapes: Any,
    allow_smaller_final_batch: bool,
    shared_name: str | None,
    name: str | None,
    keep_input: Any = True,
    num_threads: int = 1,
    dynamic_pad: bool = False,
    min_after_dequeue: int | None = None,
    seed: int | None = None,
) -> Any:
    """Batches the examples of `lists`, each a list of tensors, in random order if `min_after_dequeue` is given.

    Args:
      empty_message: the error message for an empty list; "" leaves the error to the queue.
      Other arguments are as in `tf.train.shuffle_batch`.
    """
    all_tensors = [tensor for tensors in lists for tensor in tensors]
    with name_scope(name, default_name, [*all_tensors, keep_input]) as scope:
        floor = min_after_dequeue
        if default_name == "shuffle_batch" and floor is not None and capacity <= floor:
            raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {floor}.")
        lists = [_convert_tensors(tensors, empty_message) for tensors in lists]
        keep = keeping(keep_input, enqueue_many)
        lists, origins = store_lists(lists, enqueue_many, keep)
        make: Any = PaddingFIFOQueue if dynamic_pad else FIFOQueue
        if floor is not None:
            make = functools.partial(RandomShuffleQueue, min_after_dequeue=floor, seed=seed)
        queue = make(
            capacity=capacity,
            dtypes=component_dtypes(lists),
            shapes=component_shapes(lists, shapes, enqueue_many),
            shared_name=shared_name,
        )
        _add_queue_runner(queue, lists, keep, enqueue_many, num_threads)
        if floor is None:
            scalar(
                f"fraction_of_{capacity}_full",
                ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity),
            )
        else:
            surplus = ops.cast(ops.maximum(0, queue.size() - floor), dtypes.float32)
            room = capacity - floor
            scalar(f"fraction_over_{floor}_of_{room}_full", surplus * (1.0 / room))
        take = queue.dequeue_up_to if allow_smaller_final_batch else queue.dequeue_many
        return restore(take(batch_size, name=scope), origins)


def _batch_one(default_name: str, tensors: Any, **kwargs: Any) -> Any:
    require_graph_mode(NO_QUEUES, ValueError)
    empty_message = "Expected at least one tensor in batch()."
    return pack_dequeued(
        tensors, _batches(default_name, [tensor_list(tensors)], empty_message, **kwargs)
    )


def _lists(tensors_list: Any) -> list:
    if not tensors_list:
        raise ValueError("Expected at least one set of tensors")
    if isinstance(tensors_list[0], dict):
        if any(set(tensors) != set(tensors_list[0]) for tensors in tensors_list[1:]):
            raise ValueError("All dictionaries in tensors_list must have the same keys")
        return [tensor_list(tensors) for tensors in tensors_list]
    return tensors_list


def _batch_several(default_name: str, tensors_list: Any, **kwargs: Any) -> Any:
    require_graph_mode(NO_QUEUES, ValueError)
    lists = _lists(tensors_list)
    return pack_dequeued(tensors_list[0], _batches(default_name, lists, "", **kwargs))


@deprecated(None, REPLACEMENT_NOTICE + "`tf.data.Dataset.batch(batch_size)`" + _PADDED_BATCH_ADVICE)
def batch(
    tensors: Iterable[TensorLike],
    batch_size: TensorLike,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | dict[str, ShapeLike] | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches examples through a queue filled by threads; returns `tensors` with a leading batch axis.

    Args:
      tensors: an example, a list of Tensors and SparseTensors, or a dictionary.
      batch_size: number of examples per batch.
      num_threads: number of threads that enqueue; more than one makes the order nondeterministic.
      capacity: maximum number of queued examples.
      enqueue_many: whether each row of `tensors` is an example.
      shapes: the shape of each component, if not static in `tensors`.
      dynamic_pad: whether to zero-pad components of different sizes.
      allow_smaller_final_batch: whether the last batch may be smaller.
      shared_name: name under which the queue is shared between graphs of a session or server.

    Raises:
      ValueError: if there are no tensors, or a tensor has unknown rank.

    Example: `images, labels = tf.train.batch([image, label], 32)`.
    """
    return _batch_one("batch", **locals())


@deprecated(
    None,
    REPLACEMENT_NOTICE + "`tf.data.Dataset.filter(...).batch(batch_size)`" + _PADDED_BATCH_ADVICE,
)
def maybe_batch(
    tensors: Iterable[TensorLike],
    keep_input: TensorLike,
    batch_size: TensorLike,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | dict[str, ShapeLike] | None = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Same as `tf.train.batch`, but only for examples whose `keep_input` is true.

    Args:
      keep_input: a bool scalar Tensor; with `enqueue_many`, possibly a vector with one element per row.
      Other arguments are as in `tf.train.batch`.

    Raises:
      ValueError: if `keep_input` is of another rank.
    """
    return _batch_one("batch", **locals())


@deprecated(
    None,
    REPLACEMENT_NOTICE
    + "`tf.data.Dataset.interleave(...).batch(batch_size)`"
    + _PADDED_BATCH_ADVICE,
)
@arguments_of(batch, "tensors", "num_threads")
def batch_join(tensors_list: Sequence[Any], **kwargs: Any) -> Any:
    """Batches examples from several sources, with one thread per source.

    Args:
      tensors_list: a list of examples, each as for `tf.train.batch`.
      Other arguments are as in `tf.train.batch`.

    Raises:
      ValueError: if there are no examples, or dictionaries have different keys.
      TypeError: if examples differ in their dtypes.
    """
    return _batch_several("batch_join", tensors_list, **kwargs)


@deprecated(
    None,
    REPLACEMENT_NOTICE
    + "`tf.data.Dataset.interleave(...).filter(...).batch(batch_size)`"
    + _PADDED_BATCH_ADVICE,
)
@arguments_of(batch_join)
def maybe_batch_join(tensors_list: Any, keep_input: Any, **kwargs: Any) -> Any:
    """Same as `tf.train.batch_join`, but only for examples whose `keep_input` is true; see `tf.train.maybe_batch`."""
    return _batch_several("batch_join", tensors_list, keep_input=keep_input, **kwargs)


@deprecated(
    None, REPLACEMENT_NOTICE + "`tf.data.Dataset.shuffle(min_after_dequeue).batch(batch_size)`."
)
def shuffle_batch(
    tensors: Iterable[TensorLike],
    batch_size: TensorLike,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | dict[str, ShapeLike] | None = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches examples in random order.

    Args:
      min_after_dequeue: minimum number of examples kept in the queue; larger values improve shuffling.
      seed: seed of the order.
      Other arguments are as in `tf.train.batch`.

    Raises:
      ValueError: as in `tf.train.batch`, or if `capacity` does not exceed `min_after_dequeue`.

    Example: `tf.train.shuffle_batch([image, label], 32, capacity=2000, min_after_dequeue=1000)`.
    """
    return _batch_one("shuffle_batch", **locals())


@deprecated(
    None,
    REPLACEMENT_NOTICE
    + "`tf.data.Dataset.filter(...).shuffle(min_after_dequeue).batch(batch_size)`.",
)
def maybe_shuffle_batch(
    tensors: Iterable[TensorLike],
    batch_size: TensorLike,
    capacity: int,
    min_after_dequeue: int,
    keep_input: TensorLike,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Sequence[ShapeLike] | dict[str, ShapeLike] | None = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Same as `tf.train.shuffle_batch`, but only for examples with a true `keep_input`; see `tf.train.maybe_batch`."""
    return _batch_one("shuffle_batch", **locals())


@deprecated(
    None,
    REPLACEMENT_NOTICE
    + "`tf.data.Dataset.interleave(...).shuffle(min_after_dequeue).batch(batch_size)`.",
)
@arguments_of(shuffle_batch, "tensors", "num_threads")
def shuffle_batch_join(tensors_list: Sequence[Any], **kwargs: Any) -> Any:
    """Same as `tf.train.batch_join`, but in random order; arguments are as in `tf.train.shuffle_batch`."""
    return _batch_several("shuffle_batch_join", tensors_list, **kwargs)


@deprecated(
    None,
    REPLACEMENT_NOTICE
    + "`tf.data.Dataset.interleave(...).filter(...).shuffle(min_after_dequeue).batch(batch_size)`.",
)
@arguments_of(shuffle_batch_join)
def maybe_shuffle_batch_join(min_after_dequeue: int, keep_input: Any, **kwargs: Any) -> Any:
    """Same as `tf.train.shuffle_batch_join`, but only for examples whose `keep_input` is true."""
    settings = {"min_after_dequeue": min_after_dequeue, "keep_input": keep_input}
    return _batch_several("shuffle_batch_join", **settings, **kwargs)
