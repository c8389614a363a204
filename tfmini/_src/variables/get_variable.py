"""`tf.get_variable` and `VariableScope`, the defaults and the name prefix it works with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.variables.store import AUTO_REUSE, Request, VariableStore
from tfmini._src.variables.synchronization_and_aggregation import (
    VariableAggregation,
    VariableSynchronization,
)

if TYPE_CHECKING:
    from tfmini._src.variables.variable import Variable


_STORE_KEY = ("__variable_store",)
_SCOPES_KEY = ("__varscope",)


class VariableScope:
    """The defaults of `get_variable`: a name prefix, an initializer ...

    `with tf.variable_scope(...) as scope` gives one; entering it again continues there.

    Attributes:
      name: the prefix of variables' names, without a final slash.
      original_name_scope: the name scope that was opened with it, "name/".
      reuse: True (variables must exist), None or False (must not), tf.AUTO_REUSE (made where missing).
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource,
        constraint: the defaults for `get_variable`.
    """

    name: str = read_only(
        'The names of variables made in it start with this and a slash; "" for the outermost.'
    )
    reuse: Any = read_only(
        "Whether variables must exist already (True), must not (False), or may (`tf.AUTO_REUSE`)."
    )
    initializer: Any = read_only("The initializer of variables that are given none, or None.")
    dtype: Any = read_only("The dtype of variables that are given none.")
    use_resource: bool | None = read_only(
        "Whether variables are resource variables; None for the default."
    )
    regularizer: Any = read_only("The regularizer of variables that are given none, or None.")
    caching_device: Any = read_only("The device on which values are kept for reading, or None.")
    partitioner: Any = read_only("The partitioner, or None.")
    custom_getter: Any = read_only(
        "The getter that `get_variable` calls are passed through, or None."
    )
    constraint: Any = read_only("The constraint of variables that are given none, or None.")

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ):
        self._reuse = reuse
        self._name = name
        self._initializer = initializer
        self._regularizer = regularizer
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._name_scope = name_scope
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint
        if executing_eagerly():
            if caching_device is not None:
                raise NotImplementedError(
                    "Caching devices is not yet supported when eager execution is enabled."
                )
            self._reuse, self._use_resource = AUTO_REUSE, True

    @property
    def original_name_scope(self) -> str:
        """The name scope that was opened with it, "name/"."""
        return self._name_scope

    def reuse_variables(self) -> None:
        """Makes `get_variable` reuse existing variables from now on."""
        self._reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """Sets the initializer of variables that are given none."""
        self._initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Sets the dtype of variables that are given none."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are resource variables."""
        if executing_eagerly() and not use_resource:
            raise ValueError(
                "When eager execution is enabled, use_resource cannot be set to false."
            )
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Any) -> None:
        """Sets the regularizer of variables that are given none."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the device on which values are kept for reading."""
        if executing_eagerly():
            raise NotImplementedError(
                "Caching devices are not yet supported when eager execution is enabled."
            )
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Any) -> None:
        """Sets the custom getter that `get_variable` calls are passed through."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list:
        """The items of a collection with a name in this scope."""
        return get_collection(name, f"{self._name}/" if self._name else "")

    def trainable_variables(self) -> list:
        """The trainable variables in this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list:
        """The global variables in this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list:
        """The local variables in this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: VariableStore,
        name: str,
        shape: Any = None,
        dtype: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """`tf.get_variable` with this scope's name and defaults, from `var_store`."""
        full_name = f"{self.name}/{name}" if self.name else name
        if executing_eagerly():
            reuse, use_resource = False, True
        with name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                held = ops.convert_to_tensor(initializer).dtype.base_dtype
                if held != dtype:
                    raise ValueError(
                        f"Initializer type '{held}' and explicit dtype '{dtype}' don't match."
                    )
            request = Request(
                full_name,
                shape,
                _either(dtype, self._dtype),
                _either(initializer, self._initializer),
                _either(regularizer, self._regularizer),
                _either(reuse, self._reuse),
                trainable,
                collections,
                _either(caching_device, self._caching_device),
                _either(partitioner, self._partitioner),
                validate_shape,
                _either(use_resource, self._use_resource),
                _either(constraint, self._constraint),
                synchronization,
                aggregation,
            )
            return var_store.get_variable(request, _either(custom_getter, self._custom_getter))


def _either(given: Any, default: Any) -> Any:
    return default if given is None else given


# Of the default graph --------------------------------------------------------------------------


class ScopeStore(threading.local):
    """A graph's current variable scope, and how often each scope was opened, for one thread."""

    def __init__(self) -> None:
        self.current_scope = VariableScope(False)
        self.counts: dict[str, int] = {}

    def open(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_inner(self, name: str) -> None:
        """Forgets the scopes inside `name`, so that their names may be used again."""
        for key in self.counts:
            if name is None or key.startswith(f"{name}/"):
                self.counts[key] = 0

    def unused(self, prefix: str) -> str:
        """`prefix`, with a suffix `_1`, `_2` ... if the current scope holds such a scope."""
        outer = self.current_scope.name
        name = f"{outer}/{prefix}" if outer else prefix
        if not self.counts.get(name):
            return prefix
        number = 1
        while self.counts.get(f"{name}_{number}"):
            number += 1
        return f"{prefix}_{number}"


def scope_store() -> ScopeStore:
    """The scope store of the default graph."""
    return _only(_SCOPES_KEY, ScopeStore)


def variable_store() -> VariableStore:
    """The variable store of the default graph."""
    return _only(_STORE_KEY, VariableStore)


def _only(key: Any, make: Callable) -> Any:
    items = get_default_graph().get_collection_ref(key)
    if not items:
        items.append(make())
    return items[0]


def get_variable_scope() -> VariableScope:
    """The current variable scope."""
    return scope_store().current_scope


@contextmanager
def resource_variables_in_scope() -> Iterator[None]:
    """Makes the current scope's variables resource variables, as in the graphs of functions."""
    scope = get_variable_scope()
    before = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(before)


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable | None = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Variable:
    """The variable of this name in the current variable scope: a new one, or the one there is.

    Args:
      name: its name; the variable scope's comes before it, open name scopes do not.
      shape: its shape; not given where `initializer` is a value.
      dtype: its dtype, by default the scope's, which is float32.
      initializer: an initializer (an object or its class), a function, or a value or Tensor; by default the scope's,
        else Glorot's uniform for floats and zeros for integers, bools and strings.
      regularizer: a function of the variable whose result goes to the collection REGULARIZATION_LOSSES.
      partitioner: a function of shape and dtype that says into how many parts to cut each dimension.
      custom_getter: `f(getter, name, *args, **kwargs)`, called in place of the getter.
      trainable, collections, caching_device, validate_shape, use_resource, constraint,
        synchronization, aggregation: see `tf.Variable`.

    Returns:
      A Variable, or a PartitionedVariable if a partitioner is in force.

    Raises:
      ValueError: if it exists and is not to be reused, or the other way round, or if shape or dtype
        differ from those of the one that exists, or the shape is needed and not fully defined.

    Example:
      with tf.variable_scope("layer"):
          w = tf.get_variable("w", [784, 10])  # "layer/w:0"
    """
    return get_variable_scope().get_variable(variable_store(), **locals())


@arguments_of(get_variable, trainable=False)
def get_local_variable(trainable: bool, collections: Any, **given: Any) -> Any:
    """`get_variable` for a variable of the collection LOCAL_VARIABLES, never trainable."""
    collections = [*(collections or ()), GraphKeys.LOCAL_VARIABLES]
    return get_variable(**given, trainable=False, collections=collections)


def no_regularizer(_: Any) -> None:
    """A regularizer that adds nothing, where the scope's should not apply."""
