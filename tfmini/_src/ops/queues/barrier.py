"""`Barrier`: keyed values whose components arrive in different steps."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, TensorShape, unknown_shape
from tfmini._src.graph import raw
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.queues.queue import shape_list, type_list


class Barrier:
    """Keyed values of several components, which can be taken once all components are present.

    Keys are returned in insertion order of their first component, smallest insertion index first.

    Args:
      types: the dtype of a component, or a list.
      shapes: the shape of each component, or None.
      shared_name: the name under which the barrier is shared.
      name: the name of the node.

    Raises:
      ValueError: if a shape has no elements.

    Example:
      barrier = Barrier((tf.float32, tf.string), shapes=((), ()))
      session.run(barrier.insert_many(0, ["a", "b"], [1.0, 2.0]))
      session.run(barrier.insert_many(1, ["b"], ["text"]))
      session.run(barrier.take_many(1))  # numbers [-2**63], keys ["b"], values ([2.0], ["text"])
    """

    barrier_ref: Tensor = read_only("The tensor of the handle.")

    def __init__(
        self, types: Any, shapes: Any = None, shared_name: str | None = None, name: str = "barrier"
    ):
        self._types = type_list(types)
        if shapes is None:
            self._shapes = [unknown_shape() for _ in self._types]
        else:
            self._shapes = [TensorShape(shape) for shape in shape_list(shapes) or ()]
            for index, shape in enumerate(self._shapes):
                if shape.num_elements() == 0:
                    raise ValueError(
                        f"Empty tensors are not supported, but received shape '{shape}' at index {index}"
                    )
        self._barrier_ref = raw.Barrier(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name, name=name
        )
        self._name = self._barrier_ref.op.name.split("/")[-1]

    name: str = read_only("The name of its node.", "_barrier_ref.op.name")

    def insert_many(
        self, component_index: int, keys: Any, values: Any, name: str | None = None
    ) -> Any:
        """Returns an operation that assigns a component to the values of these keys.

        Args:
          component_index: the index of the component, a Python integer.
          keys: strings [n].
          values: [n, ...], the component of each key.

        Raises:
          tf.errors.InvalidArgumentError (when run): if a key already has that component, or the values are empty.
          tf.errors.CancelledError (when run): if the barrier is closed and a key is new.
        """
        name = f"{self._name}_BarrierInsertMany" if name is None else name
        return raw.BarrierInsertMany(
            self._barrier_ref, keys, values, component_index=component_index, name=name
        )

    def take_many(
        self,
        num_elements: Any,
        allow_small_batch: bool = False,
        timeout: int | None = None,
        name: str | None = None,
    ) -> Any:
        """Takes complete keys; blocks until `num_elements` are available.

        Args:
          num_elements: the number of keys to take, a scalar int32.
          allow_small_batch: whether a closed barrier may return fewer keys.
          timeout: must be None, as in TensorFlow.

        Returns:
          A namedtuple: `indices` int64 [n], the insertion indices of the keys; `keys` string [n];
          `values`, a list of the components, [n, ...].

        Raises:
          tf.errors.OutOfRangeError (when run): if the barrier is closed and cannot supply that many.
          TypeError: if `timeout` is set.
        """
        name = f"{self._name}_BarrierTakeMany" if name is None else name
        # TensorFlow passes the timeout as another attr, which accepts only None.
        results = raw.BarrierTakeMany(
            self._barrier_ref,
            num_elements,
            component_types=self._types,
            allow_small_batch=allow_small_batch,
            wait_for_incomplete=timeout,  # type: ignore[arg-type]
            name=name,
        )
        node = results[0].op
        rows = None if allow_small_batch else Dimension(constant_value(node.inputs[1]))
        node.outputs[0].set_shape([rows])
        node.outputs[1].set_shape([rows])
        for output, shape in zip(node.outputs[2:], self._shapes):
            output.set_shape(TensorShape([rows]).concatenate(shape))
        return results

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """Closes the barrier: rejects new keys, but existing keys may still be completed.

        Args:
          cancel_pending_enqueues: whether to reject and drop incomplete keys as well.

        Raises:
          tf.errors.CancelledError (when run): if the barrier is already closed.
        """
        name = f"{self._name}_BarrierClose" if name is None else name
        return raw.BarrierClose(
            self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name
        )

    def ready_size(self, name: str | None = None) -> Tensor:
        """Returns the number of complete keys as a scalar int32 Tensor."""
        name = f"{self._name}_BarrierReadySize" if name is None else name
        return raw.BarrierReadySize(self._barrier_ref, name=name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """Returns the number of incomplete keys as a scalar int32 Tensor."""
        name = f"{self._name}_BarrierIncompleteSize" if name is None else name
        return raw.BarrierIncompleteSize(self._barrier_ref, name=name)
