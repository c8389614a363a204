"""`tf.variable_scope`, which opens a variable scope and its name scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.dtypes import DTypeLike
from tfmini._src.graph import default_stack
from tfmini._src.graph.default_graph import get_default_graph, graph_of_inputs, graph_of_ops
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.variables.get_variable import VariableScope, scope_store
from tfmini._src.variables.store import AUTO_REUSE


class pure_variable_scope:
    """Context manager that opens a variable scope without a name scope; arguments are as in `variable_scope`.

    `old_name_scope` becomes the new scope's `original_name_scope`.
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope,
        reuse: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Callable[..., Any] | None = None,
        old_name_scope: str | None = None,
        dtype: Any = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ):
        self._name_or_scope = name_or_scope
        self._reuse = reuse
        self._old_name_scope = old_name_scope
        # In the order of VariableScope's arguments.
        self._overrides = (initializer, regularizer, caching_device, partitioner)
        self._custom_getter = custom_getter
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint
        self._store = scope_store()
        self._entered: list[tuple] = []
        self._reentered_scope: VariableScope | None = None
        if isinstance(name_or_scope, VariableScope):
            self._reentered_scope = self._derive(
                name_or_scope,
                self._reuse or name_or_scope._reuse,
                name_or_scope._name,
                name_or_scope._name_scope,
            )

    def _derive(self, parent: VariableScope, reuse: Any, name: str, scope: str) -> VariableScope:
        """Creates a scope with the defaults of the parent, overridden by the arguments."""
        initializer, regularizer, caching_device, partitioner = self._overrides
        getter = self._custom_getter
        if getter is None:
            getter = parent._custom_getter
        elif parent._custom_getter is not None:
            getter = _chain_getters(getter, parent._custom_getter)
        return VariableScope(
            reuse,
            name,
            parent._initializer if initializer is None else initializer,
            parent._regularizer if regularizer is None else regularizer,
            parent._caching_device if caching_device is None else caching_device,
            parent._partitioner if partitioner is None else partitioner,
            getter,
            scope,
            parent._dtype if self._dtype is None else self._dtype,
            parent._use_resource if self._use_resource is None else self._use_resource,
            self._constraint,
        )

    def __enter__(self) -> VariableScope:
        store = self._store
        old = store.current_scope
        if self._reentered_scope is not None:
            scope = self._reentered_scope
            store.open(scope._name)
            counts = dict(store.counts)
        else:
            name: Any = self._name_or_scope
            full_name = f"{old._name}/{name}" if old._name else name
            self._reuse = self._reuse or old._reuse
            name_scope = name if self._old_name_scope is None else self._old_name_scope
            scope = self._derive(old, self._reuse, full_name, name_scope)
            store.open(full_name)
            counts = None
        store.current_scope = scope
        self._entered.append((scope, old, counts))
        return scope

    def __exit__(self, *unused: Any) -> None:
        scope, old, counts = self._entered[-1]
        store = self._store
        if store.current_scope is not scope:
            raise RuntimeError("Improper nesting of variable_scope.")
        self._entered.pop()
        if counts is None:
            store.close_inner(scope.name)
        else:
            store.counts = counts
        store.current_scope = old


def _chain_getters(custom_getter: Callable, outer: Callable) -> Callable:
    """Chains a custom getter with the getter of the enclosing scope."""

    def chained_getter(getter: Callable, *args: Any, **kwargs: Any) -> Any:
        return custom_getter(partial(outer, getter), *args, **kwargs)

    return chained_getter


class variable_scope:
    """Context manager that sets a name prefix and other defaults for `get_variable`.

    It also opens a name scope of the same name, and returns a `VariableScope`.

    Args:
      name_or_scope: the name, or a VariableScope to re-enter; None for `default_name`.
      default_name: the name if `name_or_scope` is None, made unique.
      values: arguments of the function that opens the scope; they determine the graph.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource,
        constraint: defaults of `get_variable` in the block; None for those of the enclosing
        scope.
      reuse: True if variables must exist; tf.AUTO_REUSE to create missing variables; None or False
        to inherit from the enclosing scope.
      auxiliary_name_scope: whether to open a name scope.

    Raises:
      ValueError: for an invalid `reuse`, or reuse without a name; TypeError: for a name of the wrong
      type.

    Example:

      with tf.variable_scope("generator", reuse=tf.AUTO_REUSE):
          w = tf.get_variable("w", [10])  # "generator/w:0", created once
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Callable[..., Any] | None = None,
        custom_getter: Callable[..., Any] | None = None,
        reuse: Any = None,
        dtype: DTypeLike | None = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ):
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if reuse is False:
            reuse = None
        if not (reuse is True or reuse is None or reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        self._graph = graph_of_ops()
        if self._graph is not None and values:
            self._graph = graph_of_inputs(values)
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                "The auxiliary_name_scope must be `True` or `False`, while get "
                f"{auxiliary_name_scope}"
            )
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._reuse = reuse
        self._auxiliary_name_scope = auxiliary_name_scope
        self._options = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "custom_getter": custom_getter,
            "dtype": dtype,
            "use_resource": use_resource,
            "constraint": constraint,
        }
        self._entered_scope: pure_variable_scope | None = None
        self._entered: list[list[Any]] = []

    def __enter__(self) -> VariableScope:
        blocks: list[Any] = []  # scopes entered so far
        try:
            current = get_default_graph()
            if self._graph is not None and not current.building_function:
                if self._graph is not current or _is_noted_with_other_devices(current):
                    default = self._graph.as_default()
                    default.__enter__()
                    blocks.append(default)
                current = self._graph
            opened = self._name_scope()
            name = None
            if opened is not None:
                name = opened.__enter__()
                blocks.append(opened)
            elif not self._auxiliary_name_scope:
                name = current._names.name and current._names.name + "/"
            if self._entered_scope is None:
                self._entered_scope = self._pure_scope(name)
            scope = self._entered_scope.__enter__()
        except BaseException:
            _leave(blocks)
            raise
        self._entered.append(blocks)
        return scope

    def __exit__(self, *error: Any) -> None:
        if self._entered_scope is not None:
            # Raises, and leaves this scope open, if a nested scope is open.
            self._entered_scope.__exit__(*error)
        _leave(self._entered.pop())

    def _name_scope(self) -> Any:
        """Returns the name scope to open with the variable scope; None to open none."""
        name = self._name_or_scope
        if name is not None and not isinstance(name, (VariableScope, str)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if name is None and self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if not self._auxiliary_name_scope:
            return None
        if name is None:
            return name_scope(self._default_name)
        if isinstance(name, VariableScope):
            name = name.name.split("/")[-1]
        return name_scope(name) if name else None

    def _pure_scope(self, opened: str | None) -> pure_variable_scope:
        name = self._name_or_scope
        if name is None:
            name = scope_store().unused(self._default_name or "")
        elif isinstance(name, VariableScope):
            opened = name.original_name_scope
        return pure_variable_scope(name, reuse=self._reuse, old_name_scope=opened, **self._options)


def _is_noted_with_other_devices(graph: Graph) -> bool:
    """Whether different device blocks were open when the innermost default graph was entered."""
    scope_notes = default_stack.graphs.notes
    return not scope_notes or scope_notes[-1] != graph._blocks.devices


def _leave(blocks: list[Any]) -> None:
    for block in reversed(blocks):
        block.__exit__(None, None, None)


@contextmanager
def variable_op_scope(
    values: TensorLike,
    name_or_scope: str | VariableScope,
    default_name: str | None = None,
    initializer: str | Callable[..., Any] | None = None,
    regularizer: str | Callable[..., Any] | None = None,
    caching_device: Any = None,
    partitioner: Callable[..., Any] | None = None,
    custom_getter: Callable[..., Any] | None = None,
    reuse: bool | None = None,
    dtype: DTypeLike | None = None,
    use_resource: bool | None = None,
    constraint: str | Callable[..., Any] | None = None,
) -> Iterator[VariableScope]:
    """Older form of `variable_scope` with a different argument order."""
    arguments = locals()
    logs.warn(
        "tf.variable_op_scope(values, name, default_name) is deprecated,"
        " use tf.variable_scope(name, default_name, values)"
    )
    with variable_scope(**arguments) as scope:
        yield scope
