"""Input producers: queues of file names, numbers or tensor rows, repeated for a number of epochs or without limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.convert_to_tensor import (
    convert_n_to_tensor_or_indexed_slices,
    convert_to_tensor,
)
from tfmini._src.graph.eager.execution_mode import require_graph_mode
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.queues.queue import FIFOQueue
from tfmini._src.ops.summaries.scalar_histogram_summary import scalar
from tfmini._src.train.input_queues.queue_runner import QueueRunner, add_queue_runner
from tfmini._src.variables.variable import Variable

REPLACEMENT_NOTICE = "Queue-based input pipelines have been replaced by `tf.data`. Use "
_SLICES = (
    "`tf.data.Dataset.from_tensor_slices({}).shuffle(tf.shape(input_tensor, out_type=tf.int64)[0])"
)
NO_QUEUES = (
    "Input pipelines based on Queues are not supported when eager execution is enabled. Please use tf.data to ingest "
    "data into your model instead."
)
_REPEAT_ADVICE = ".repeat(num_epochs)`. If `shuffle=False`, omit the `.shuffle(...)`."


def match_filenames_once(pattern: TensorLike, name: str | None = None) -> Any:
    """Returns a local variable that is initialized with the file paths that match a pattern.

    Args:
      pattern: a glob pattern, or a vector of glob patterns.
      name: a name for the variable.

    Example: `tf.train.string_input_producer(tf.train.match_filenames_once("data/*.tfrecord"))`.
    """
    with name_scope(name, "matching_filenames", [pattern]) as scope:
        return Variable(
            name=scope,
            initial_value=ops.matching_files(pattern),
            trainable=False,
            validate_shape=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )


@deprecated(None, REPLACEMENT_NOTICE + "`tf.data.Dataset.from_tensors(tensor).repeat(num_epochs)`.")
def limit_epochs(tensor: TensorLike, num_epochs: int | None = None, name: str | None = None) -> Any:
    """Returns `tensor`, limited to `num_epochs` evaluations; further evaluations raise OutOfRangeError.

    The counter is a local variable, initialized by `tf.local_variables_initializer()`.

    Args:
      tensor: any Tensor.
      num_epochs: number of evaluations; None for no limit.

    Raises:
      ValueError: if `num_epochs` is not positive.
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with name_scope(name, "limit_epochs", [tensor]) as scope:
        epochs = Variable(
            ops.constant(0, dtype=dtypes.int64),
            name="epochs",
            trainable=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )
        counter = epochs.count_up_to(num_epochs)
        with control_dependencies([counter]):
            return ops.identity(tensor, name=scope)


@deprecated(None, REPLACEMENT_NOTICE + _SLICES.format("input_tensor") + _REPEAT_ADVICE)
def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Operation | None = None,
) -> FIFOQueue:
    """Creates a queue of tensor rows, and its queue runner.

    Args:
      input_tensor: a Tensor of rank at least 1.
      element_shape: the shape of a row, if not static in the tensor.
      num_epochs: number of passes over the rows before the queue is closed; None for no limit.
      shuffle: whether to shuffle the rows in each epoch; seed: seed of the shuffling.
      capacity: maximum number of queued rows.
      shared_name: name under which the queue is shared between graphs of a session or server.
      summary_name: tag of a summary of the queue's fill level.
      name: a name for the queue.
      cancel_op: as in `tf.train.QueueRunner`.

    Raises:
      ValueError: if the shape of a row is unknown.
    """
    require_graph_mode(NO_QUEUES)
    with name_scope(name, "input_producer", [input_tensor]):
        input_tensor = convert_to_tensor(input_tensor, name="input_tensor")
        element_shape = input_tensor.shape[1:].merge_with(element_shape)
        if not element_shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be specified"
            )
        if shuffle:
            input_tensor = ops.random_shuffle(input_tensor, seed=seed)
        input_tensor = limit_epochs(input_tensor, num_epochs)
        queue = FIFOQueue(
            capacity=capacity,
            dtypes=[input_tensor.dtype.base_dtype],
            shapes=[element_shape],
            shared_name=shared_name,
            name=name,  # type: ignore[arg-type]
        )
        fill = queue.enqueue_many([input_tensor])
        add_queue_runner(QueueRunner(queue, [fill], cancel_op=cancel_op))
        if summary_name is not None:
            scalar(summary_name, ops.cast(queue.size(), dtypes.float32) * (1.0 / capacity))
        return queue


@deprecated(None, REPLACEMENT_NOTICE + _SLICES.format("string_tensor") + _REPEAT_ADVICE)
@arguments_of(input_producer, "input_tensor", "element_shape", "summary_name")
def string_input_producer(
    string_tensor: TensorLike, capacity: int, name: str | None, **kwargs: Any
) -> FIFOQueue:
    """Creates a queue of strings, typically file paths for a reader.

    Args:
      string_tensor: a vector of strings.
      Other arguments are as in `tf.train.input_producer`.

    Raises:
      ValueError: if the list is empty; an empty tensor raises InvalidArgumentError at run time.

    Example: `tf.train.string_input_producer(["a.csv", "b.csv"], num_epochs=1)`.
    """
    require_graph_mode(NO_QUEUES)
    empty_message = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, Tensor) and not string_tensor:
        raise ValueError(empty_message)
    with name_scope(name, "input_producer", [string_tensor]) as scope:
        string_tensor = convert_to_tensor(string_tensor, dtype=dtypes.string)
        check = ops.Assert(ops.greater(ops.size(string_tensor), 0), [empty_message])
        with control_dependencies([check]):
            string_tensor = ops.identity(string_tensor)
        return input_producer(
            string_tensor,
            [],
            capacity=capacity,
            summary_name=f"fraction_of_{capacity}_full",
            name=scope,
            **kwargs,
        )


@deprecated(
    None,
    f"{REPLACEMENT_NOTICE}`tf.data.Dataset.range(limit).shuffle(limit){_REPEAT_ADVICE}",
)
@arguments_of(string_input_producer, "string_tensor", "cancel_op")
def range_input_producer(
    limit: TensorLike, capacity: int, name: str | None, **kwargs: Any
) -> FIFOQueue:
    """Creates a queue of the integers in [0, limit).

    Args:
      limit: a scalar int32.
      Other arguments are as in `tf.train.input_producer`.
    """
    require_graph_mode(NO_QUEUES)
    with name_scope(name, "input_producer", [limit]) as scope:
        return input_producer(
            ops.range(limit),
            [],
            capacity=capacity,
            summary_name=f"fraction_of_{capacity}_full",
            name=scope,
            **kwargs,
        )


@deprecated(None, REPLACEMENT_NOTICE + _SLICES.format("tuple(tensor_list)") + _REPEAT_ADVICE)
@arguments_of(range_input_producer, "limit")
def slice_input_producer(
    tensor_list: Sequence[TensorLike], name: str | None, **kwargs: Any
) -> list[Tensor]:
    """Slices tensors along the first axis; returns one row of each tensor, at the same index.

    Args:
      tensor_list: Tensors whose first dimensions are equal.
      Other arguments are as in `tf.train.input_producer`, for the queue of indices.

    Raises:
      ValueError: if the list is empty.

    Example: `image, label = tf.train.slice_input_producer([images, labels])`.
    """
    require_graph_mode(NO_QUEUES)
    with name_scope(name, "input_producer", tensor_list):
        tensors = convert_n_to_tensor_or_indexed_slices(tensor_list)
        if not tensors:
            raise ValueError("Expected at least one tensor in slice_input_producer().")
        count = ops.shape(tensors[0])[0]
        index = range_input_producer(count, **kwargs).dequeue()
        return [ops.gather(tensor, index) for tensor in tensors]
