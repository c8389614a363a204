"""State that outlives a run: variables' cells and per-node state, kept in a container of a session or server task.

Ownership of arrays: `VariableCell.array` is read without a lock. A writer first removes the array from the cell
(`array = None`), so no new reader can access it, and writes in place only if no other reference exists (by the
interpreter's reference count); otherwise it allocates a new array. Readers thus never see a torn array, and their
arrays never change. On a device, a variable keeps its array while its shape is unchanged, because
captured work refers to its address.
"""

from __future__ import annotations

import mmap
import re
import sys
import weakref
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tfmini._src.base import errors
from tfmini._src.base.locks import make_rlock
from tfmini._src.compiler.kernel_context import UNSHARED_REFCOUNT
from tfmini._src.graph.op_traits.handle_kinds import VARIABLE, Resource

if TYPE_CHECKING:
    from tfmini._src.base.dtypes import DType
    from tfmini._src.graph.operation import Operation
    from tfmini._src.ops.pending_ops import Step

Created = TypeVar("Created")

# Resources that are absent from their container until they have a value.
_LAZY_KINDS = ("variable", "summary_writer", "tree_ensemble", "quantile_streams")
_CONTAINER = re.compile(r"([A-Za-z0-9.][\w./-]*)?", re.ASCII)
# Bases of array views that a cell may adopt: none, or a file.
_BASES = (type(None), mmap.mmap)


class VariableCell(Resource):
    """Storage of a variable's value.

    array: the value; None while uninitialized or taken by a writer, which `read` distinguishes.
    xp: the array module of the variable's device.
    initialized_names: the names of initialized resources in its container: resource variables once they have a value.
    unshared: the reference count of an array that only a writer holds.
    """

    resource_kind = VARIABLE

    __slots__ = (
        "xp",
        "initialized_names",
        "container",
        "array",
        "name",
        "dtype",
        "dims",
        "lock",
        "is_resource",
        "initialized",
        "unshared",
        "__weakref__",
    )

    def __init__(
        self,
        name: str,
        dtype: DType,
        dims: tuple[int | None, ...] | None,
        is_resource: bool = False,
        initialized_names: set[str] | None = None,
        container: str = "localhost",
    ):
        self.container = container
        self.initialized_names = set() if initialized_names is None else initialized_names
        self.array: Any = None
        self.xp: ModuleType = np
        self.name = name
        self.dtype = dtype
        self.dims = dims
        self.lock = make_rlock()
        self.is_resource = is_resource
        # As in TensorFlow, an empty reference variable is initialized from the start.
        self.initialized = not is_resource and 0 in (dims or ())
        self.unshared = UNSHARED_REFCOUNT

    def read(self) -> Any:
        """Returns the value, once no writer is active; raises FailedPreconditionError if uninitialized."""
        array = self.array
        if array is None:
            with self.lock:
                array = self.array = self._initialized_array()
        return array

    def _initialized_array(self) -> Any:
        """Returns the array; the caller holds the lock. Raises FailedPreconditionError if uninitialized."""
        if self.array is not None:
            return self.array
        if not self.initialized:
            raise self.uninitialized_error()
        return self.xp.empty(self.dims, self.dtype.numpy)  # an empty array

    def uninitialized_error(self) -> errors.OpError:
        """Returns the error for reading an uninitialized variable."""
        if self.is_resource:
            return errors.FailedPreconditionError(
                None,
                None,
                f"Error while reading resource variable {self.name} from Container: {self.container}. This could "
                f"mean that the variable was uninitialized. Not found: {self.missing()}",
            )
        return errors.FailedPreconditionError(
            None, None, f"Attempting to use uninitialized value {self.name}"
        )

    def missing(self) -> str:
        """Returns the error message for a missing resource variable."""
        path = f"{self.container}/{self.name}"
        if self.initialized_names:
            return f"Resource {path}/N10tensorflow3VarE does not exist."
        return f"Container {self.container} does not exist. (Could not find resource: {path})"

    def assign(self, value: Any, is_owned: bool = False) -> None:
        """Replaces the value. An `is_owned` array is adopted, any other is copied to row-major order.

        Views of owned memory are also copied, because further views would reference that memory, not the cell's array.
        Mapped files are adopted, because views of such an array reference the array.
        """
        with self.lock:
            is_adopted = (
                is_owned and isinstance(value, self.xp.ndarray) and type(value.base) in _BASES
            )
            is_adopted = is_adopted and value.flags.c_contiguous
            on_host = self.xp is np
            if is_adopted and on_host:
                self.array = value
            else:
                array, self.array = self.array, None
                try:
                    if (
                        array is not None
                        and array.shape == value.shape
                        and array.dtype == value.dtype
                        and (array.ndim or not on_host)
                        and sys.getrefcount(array) <= self.unshared
                    ):
                        self.xp.copyto(array, value)
                    elif is_adopted:
                        array = value
                    else:
                        array = self.xp.array(value, order="C")
                finally:  # if memory runs out, the variable keeps its value
                    self.array = array
            if not self.initialized:
                self.initialized = True
                if self.is_resource:
                    self.initialized_names.add(self.name)

    def take(self, wait: bool = True) -> Any:
        """Takes the value as an array that the caller may modify and must return with `put`; other writers wait.

        Without `wait`, returns None if another thread holds it; then do not call `put`.
        """
        if not self.lock.acquire(wait):
            return None
        array = self.array
        try:
            if array is None:
                array = self._initialized_array()
            self.array = None
            # In place if only this frame refers to it; otherwise on a copy.
            return array if sys.getrefcount(array) <= self.unshared else self.xp.array(array)
        except BaseException:  # out of memory, or Ctrl-C
            self.array = array
            self.lock.release()
            raise

    def put(self, array: Any) -> None:
        """Returns the array obtained from `take`, changed or not, or a replacement."""
        self.array = array
        self.lock.release()

    def update(self, change: Callable[[Any], Any]) -> None:
        """Calls `change(array)`, which changes a writable array of the value in place, under the lock.

        If it raises, it must not have changed anything. A result that is not None replaces the array.
        """
        array = self.take()
        try:
            result = change(array)
            if result is not None:
                array = result
        finally:
            self.put(array)

    def clear(self) -> None:
        """Drops the value; the variable becomes uninitialized."""
        with self.lock:
            self.array = None
            self.initialized = False


class Resources:
    """The state of one session (or one server task): cells by container and name, state by node.

    closed: nonempty once no more nodes may run; loops check it.
    steps: the running steps that may wait.
    functions: compiles the functions that kernels call.

    Args:
      container: name of the default container, which nodes refer to as "": the container of the task's job.
    """

    functions: Any = None

    def __init__(self, container: str = "localhost") -> None:
        self._container = container
        self._lock = make_rlock()
        self._named: dict[tuple[object, ...], Any] = {}
        self._nodes: dict[str, Any] = {}
        self._initialized: dict[str, set[str]] = {}  # by container
        self.generation = 0
        self.closed: list[bool] = []
        self.steps: set[Step] = set()

    def variable(self, op: Operation) -> VariableCell:
        """Returns the cell of a variable node, created on first use."""
        attrs = op.attrs
        name = attrs.get("shared_name") or op.name
        container = attrs.get("container", "")
        is_resource = op.type == "VarHandleOp"
        initialized = self.names_in(container)
        if not is_resource:
            initialized.add(op.name)  # exists, but uninitialized
        return self.named(
            ("variable", container, name),
            lambda: VariableCell(
                name if is_resource else op.name,
                attrs["dtype"],
                attrs["shape"],
                is_resource,
                initialized,
                container or self._container,
            ),
        )

    def names_in(self, container: str) -> set[str]:
        """Returns the names of the resources created in a container."""
        return self._initialized.setdefault(container, set())

    def named(self, key: tuple[object, ...], factory: Callable[[], Created]) -> Created:
        """Returns the resource under `key` = (kind, container, name), created by `factory` on first use."""
        with self._lock:
            resource = self._named.get(key)
            if resource is None:
                if len(key) > 2 and not _CONTAINER.fullmatch(str(key[1])):
                    errors.invalid(f"container contains invalid characters: {key[1]}")
                resource = self._named[key] = factory()
                if len(key) > 2 and key[0] not in _LAZY_KINDS:
                    self.names_in(str(key[1])).add(str(key[2]))
            return resource

    def lookup(self, key: tuple[object, ...]) -> Any:
        """Returns the resource under a key; None if it does not exist."""
        return self._named.get(key)

    def remove(self, key: tuple[object, ...]) -> Any:
        """Removes and returns a named resource; None if it does not exist."""
        with self._lock:
            return self._named.pop(key, None)

    def resource_path(self, resource: object) -> str:
        """Returns the container and name of a resource; the container is the step's for a step-local resource."""
        with self._lock:
            for (_, container, name, *_), named in self._named.items():
                if named is resource:
                    text = "/".join(map(str, name)) if isinstance(name, tuple) else name
                    return f"{container or self._container}/{text}"
        return f"__per_step_0/{getattr(resource, 'name', type(resource).__name__)}"

    def forget(self, resources: Iterable[object]) -> None:
        """Removes and closes the matching named resources."""
        removed = {id(resource) for resource in resources}
        with self._lock:
            for key, resource in list(self._named.items()):
                if (
                    id(resource) in removed
                    and self.remove(key) is not None
                    and hasattr(resource, "end")
                ):
                    resource.end()  # may look up and remove other resources

    def destroy(self, resource: Any) -> None:
        """Destroys a resource: its handles become invalid."""
        resource.destroyed = self.resource_path(resource)
        self.forget([resource])

    def node_state(self, op: Operation, factory: Callable[[], Created]) -> Created:
        """Returns a node's state (random stream, iterator), created by `factory` on first use."""
        with self._lock:
            state = self._nodes.get(op.name)
            if state is None:
                state = self._nodes[op.name] = factory()
            return state

    def reset(self, containers: list[str] | None = None) -> None:
        """Clears `containers` ("" for the default one), or all containers by default; plans must be recompiled."""
        with self._lock:
            keys = [key for key in self._named if containers is None or key[1] in containers]
            for resource in [self._named[key] for key in keys]:
                if hasattr(resource, "end"):
                    resource.end()  # may look up and remove other resources
            for key in keys:
                resource = self._named.pop(key, None)
                if isinstance(resource, VariableCell):
                    resource.clear()  # frees the memory even if the cell is still referenced
            for container, names in self._initialized.items():
                if containers is None or container in containers:
                    names.clear()
            self.generation += 1

    def close(self, containers: list[str] | None = None) -> None:
        """Closes permanently: stops loops, cancels blocking steps, and clears `containers` as `reset` does."""
        self.closed.append(True)
        for step in list(self.steps):
            step.cancel()
        self.reset(containers)


class NodeStates:
    """A view of a session's state for a function, whose nodes have separate states."""

    def __init__(self, resources: Resources):
        self._resources = resources
        self._nodes: dict[str, Any] = {}
        self._lock = make_rlock()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._resources, name)

    node_state: Any = Resources.node_state  # the state of the function's own nodes


def close_with(owner: object, resources: Resources) -> None:
    """Closes resources when their owner is garbage-collected; their threads may keep them alive longer."""
    weakref.finalize(owner, _close_resources, weakref.ref(resources)).atexit = False


def _close_resources(resources_of: Callable[[], Resources | None]) -> None:
    resources = resources_of()
    if resources is not None:
        resources.close()
