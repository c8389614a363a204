"""Variables by full name in a store of the program's own, in place of the graph's: `tf.contrib.eager`'s container."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.variables.get_variable import _STORE_KEY as _KEY
from tfmini._src.variables.get_variable import variable_store
from tfmini._src.variables.store import VariableStore


class EagerVariableStore:
    """Keeps the variables that `tf.get_variable` makes, or finds again, while it is the default.

    Args:
      store: the store of another such object; None for a new one.

    Example:
      container = EagerVariableStore()
      with container.as_default():
          y = tf.layers.dense(x, 3, name="l1")
      container.trainable_variables()    # l1/bias, l1/kernel
    """

    def __init__(self, store: VariableStore | None = None) -> None:
        self._store = VariableStore(keeps_eager_variables=True) if store is None else store

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
        """Raises NotImplementedError: the values of variables belong to sessions.

        Raises:
          NotImplementedError: always; `tf.train.Saver` takes values from one set of variables to another.
        """
        raise NotImplementedError(
            "EagerVariableStore.copy() needs eager execution: in graph mode a session holds the values; "
            "use tf.train.Saver, or session.run([tf.assign(b, a) ...])"
        )


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
