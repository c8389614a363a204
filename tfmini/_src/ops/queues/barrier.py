"""`Barrier`: values by keys, whose components come from several steps."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.read_only import read_only
from tfmini._src.base.shapes import Dimension, TensorShape, unknown_shape
from tfmini._src.graph import raw
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.queues.queue import shape_list, type_list


class Barrier:
    """Keys with values of several components, taken out once all components are there.

    Keys leave in the order in which the first component of each came, smallest number of insertion first.

    Args:
      types: the dtype of a component, or a list.
      shapes: the shape of each, or None.
      shared_name: barriers of this name are one.
      name: a name for the barrier's node.

    Raises:
      ValueError: for a shape without elements.

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
            for number, shape in enumerate(self._shapes):
                if shape.num_elements() == 0:
                    raise ValueError(
                        f"Empty tensors are not supported, but received shape '{shape}' at index {number}"
                    )
        self._barrier_ref = raw.Barrier(
            component_types=self._types, shapes=self._shapes, shared_name=shared_name, name=name
        )
        self._name = self._barrier_ref.op.name.split("/")[-1]

    name: str = read_only("The name of its node.", "_barrier_ref.op.name")

    def insert_many(
        self, component_index: int, keys: Any, values: Any, name: str | None = None
    ) -> Any:
        """An operation that gives keys one component of their values.

        Args:
          component_index: which, a Python integer.
          keys: strings [n].
          values: [n, ...], the component of each.
          name: a name for the operation.

        Raises:
          tf.errors.InvalidArgumentError: when it runs, if a key has that component, or the values have no elements.
          tf.errors.CancelledError: when it runs, if the barrier is closed and a key is new.
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
        """Takes out complete keys, once there are as many.

        Args:
          num_elements: the number of keys to take, a scalar int32.
          allow_small_batch: whether a closed barrier gives those that it has left, if they are fewer.
          timeout: None, as TensorFlow has no other.
          name: a name for the operation.

        Returns:
          A namedtuple: `indices` int64 [n], the numbers of the insertions that brought the keys; `keys` string [n];
          `values`, a list of the components, [n, ...].

        Raises:
          tf.errors.OutOfRangeError: when it runs, if the barrier is closed and cannot have that many.
          TypeError: for a timeout.
        """
        name = f"{self._name}_BarrierTakeMany" if name is None else name
        # TensorFlow gives the timeout in the place of another attr, which takes None alone.
        taken = raw.BarrierTakeMany(
            self._barrier_ref,
            num_elements,
            component_types=self._types,
            allow_small_batch=allow_small_batch,
            wait_for_incomplete=timeout,  # type: ignore[arg-type]
            name=name,
        )
        node = taken[0].op
        rows = None if allow_small_batch else Dimension(constant_value(node.inputs[1]))
        node.outputs[0].set_shape([rows])
        node.outputs[1].set_shape([rows])
        for output, shape in zip(node.outputs[2:], self._shapes):
            output.set_shape(TensorShape([rows]).concatenate(shape))
        return taken

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Any:
        """An operation after which no new keys come in; those that are there may be completed.

        Args:
          cancel_pending_enqueues: whether they may not, and are forgotten.
          name: a name for the operation.

        Raises:
          tf.errors.CancelledError: when it runs, if the barrier is closed.
        """
        name = f"{self._name}_BarrierClose" if name is None else name
        return raw.BarrierClose(
            self._barrier_ref, cancel_pending_enqueues=cancel_pending_enqueues, name=name
        )

    def ready_size(self, name: str | None = None) -> Tensor:
        """The number of complete keys, a scalar int32 Tensor."""
        name = f"{self._name}_BarrierReadySize" if name is None else name
        return raw.BarrierReadySize(self._barrier_ref, name=name)

    def incomplete_size(self, name: str | None = None) -> Tensor:
        """The number of incomplete keys, a scalar int32 Tensor."""
        name = f"{self._name}_BarrierIncompleteSize" if name is None else name
        return raw.BarrierIncompleteSize(self._barrier_ref, name=name)
