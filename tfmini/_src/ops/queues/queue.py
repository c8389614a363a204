"""Queue classes, which pass elements between producers and consumers across steps."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

from tfmini._src.base import dtypes as _dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, TensorShape, as_dimension, as_shape, unknown_shape
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.opdef import public, raw
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.seeds import get_seed
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


def type_list(dtypes: Any) -> list:
    """Converts a dtype or a list of dtypes to a list."""
    return list(dtypes) if isinstance(dtypes, list | tuple) else [dtypes]


def _is_dims(shapes: Any) -> bool:
    return all(size is None or isinstance(size, int) for size in shapes)


def shape_list(shapes: Any, partial_dims: bool = False) -> list | None:
    """Converts a shape or a list of shapes to a list of TensorShapes; None is returned unchanged."""
    if partial_dims and (not isinstance(shapes, Sequence) or not shapes or _is_dims(shapes)):
        raise ValueError("When providing partial shapes, a list of shapes must be provided.")
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        shapes = [shapes]
    if not isinstance(shapes, list | tuple):
        raise TypeError("shapes must be a TensorShape or a list or tuple of TensorShapes.")
    if _is_dims(shapes):
        shapes = [shapes]
    converted = [as_shape(shape) for shape in shapes]
    if not partial_dims and any(not shape.is_fully_defined() for shape in converted):
        raise ValueError(f"All shapes must be fully defined: {converted}")
    if any(shape.dims is None for shape in converted):
        raise ValueError(f"All shapes must have a defined rank: {converted}")
    return converted


def name_list(names: Any, dtypes: Sequence[Any]) -> list | None:
    """Converts a name or a list of names to a list with one name per dtype."""
    if names is None:
        return None
    names = list(names) if isinstance(names, list | tuple) else [names]
    if len(names) != len(dtypes):
        raise ValueError("List of names must have the same length as the list of dtypes")
    return names


def _most_specific_shape(first: Any, second: Any) -> TensorShape:
    """Returns the most specific partial shape that covers both shapes."""
    first, second = TensorShape(first), TensorShape(second)
    if first.ndims is None or first.ndims != second.ndims:
        return unknown_shape()
    return TensorShape(
        [a if a is not None and a == b else None for a, b in zip(first.as_list(), second.as_list())]
    )


class QueueBase:
    """Base class of queues, which store elements of one or more components across steps.

    An op that finds the queue full or empty blocks until another op or step changes this. It raises
    CancelledError when its session is closed, and DeadlineExceededError after `timeout_in_ms` of a step.

    Args:
      dtypes: a list, the dtype of each component.
      shapes: the shape of each component, or None if shapes vary, which prevents dequeuing in batches.
      names: the name of each component, or None; with names, elements are dictionaries.
      queue_ref: the tensor of the queue handle.

    Raises:
      ValueError: if the number of shapes or names differs from the number of dtypes.

    Example:
      queue = tf.FIFOQueue(10, tf.float32, shapes=[[]])
      session.run(queue.enqueue_many([[1.0, 2.0]]))
      session.run(queue.dequeue_many(2))  # [1.0, 2.0]
    """

    queue_ref: Any = read_only("The tensor of the handle.")
    dtypes: list = read_only("The dtype of each component.")
    shapes: list = read_only("The static shape of each component.")
    names: list | None = read_only("The name of each component, or None.")

    def __init__(
        self, dtypes: list[Any], shapes: Any, names: Sequence[str] | str, queue_ref: Tensor
    ):
        self._dtypes = dtypes
        if shapes is None:
            self._shapes = [unknown_shape() for _ in dtypes]
        elif len(shapes) != len(dtypes):
            raise ValueError("Queue shapes must have the same length as dtypes")
        else:
            self._shapes = [TensorShape(shape) for shape in shapes]
        if names is not None and len(names) != len(dtypes):
            raise ValueError("Queue names must have the same length as dtypes")
        self._names = names
        self._queue_ref = queue_ref
        if isinstance(queue_ref, EagerTensor):
            self._name = get_default_graph().get_name_scope() or "Empty"
        else:
            self._name = queue_ref.op.name.split("/")[-1]

    @staticmethod
    def from_list(index: TensorLike, queues: list[Any]) -> QueueBase:
        """Selects a queue from a list by an index tensor.

        Args:
          index: a scalar integer Tensor.
          queues: a list of queues with the same dtypes and names.

        Raises:
          TypeError: if `queues` is not a list of queues, or the queues differ in dtypes or names.
        """
        if not queues or not isinstance(queues, list):
            raise TypeError("A list of queues expected")
        if not all(isinstance(queue, QueueBase) for queue in queues):
            raise TypeError("A list of queues expected")
        first = queues[0]
        if not all(first.dtypes == queue.dtypes for queue in queues[1:]):
            raise TypeError("Queues do not have matching component dtypes.")
        if not all(first.names == queue.names for queue in queues[1:]):
            raise TypeError("Queues do not have matching component names.")
        shapes = [
            functools.reduce(_most_specific_shape, s)
            for s in zip(*(queue.shapes for queue in queues))
        ]
        handles = ops.stack([queue.queue_ref for queue in queues])
        handle = ops.gather(handles, index)
        return QueueBase(first.dtypes, shapes, first.names, handle)

    @property
    def name(self) -> str:
        """The name of the node that creates the queue."""
        if isinstance(self._queue_ref, EagerTensor):
            return self._name
        return self._queue_ref.op.name

    def _components(self, vals: Any) -> list:
        """Converts values to enqueue to tensors, in the order of the components."""
        if isinstance(vals, dict):
            if not self._names:
                raise ValueError("Queue must have names to enqueue a dictionary")
            if sorted(self._names, key=str) != sorted(vals.keys(), key=str):
                raise ValueError(
                    "Keys in dictionary to enqueue do not match names of Queue.  Dictionary: "
                    f"({sorted(vals.keys())}), Queue: ({sorted(self._names)})"
                )
            vals = [vals[name] for name in self._names]
        else:
            if self._names:
                raise ValueError("You must enqueue a dictionary in a Queue with names")
            if not isinstance(vals, list | tuple):
                vals = [vals]
        return [
            convert_to_tensor(value, dtype=dtype, name=f"component_{index}")
            for index, (value, dtype) in enumerate(zip(vals, self._dtypes))
        ]

    @property
    def _is_resource(self) -> bool:
        return self._queue_ref.dtype == _dtypes.resource

    def enqueue(self, vals: object, name: str | None = None) -> Any:
        """Enqueues one element, blocking while the queue is full.

        Args:
          vals: a Tensor, a list with one Tensor per component, or a dictionary for named components.

        Raises:
          ValueError: if the components do not match the queue's shapes or names.
          TypeError: if the dtypes do not match.
          tf.errors.CancelledError (when run): if the queue or the session is closed.

        Example: `queue.enqueue([image, label])`.
        """
        with name_scope(name, f"{self._name}_enqueue", _flat_values(vals)) as scope:
            components = self._components(vals)
            for value, shape in zip(components, self._shapes):
                value.get_shape().assert_is_compatible_with(shape)
            node = raw.QueueEnqueueV2 if self._is_resource else raw.QueueEnqueue
            return node(self._queue_ref, components, name=scope)

    def enqueue_many(self, vals: object, name: str | None = None) -> Any:
        """Enqueues the rows of the components one by one, blocking while the queue is full.

        Args:
          vals: as for `enqueue`, with an additional first axis whose size is the same for all components.

        Raises:
          ValueError: if the components do not match the queue's shapes or names, or each other.
          tf.errors.CancelledError (when run): if the queue or the session is closed.
        """
        with name_scope(name, f"{self._name}_EnqueueMany", _flat_values(vals)) as scope:
            components = self._components(vals)
            rows = as_dimension(components[0].get_shape().with_rank_at_least(1)[0])
            for value, shape in zip(components, self._shapes):
                rows = rows.merge_with(value.get_shape().with_rank_at_least(1)[0])
                value.get_shape()[1:].assert_is_compatible_with(shape)
            return raw.QueueEnqueueManyV2(self._queue_ref, components, name=scope)

    def _results(self, tensors: Any, shapes: Sequence[Any]) -> Any:
        """Returns the dequeued value: a dictionary for named components, else a tensor or a list of tensors."""
        outputs = list(tensors) if isinstance(tensors, list | tuple) else [tensors]
        for output, shape in zip(outputs, shapes):
            output.set_shape(shape)
        if self._names:
            return dict(zip(self._names, outputs))
        return outputs[0] if len(outputs) == 1 else outputs

    def dequeue(self, name: str | None = None) -> Any:
        """Dequeues one element, blocking while the queue is empty.

        Returns:
          A Tensor, a list, or a dictionary for named components.

        Raises:
          tf.errors.OutOfRangeError (when run): if the queue is closed and empty.
          tf.errors.CancelledError (when run): if the session is closed.
        """
        name = f"{self._name}_Dequeue" if name is None else name
        dequeue = raw.QueueDequeueV2 if self._is_resource else raw.QueueDequeue
        node = dequeue(self._queue_ref, component_types=self._dtypes, name=name)
        return self._results(node, self._shapes)

    def dequeue_many(self, n: TensorLike, name: str | None = None) -> Any:
        """Dequeues `n` elements as a batch, in which each component has an additional first axis of size `n`.

        Args:
          n: a scalar int32, the number of elements.

        Raises:
          tf.errors.OutOfRangeError (when run): if the queue is closed and has fewer elements.
          tf.errors.InvalidArgumentError (when run): if the queue was created without shapes.
        """
        name = f"{self._name}_DequeueMany" if name is None else name
        result = raw.QueueDequeueManyV2(self._queue_ref, n, component_types=self._dtypes, name=name)
        first = result[0] if isinstance(result, list | tuple) else result
        if isinstance(first, EagerTensor):
            return self._results(result, [tensor.shape for tensor in result])
        rows = TensorShape([Dimension(constant_value(first.op.inputs[1]))])
        return self._results(result, [rows.concatenate(shape) for shape in self._shapes])

    def dequeue_up_to(self, n: TensorLike, name: str | None = None) -> Any:
        """Same as `dequeue_many`, but returns fewer elements if the queue is closed.

        Raises:
          tf.errors.OutOfRangeError (when run): if the queue is closed and empty.
        """
        name = f"{self._name}_DequeueUpTo" if name is None else name
        result = raw.QueueDequeueUpToV2(self._queue_ref, n, component_types=self._dtypes, name=name)
        rows = TensorShape([None])
        return self._results(result, [rows.concatenate(shape) for shape in self._shapes])

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Closes the queue: enqueues fail, but remaining elements can still be dequeued.

        Args:
          cancel_pending_enqueues: whether to cancel blocked enqueues instead of completing them.

        Raises:
          tf.errors.CancelledError (when run): if the queue is already closed.
        """
        name = f"{self._name}_Close" if name is None else name
        node = raw.QueueCloseV2 if self._is_resource else raw.QueueClose
        return node(self._queue_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name)

    def is_closed(self, name: str | None = None) -> Any:
        """Returns whether the queue is closed, as a scalar bool Tensor."""
        name = f"{self._name}_Is_Closed" if name is None else name
        node = raw.QueueIsClosedV2 if self._is_resource else raw.QueueIsClosed
        return node(self._queue_ref, name=name)

    def size(self, name: str | None = None) -> Any:
        """Returns the number of elements in the queue as a scalar int32 Tensor."""
        name = f"{self._name}_Size" if name is None else name
        node = raw.QueueSizeV2 if self._is_resource else raw.QueueSize
        return node(self._queue_ref, name=name)


def _flat_values(vals: Any) -> list:
    """Returns the values of an enqueue operation, for its name scope."""
    if isinstance(vals, Mapping):
        return list(vals.values())
    return list(vals) if isinstance(vals, list | tuple) else [vals]


@public
class RandomShuffleQueue(QueueBase):
    """A queue that dequeues elements in random order.

    Args:
      capacity: the maximum number of elements.
      min_after_dequeue: the minimum number of elements to retain until it is closed; more elements improve shuffling.
      dtypes, shapes, names: as for `tf.FIFOQueue`.
      seed: a Python integer; with this or a graph-level seed, the order is the same as in TensorFlow.
      shared_name: the name under which the queue is shared between graphs of a session or server.

    Example: `tf.RandomShuffleQueue(1000, 500, [tf.float32, tf.int32], shapes=[[28, 28], []])`.
    """

    def __init__(
        self,
        capacity: int,
        min_after_dequeue: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        seed: int | None = None,
        shared_name: str | None = None,
        name: str = "random_shuffle_queue",
    ):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, dtypes)
        first, second = get_seed(seed)
        if first is None and second is None:
            first, second = 0, 0
        elif seed is None and shared_name is not None:
            # Sharers of the queue must draw the same numbers, regardless of their graphs' last nodes.
            import hashlib  # noqa: PLC0415  avoids loading OpenSSL early

            digest = hashlib.md5((str(first) + shared_name).encode("utf-8")).hexdigest()
            second = int(digest[:8], 16) & 0x7FFFFFFF
        handle = raw.RandomShuffleQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            min_after_dequeue=min_after_dequeue,
            seed=first,
            seed2=second,
            shared_name=shared_name,
            name=name,
        )
        super().__init__(dtypes, shapes, names, handle)


@public
class FIFOQueue(QueueBase):
    """A first-in, first-out queue.

    Args:
      capacity: the maximum number of elements.
      dtypes: a list with the dtype of each component, or the dtype of a single one.
      shapes: the fully defined shape of each component, or None if shapes vary.
      names: the name of each component, or None; with names, elements are dictionaries.
      shared_name: the name under which the queue is shared between graphs of a session or server.

    Raises:
      ValueError: if shapes are not fully defined, or the number of shapes or names differs from the number of dtypes.
      TypeError: if `shapes` is not a list.

    Example: `tf.FIFOQueue(100, [tf.string])`.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "fifo_queue",
    ):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes)
        names = name_list(names, dtypes)
        handle = raw.FIFOQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            shared_name=shared_name,
            name=name,
        )
        super().__init__(dtypes, shapes, names, handle)


@public
class PaddingFIFOQueue(QueueBase):
    """A FIFOQueue for elements of varying size; pads batches with zeros or empty strings to the longest element.

    Args:
      capacity: the maximum number of elements.
      dtypes, names, shared_name: as for `tf.FIFOQueue`.
      shapes: the shape of each component, of known rank, with None for variable dimensions.

    Raises:
      ValueError: if `shapes` is missing, or does not have one shape per dtype.

    Example: `tf.PaddingFIFOQueue(100, [tf.int64], shapes=[[None]])`.
    """

    def __init__(
        self,
        capacity: int,
        dtypes: Any,
        shapes: Any,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "padding_fifo_queue",
    ):
        dtypes = type_list(dtypes)
        shapes = shape_list(shapes, partial_dims=True)
        names = name_list(names, dtypes)
        if len(dtypes) != len(shapes or ()):
            raise ValueError(
                "Shapes must be provided for all components, but received "
                f"{len(dtypes)} dtypes and {len(shapes or ())} shapes."
            )
        handle = raw.PaddingFIFOQueueV2(
            component_types=dtypes,
            shapes=shapes,
            capacity=capacity,
            shared_name=shared_name,
            name=name,
        )
        super().__init__(dtypes, shapes, names, handle)


@public
class PriorityQueue(QueueBase):
    """A queue that dequeues elements in ascending order of priority.

    The first component of each element is its priority, a scalar int64; `types` and `shapes` are
    those of the other components.

    Args:
      capacity: the maximum number of elements.
      types: the dtype of each component except the priority.
      shapes: the fully defined shape of each of these components.
      names: the names of all components, starting with the priority.
      shared_name: as for `tf.FIFOQueue`.

    Example: `tf.PriorityQueue(100, [tf.string], shapes=[[]])`.
    """

    def __init__(
        self,
        capacity: int,
        types: DTypeLike | Sequence[DTypeLike],
        shapes: Any = None,
        names: Any = None,
        shared_name: str | None = None,
        name: str = "priority_queue",
    ):
        types = type_list(types)
        shapes = shape_list(shapes)
        handle = raw.PriorityQueueV2(
            shapes=shapes,
            component_types=types,
            capacity=capacity,
            shared_name=shared_name,
            name=name,
        )
        shapes = shapes and [TensorShape(()), *shapes]
        super().__init__([_dtypes.int64, *types], shapes, names, handle)
