"""`tf.contrib.eager.EagerVariableStore`, which keeps variables by full name in place of the graph's store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.variables.get_variable import _STORE_KEY as _KEY, variable_store
from tfmini._src.variables.resource_variable import ResourceVariable
from tfmini._src.variables.store import VariableStore


class EagerVariableStore:
    """Stores the variables that `tf.get_variable` creates or reuses while this is the default store.

    Args:
      store: the `VariableStore` of another instance; None for a new one.

    Raises:
      ValueError: for a store of variables that are not eager.

    Example:

      container = EagerVariableStore()
      with container.as_default():
          y = tf.layers.dense(x, 3, name="l1")
      container.trainable_variables() # l1/bias, l1/kernel
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        if store is not None and not store._keeps_eager_variables:
            raise ValueError(
                "Cannot construct EagerVariableStore from a VariableStore object that does not hold eager variables."
            )
        self._store = store or VariableStore(keeps_eager_variables=True)

    def as_default(self) -> AbstractContextManager[None]:
        """Context manager that makes this the variable store of the default graph."""
        return with_variable_store(self._store)

    def variables(self) -> list[Any]:
        """Returns the variables, sorted by name."""
        return sorted(self._store._vars.values(), key=lambda v: v.name)

    def trainable_variables(self) -> list[Any]:
        """Returns the trainable variables."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """Returns the non-trainable variables."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """Returns a store with copies of the variables, under the same names and with the current values.

        Raises:
          NotImplementedError: in graph mode; use `tf.train.Saver` to transfer values.
        """
        if not executing_eagerly():
            raise NotImplementedError(
                "EagerVariableStore.copy() requires eager execution: in graph mode the session stores the values; "
                "use tf.train.Saver, or session.run([tf.assign(b, a) ...])"
            )
        eager_variable_store = EagerVariableStore()
        for key, variable in self._store._vars.items():
            eager_variable_store._store._vars[key] = ResourceVariable(
                variable.read_value(), name=variable._shared_name, trainable=variable.trainable
            )
        return eager_variable_store


@contextmanager
def with_variable_store(store: VariableStore) -> Iterator[None]:
    """Context manager that makes `store` the variable store of the default graph."""
    variable_store()  # creates the graph's own store, which is restored later
    collection = get_default_graph().get_collection_ref(_KEY)
    previous_variables = list(collection)
    collection[:] = [store]
    try:
        yield
    finally:
        collection[:] = previous_variables
