"""`tf.get_variable` and `VariableScope`, which contains its defaults and name prefix."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.copy_modes import (
    VariableAggregation,
    VariableSynchronization,
)
from tfmini._src.variables.store import AUTO_REUSE, Request, VariableStore
from tfmini._src.variables.variable import Variable

Store = TypeVar("Store")
_STORE_KEY = ("__variable_store",)
_SCOPES_KEY = ("__varscope",)


class VariableScope:
    """Defaults of `get_variable`: name prefix, initializer and so on.

    `with tf.variable_scope(...) as scope` returns it; passing it to `tf.variable_scope` re-enters it.

    Attributes:
      name: prefix of variable names, without a trailing slash.
      original_name_scope: the name scope opened together with it, "name/".
      reuse: True (variables must exist), None or False (must not), tf.AUTO_REUSE (created if missing).
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource,
        constraint: the defaults of `get_variable`.
    """

    name: str = read_only(
        'Prefix of variable names in this scope, followed by a slash; "" for the outermost.'
    )
    reuse: Any = read_only(
        "Whether variables must exist (True), must not exist (False), or may (`tf.AUTO_REUSE`)."
    )
    initializer: Any = read_only("Default initializer of variables, or None.")
    dtype: Any = read_only("Default dtype of variables.")
    use_resource: bool | None = read_only(
        "Whether variables are resource variables; None for the default."
    )
    regularizer: Any = read_only("Default regularizer of variables, or None.")
    caching_device: Any = read_only("The caching device for reads, or None.")
    partitioner: Any = read_only("The partitioner, or None.")
    custom_getter: Any = read_only("The custom getter called by `get_variable`, or None.")
    original_name_scope: str = read_only('The name scope opened with it, "name/".', "_name_scope")
    constraint: Any = read_only("Default constraint of variables, or None.")

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Callable[..., Any] | TensorLike | None = None,
        regularizer: str | Callable[..., Any] | None = None,
        caching_device: Any = None,
        partitioner: Callable[..., Any] | None = None,
        custom_getter: Callable[..., Any] | None = None,
        name_scope: str = "",
        dtype: DTypeLike = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Callable[..., Any] | None = None,
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

    def reuse_variables(self) -> None:
        """Sets `reuse` to True, so that `get_variable` reuses existing variables from now on."""
        self._reuse = True

    def set_initializer(self, initializer: str | Callable[..., Any] | None) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Sets the default dtype."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether variables are resource variables by default."""
        if executing_eagerly() and not use_resource:
            raise ValueError(
                "When eager execution is enabled, use_resource cannot be set to false."
            )
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: str | Callable[..., Any] | None) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the device that caches reads."""
        if executing_eagerly():
            raise NotImplementedError(
                "Caching devices are not yet supported when eager execution is enabled."
            )
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Callable[..., Any] | None) -> None:
        """Sets the partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Callable[..., Any] | None) -> None:
        """Sets the custom getter that wraps `get_variable`."""
        self._custom_getter = custom_getter

    def get_collection(self, name: str | None) -> list[Any]:
        """Returns the items of a collection whose names are in this scope."""
        return get_collection(name, f"{self._name}/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """Returns the trainable variables in this scope."""
        return self.get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """Returns the global variables in this scope."""
        return self.get_collection(GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """Returns the local variables in this scope."""
        return self.get_collection(GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: VariableStore,
        name: str,
        shape: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        initializer: Callable[..., Any] | TensorLike | None = None,
        regularizer: str | Callable[..., Any] | None = None,
        reuse: bool | None = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Callable[..., Any] | None = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable[..., Any] | None = None,
        constraint: str | Callable[..., Any] | None = None,
        synchronization: VariableSynchronization = VariableSynchronization.AUTO,
        aggregation: VariableAggregation = VariableAggregation.NONE,
    ) -> Any:
        """Looks up or creates a variable in `var_store`, with the prefix and defaults of this scope."""
        full_name = f"{self.name}/{name}" if self.name else name
        if executing_eagerly():
            reuse, use_resource = False, True
        names = get_default_graph()._names
        outer, names.name = names.name, ""
        try:
            if dtype is not None and initializer is not None and not callable(initializer):
                initial_dtype = ops.convert_to_tensor(initializer).dtype.base_dtype
                if initial_dtype != dtype:
                    raise ValueError(
                        f"Initializer type '{initial_dtype}' and explicit dtype '{dtype}' don't match."
                    )
            request = Request(
                full_name,
                shape,
                self._dtype if dtype is None else dtype,
                self._initializer if initializer is None else initializer,
                self._regularizer if regularizer is None else regularizer,
                self._reuse if reuse is None else reuse,
                trainable,
                collections,
                self._caching_device if caching_device is None else caching_device,
                self._partitioner if partitioner is None else partitioner,
                validate_shape,
                self._use_resource if use_resource is None else use_resource,
                self._constraint if constraint is None else constraint,
                synchronization,
                aggregation,
            )
            return var_store.get_variable(
                request, self._custom_getter if custom_getter is None else custom_getter
            )
        finally:
            names.name = outer


# Of the default graph --------------------------------------------------------------------------


class ScopeStore(threading.local):
    """The current variable scope of a thread for a graph, and the number of times each scope has been opened."""

    def __init__(self) -> None:
        self.current_scope = VariableScope(False)
        self.counts: dict[str, int] = {}

    def open(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    def close_inner(self, name: str) -> None:
        """Resets the counts of scopes nested in `name`, so that their names can be reused."""
        inner = f"{name}/"
        for key in self.counts:
            if name is None or key.startswith(inner):
                self.counts[key] = 0

    def unused(self, prefix: str) -> str:
        """Appends `_1`, `_2` ... to `prefix` if the current scope has already opened that name."""
        outer = self.current_scope.name
        name = f"{outer}/{prefix}" if outer else prefix
        if not self.counts.get(name):
            return prefix
        suffix = 1
        while self.counts.get(f"{name}_{suffix}"):
            suffix += 1
        return f"{prefix}_{suffix}"


def scope_store() -> ScopeStore:
    """Returns the scope store of the default graph."""
    graph = get_default_graph()
    items = graph._collections.get(_SCOPES_KEY)
    return items[0] if items else _add_store(graph, _SCOPES_KEY, ScopeStore())


def variable_store() -> VariableStore:
    """Returns the variable store of the default graph."""
    graph = get_default_graph()
    items = graph._collections.get(_STORE_KEY)
    return items[0] if items else _add_store(graph, _STORE_KEY, VariableStore())


def _add_store(graph: Graph, key: tuple[str], store: Store) -> Store:
    graph.get_collection_ref(key).append(store)
    return store


def get_variable_scope() -> VariableScope:
    """Returns the current variable scope."""
    return scope_store().current_scope


@contextmanager
def resource_variables_in_scope() -> Iterator[None]:
    """Context manager that makes the current scope use resource variables, as in function graphs."""
    scope = get_variable_scope()
    previous_setting = scope.use_resource
    scope.set_use_resource(True)
    try:
        yield
    finally:
        scope.set_use_resource(previous_setting)


def get_variable(
    name: str,
    shape: TensorLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Callable[..., Any] | TensorLike | None = None,
    regularizer: str | Callable[..., Any] | None = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Callable[..., Any] | None = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable[..., Any] | None = None,
    constraint: str | Callable[..., Any] | None = None,
    synchronization: VariableSynchronization = VariableSynchronization.AUTO,
    aggregation: VariableAggregation = VariableAggregation.NONE,
) -> Variable:
    """Returns the variable named `name` in the current variable scope, which is created or reused.

    Args:
      name: the variable name, prefixed by the variable scope but not by open name scopes.
      shape: the shape; omitted if `initializer` is a value.
      dtype: the dtype, by default the scope's dtype, which is float32 unless set.
      initializer: an initializer (instance or class), a function, or a value or Tensor; by default that of the
        scope, else Glorot uniform for floats and zeros for integers, bools and strings.
      regularizer: a function of the variable whose result is added to the REGULARIZATION_LOSSES collection.
      partitioner: a function of shape and dtype that returns the number of partitions per dimension.
      custom_getter: `f(getter, name, *args, **kwargs)`, which is called in place of the getter.
      trainable, collections, caching_device, validate_shape, use_resource, constraint,
        synchronization, aggregation: see `tf.Variable`.

    Returns:
      A Variable, or a PartitionedVariable if a partitioner applies.

    Raises:
      ValueError: if the variable exists and reuse is off, or is missing and reuse is on; if shape or dtype differ from
        the existing variable's; or if a required shape is not fully defined.

    Example:
      with tf.variable_scope("layer"):
          w = tf.get_variable("w", [784, 10])  # "layer/w:0"
    """
    arguments = locals()
    return scope_store().current_scope.get_variable(variable_store(), **arguments)


@arguments_of(get_variable, trainable=False)
def get_local_variable(trainable: bool, collections: Sequence[str], **kwargs: Any) -> Any:
    """Same as `get_variable`, for a non-trainable variable in the LOCAL_VARIABLES collection."""
    collections = [*(collections or ()), GraphKeys.LOCAL_VARIABLES]
    return get_variable(**kwargs, trainable=False, collections=collections)


def no_regularizer(_: object) -> None:
    """A regularizer without effect, to override the scope's regularizer."""
