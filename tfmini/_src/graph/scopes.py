"""Scope functions of the default graph: `tf.name_scope`, `tf.device`, `tf.control_dependencies` ..."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_graph import get_default_graph, graph_of_inputs, graph_of_ops
from tfmini._src.graph.device_spec import DeviceLike
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.eager.symbolic import is_symbolic
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import TensorLike


class name_scope:
    """Context manager that prefixes node names with `name`; yields the full scope, "outer/name/".

    Args:
      name: scope name, or None to use `default_name`.
      default_name: used, made unique, if `name` is None.
      values: arguments of the function that opens the scope; their common graph becomes the default.

    Raises:
      TypeError: if `default_name` is not a string.
      ValueError: if both names are None but `values` is not, or for an invalid name.

    Example:

      with tf.name_scope("hidden") as scope:
          y = tf.add(a, b, name="sum")  # "hidden/sum"
    """

    name: str | None = read_only("The name passed, or the default name.")

    def __init__(
        self,
        name: str | None,
        default_name: str | None = None,
        values: Iterable[TensorLike] | None = None,
    ):
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass "
                "this into the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._default_name = default_name
        self._values = values

    def _symbolic_graph(self) -> Graph | None:
        """Returns the graph of a symbolic tensor (from `tf.keras.Input`) among the arguments; None without one."""
        for value in self._values or ():
            if is_symbolic(value):
                graph: Graph = value.graph
                return graph
        return None

    def __enter__(self) -> str:
        if self._name is None and self._values is not None:
            raise ValueError(
                f"At least one of name ({None}) and default_name ({self._default_name}) must be provided."
            )
        graph = graph_of_ops()
        self._pushed = None
        if graph is None:
            symbolic = self._symbolic_graph()
            if symbolic is None:
                self._names = get_default_graph()._names
                self._old = self._names.name
                scope = eager_scope(self._name)
                self._names.name = scope[:-1]
                return scope
            graph = symbolic  # operations of concrete tensors stay eager
        elif self._values:
            owner = graph_of_inputs(self._values)
            if owner is not graph:
                graph = owner
                self._pushed = owner.as_default()
                self._pushed.__enter__()
        self._names = graph._names
        self._old = self._names.name
        try:
            scope = graph.open_scope(self._name)
        except BaseException:
            if self._pushed is not None:
                self._pushed.__exit__(None, None, None)
            raise
        self._names.name = scope
        return scope + "/" if self._name else ""

    def __exit__(self, *unused: object) -> None:
        self._names.name = self._old
        if self._pushed is not None:
            self._pushed.__exit__(None, None, None)


def eager_scope(name: str | None) -> str:
    """Returns the name scope "outer/name/" in eager mode, where names are not made unique."""
    if not name:
        return ""
    if name[-1] == "/":
        return name
    outer = get_default_graph()._names.name
    return f"{outer}/{name}/" if outer else f"{name}/"


def device(device_name_or_function: DeviceLike) -> AbstractContextManager[None]:
    """Context manager that requests a device for its nodes: `with tf.device("/gpu:0"):`; see `Graph.device`.

    Raises:
      RuntimeError: for a function in eager mode; ValueError: for other non-string arguments in eager mode.
    """
    requested = device_name_or_function
    graph = graph_of_ops()
    if graph is None:
        if callable(requested):
            raise RuntimeError(
                "tf.device does not support functions when eager execution is enabled."
            )
        if requested is not None and not isinstance(requested, str):
            raise ValueError(f"Expecting a string device name. Got {type(requested)}({requested})")
        graph = get_default_graph()
    return graph.device(requested)


def container(container_name: str) -> AbstractContextManager[str]:
    """Context manager that sets the resource container of new stateful nodes; see `Graph.container`."""
    return get_default_graph().container(container_name)


def control_dependencies(
    control_inputs: Iterable[object] | None,
) -> AbstractContextManager[Any]:
    """Context manager whose nodes run after `control_inputs`; see `Graph.control_dependencies`.

    In eager mode, preceding code has already run; functions among `control_inputs` are called.
    """
    if executing_eagerly():
        for control in control_inputs or ():
            if callable(control):
                control()
        return nullcontext()
    return get_default_graph().control_dependencies(control_inputs)


def colocate_with(op: object, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """Context manager that colocates its nodes with `op`."""
    graph = graph_of_ops()
    if graph is None:
        return nullcontext() if op is None else device(getattr(op, "device", None))
    # An eager variable: in a function, the nodes that read it are colocated.
    if not getattr(op, "_in_graph_mode", True):
        op = op.read_value().op.inputs[0].op  # type: ignore[attr-defined]
    return graph.colocate_with(op, ignore_existing)


def _colocate_with(op: object, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """Context manager that colocates its nodes with `op`; see `Graph.colocate_with`."""
    return colocate_with(op, ignore_existing)


_colocate_with.__name__ = "colocate_with"
public_colocate_with = deprecated(None, "Colocations handled automatically by placer.")(
    _colocate_with
)


@contextmanager
def op_scope(
    values: Iterable[TensorLike] | None, name: str | None, default_name: str | None = None
) -> Iterator[str]:
    """Older form of `tf.name_scope(name, default_name, values)` with a different argument order."""
    logs.warn(
        "tf.op_scope(values, name, default_name) is deprecated, use tf.name_scope(name, default_name, values)"
    )
    with name_scope(name, default_name=default_name, values=values) as scope:
        yield scope
