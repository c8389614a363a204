"""Variables by full name in a store of the program's own, in place of the graph's: `tf.contrib.eager`'s container."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.variables.get_variable import _STORE_KEY as _KEY
from tfmini._src.variables.get_variable import variable_store
from tfmini._src.variables.resource_variable import ResourceVariable
from tfmini._src.variables.store import VariableStore


class EagerVariableStore:
    """Keeps the variables that `tf.get_variable` makes, or finds again, while it is the default.

    Args:
      store: the store of another such object; None for a new one.

    Raises:
      ValueError: for a store of another kind.

    Example:
      container = EagerVariableStore()
      with container.as_default():
          y = tf.layers.dense(x, 3, name="l1")
      container.trainable_variables()    # l1/bias, l1/kernel
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        if store is not None and not store._keeps_eager_variables:
            raise ValueError(
                "Cannot construct EagerVariableStore from a VariableStore object that does not hold eager variables."
            )
        self._store = store or VariableStore(keeps_eager_variables=True)

    def as_default(self) -> AbstractContextManager[None]:
        """A context in which variables of the default graph are made and found here."""
        return with_variable_store(self._store)

    def variables(self) -> list[Any]:
        """The variables, by name."""
        return sorted(self._store._vars.values(), key=lambda v: v.name)

    def trainable_variables(self) -> list[Any]:
        """The trainable variables."""
        return [v for v in self.variables() if v.trainable]

    def non_trainable_variables(self) -> list[Any]:
        """The variables that are not trainable."""
        return [v for v in self.variables() if not v.trainable]

    def copy(self) -> EagerVariableStore:
        """A store with copies of the variables, of the same names, as they are now.

        Raises:
          NotImplementedError: in graph mode; `tf.train.Saver` takes values from one set of variables to another.
        """
        if not executing_eagerly():
            raise NotImplementedError(
                "EagerVariableStore.copy() needs eager execution: in graph mode a session holds the values; "
                "use tf.train.Saver, or session.run([tf.assign(b, a) ...])"
            )
        made = EagerVariableStore()
        for key, variable in self._store._vars.items():
            made._store._vars[key] = ResourceVariable(
                variable.read_value(), name=variable._shared_name, trainable=variable.trainable
            )
        return made


@contextmanager
def with_variable_store(store: VariableStore) -> Iterator[None]:
    """A context in which `store` is the default graph's."""
    variable_store()  # makes the graph's own, so that it comes back
    kept = get_default_graph().get_collection_ref(_KEY)
    before = list(kept)
    kept[:] = [store]
    try:
        yield
    finally:
        kept[:] = before
