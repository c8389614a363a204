"""`tf.CriticalSection`: mutual exclusion for parts of a graph."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Collection
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.identity import is_in
from tfmini._src.base.nest.structure import flatten, map_structure, pack_sequence_as
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.collections import add_to_collections, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.scopes import colocate_with, control_dependencies, name_scope
from tfmini._src.ops import ops, raw
from tfmini._src.ops.lists.tensor_array import TensorArray
from tfmini._src.variables.init_scope import init_scope

# The collections of sections and of their executions.
CRITICAL_SECTIONS = "critical_sections"
CRITICAL_SECTION_EXECUTIONS = "critical_section_executions"

_ExecutionSignature = namedtuple(
    "_ExecutionSignature", ("op", "handle", "resources", "exclusive_resource_access")
)


def _identity(value: Any) -> Any:
    if isinstance(value, TensorArray):
        return value.identity()
    return ops.group(value) if isinstance(value, Operation) else ops.identity(value)


def _identity_or_none(value: Any) -> Any:
    """Returns `_identity(value)`, but None for None: operations are None in eager mode."""
    return None if value is None else _identity(value)


class CriticalSection:
    """Runs functions under mutual exclusion, across steps and threads.

    Reads and writes of a function are atomic within the section: a counter read and incremented in one yields a
    different number in each step. Sections with the same `shared_name` share a mutex, in all graphs of a session.

    Args:
      name: name of the mutex node.
      shared_name: name under which the section is shared; by default its node name.
      critical_section_def: not implemented, as in TensorFlow.
      import_scope: unused.

    Raises:
      ValueError: for both `critical_section_def` and a name.
      NotImplementedError: for `critical_section_def`.

    Example:
      def next_number():
          value = counter.read_value()
          with tf.control_dependencies([value]), tf.control_dependencies([counter.assign_add(1)]):
              return tf.identity(value)
      number = tf.CriticalSection().execute(next_number)
    """

    name: str = read_only("The name of the mutex's node.", "_handle.op.name")

    def __init__(
        self,
        name: str | None = None,
        shared_name: str | None = None,
        critical_section_def: object = None,
        import_scope: str | None = None,
    ):
        if critical_section_def:
            if name is not None:
                raise ValueError("critical_section_def and shared_name are mutually exclusive.")
            raise NotImplementedError("Not yet implemented")
        with name_scope(name, "CriticalSection", []) as name:
            with init_scope():
                container = get_default_graph()._container or ""
                self._handle = raw.MutexV2(
                    shared_name=name if shared_name is None else shared_name,
                    container=container,
                    name=name,
                )
        add_to_collections(CRITICAL_SECTIONS, self)

    def execute(
        self, fn: Callable[[], Any], exclusive_resource_access: bool = True, name: str | None = None
    ) -> Any:
        """Runs `fn()` in the section, while no other function of the section runs.

        Tensors captured by `fn` are computed before entering.

        Args:
          fn: a function without arguments; it returns a nested structure of tensors, operations and TensorArrays.
          exclusive_resource_access: whether to forbid other sections to use the resources of `fn`.

        Returns:
          The structure returned by `fn`; its tensors are available once the section is left.

        Raises:
          ValueError: if `fn` uses this section itself, or shares resources with another section and either requests
            exclusive access.

        Example: `total = section.execute(lambda: counter.assign_add(1.0))`.
        """
        with name_scope(name, "critical_section_execute", []):
            lock = raw.MutexLock(self._handle)
            if executing_eagerly():
                outputs = map_structure(_identity_or_none, fn())
                raw.ConsumeMutexLock(lock)
                return outputs
            graph = get_default_graph()
            count = len(graph.get_operations())
            with control_dependencies([lock]):
                results = fn()
            new_ops = graph.get_operations()[count:]
            _run_after_arguments(lock.op, new_ops)
            resources = list(
                dict.fromkeys(
                    value for op in new_ops for value in op.inputs if value.dtype == dtypes.resource
                )
            )
            if any(self._is_handle(resource) for resource in resources):
                raise ValueError(
                    "The function fn attempts to directly access the CriticalSection in which it would be running.  "
                    "This is illegal and would cause deadlocks."
                )
            self._check_resources(resources, exclusive_resource_access)
            with control_dependencies([_identity(value) for value in flatten(results)]):
                with colocate_with(self._handle):
                    release_op = raw.ConsumeMutexLock(lock)
                results = pack_sequence_as(results, ops.tuple(flatten(results)))
            with control_dependencies([release_op]):
                outputs = map_structure(_identity, results)
            signature = _ExecutionSignature(
                lock.op, self._handle, resources, exclusive_resource_access
            )
            add_to_collections(CRITICAL_SECTION_EXECUTIONS, signature)
            return outputs

    def _is_handle(self, value: Any) -> bool:
        """Whether a tensor is the section's own mutex."""
        if value.op.type != "MutexV2":
            return False
        own_op, value_op = self._handle.op, value.op
        shared = value_op.get_attr("shared_name")
        is_near = value_op.device == own_op.device or _colocation(value_op) == _colocation(own_op)
        return bool(shared) and shared == own_op.get_attr("shared_name") and is_near

    def _check_resources(self, resources: Collection[Any], is_exclusive: bool) -> None:
        """Raises ValueError if another section uses one of the resources, and either requires exclusive use."""
        for other in get_collection(CRITICAL_SECTION_EXECUTIONS):
            if self._is_handle(other.handle):
                continue
            if not (is_exclusive or other.exclusive_resource_access):
                continue
            shared = [resource for resource in resources if is_in(resource, other.resources)]
            if shared:
                wrapped = ", ".join(f"<_ObjectIdentityWrapper wrapping {r!r}>" for r in shared)
                raise ValueError(
                    f"This execution would access resources: [{wrapped}].  Either this lock (CriticalSection: "
                    f"{self._handle}) or lock '{other}' (CriticalSection: {other.handle}) requested exclusive "
                    "resource access of this resource.  Did you mean to call execute with keyword argument "
                    "exclusive_resource_access=False?"
                )


def _run_after_arguments(lock: Operation, new_ops: list[Operation]) -> None:
    """Makes a lock wait for external inputs of all nodes created under it, to avoid deadlocks."""
    producers = [value.op for op in new_ops for value in op.inputs]
    producers += [control for op in new_ops for control in op.control_inputs]
    internal_ops = {*new_ops, *lock.control_inputs, *(value.op for value in lock.inputs), lock}
    outside_ops = [op for op in dict.fromkeys(producers) if op not in internal_ops]
    if outside_ops:
        lock._add_control_input(ops.group(*outside_ops))


def _colocation(op: Operation) -> Any:
    """Returns the colocation groups of an operation, or None."""
    try:
        return op.get_attr("_class")
    except ValueError:
        return None
