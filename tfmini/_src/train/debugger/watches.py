"""Selection of the tensors of a step to watch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.errors import FailedPreconditionError
from tfmini._src.compiler.program.graph_order import reference_flags
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.session.fetches import Fetches

_MERGES = ("Merge", "RefMerge", "Exit", "RefExit")
_BRANCHES = ("Switch", "RefSwitch", "Enter", "RefEnter")
_READ_OPS = ("Identity", "ReadVariableOp", "VariableShape", "ResourceGather", "VarIsInitializedOp")
_REFERENCE_VARIABLES = ("VariableV2", "Variable")
_NO_VALUES = (*_REFERENCE_VARIABLES, "TemporaryVariable")  # possibly uninitialized
_VARIABLE_OPS = (*_REFERENCE_VARIABLES, "VarHandleOp")


class WatchOptions:
    """Selects the tensors to watch by regular expressions; None for all.

    Args:
      debug_ops: must be "DebugIdentity", the tensor itself.
      node_name_regex_whitelist: regular expression for node names.
      op_type_regex_whitelist: regular expression for op types.
      tensor_dtype_regex_whitelist: regular expression for dtype names.
      tolerate_debug_op_creation_failures: ignored.

    Raises:
      ValueError: for other `debug_ops`.
    """

    def __init__(
        self,
        debug_ops: Any = None,
        node_name_regex_whitelist: str | None = None,
        op_type_regex_whitelist: str | None = None,
        tensor_dtype_regex_whitelist: str | None = None,
        tolerate_debug_op_creation_failures: bool = False,
    ):
        self.debug_ops = debug_ops or ["DebugIdentity"]
        urls = [self.debug_ops] if isinstance(self.debug_ops, str) else list(self.debug_ops)
        if urls != ["DebugIdentity"]:
            raise ValueError(f"debug_ops may only be DebugIdentity, not {urls}")
        self.node_name_regex_whitelist = node_name_regex_whitelist
        self.op_type_regex_whitelist = op_type_regex_whitelist
        self.tensor_dtype_regex_whitelist = tensor_dtype_regex_whitelist
        self.tolerate_debug_op_creation_failures = tolerate_debug_op_creation_failures

    def __repr__(self) -> str:
        return (
            f"WatchOptions(debug_ops={self.debug_ops!r}, "
            f"node_name_regex_whitelist={self.node_name_regex_whitelist!r}, "
            f"op_type_regex_whitelist={self.op_type_regex_whitelist!r}, "
            f"tensor_dtype_regex_whitelist={self.tensor_dtype_regex_whitelist!r}, "
            f"tolerate_debug_op_creation_failures={self.tolerate_debug_op_creation_failures!r})"
        )

    def matches(self, tensor: Tensor) -> bool:
        """Whether a tensor is watched."""
        return all(
            pattern is None or re.match(pattern, text)
            for pattern, text in (
                (self.node_name_regex_whitelist, tensor.op.name),
                (self.op_type_regex_whitelist, tensor.op.type),
                (self.tensor_dtype_regex_whitelist, tensor.dtype.base_dtype.name),
            )
        )


class WatchedTensors(NamedTuple):
    """The tensors of a step to watch.

    before: reference variables, and reads of variables that the step changes; fetched before the step.
    during: other tensors, fetched with the step.
    """

    before: list[Tensor]
    during: list[Tensor]

    def initial_values(self, session: Any) -> dict[Tensor, Any]:
        """Returns the values of the initialized tensors in `before`."""
        return _initialized_values(session, self.before)

    def in_order(
        self, initial_values: dict[Tensor, Any], values: Sequence[Any]
    ) -> tuple[list[Tensor], list[Any]]:
        """Returns all tensors that have a value, in creation order, and their values."""
        found = {**initial_values, **dict(zip(self.during, values))}
        tensors = sorted(found, key=lambda tensor: (tensor.op._id, tensor.value_index))
        return tensors, [found[tensor] for tensor in tensors]


def _initialized_values(session: Any, tensors: list[Tensor]) -> dict[Tensor, Any]:
    if not tensors:
        return {}
    try:
        return dict(zip(tensors, session.run(tensors)))
    except FailedPreconditionError:
        if len(tensors) == 1:
            return {}
    middle = len(tensors) // 2
    parts = (tensors[:middle], tensors[middle:])
    return {
        key: value for part in parts for key, value in _initialized_values(session, part).items()
    }


def watched_tensors(
    graph: Any, fetches: Any, feeds: Iterable[Any], options: WatchOptions
) -> WatchedTensors:
    """Returns the tensors that a step computes for its fetches, in creation order.

    Excludes tensors without a definite value: in branches and loops, handles, and reads that follow a change of their
    variable in the step.
    """
    resolved = Fetches(graph, fetches)
    fed = {graph.as_graph_element(feed) for feed in feeds}
    needed = _required_operations(
        [*(tensor.op for tensor in resolved.tensors), *resolved.targets], fed
    )
    uncertain: set[Operation] = set()
    changed_variables = _changed_variables(needed)
    before: list[Tensor] = []
    during: list[Tensor] = []
    for op in graph.get_operations():
        if op not in needed:
            continue
        if _is_uncertain(op, uncertain):
            uncertain.add(op)
        elif op.type in _REFERENCE_VARIABLES or _is_unmodified_read(changed_variables, op):
            if not op.control_inputs and all(
                source.op.type in _VARIABLE_OPS for source in op.inputs
            ):
                before += op.outputs
        else:
            during += [tensor for tensor in op.outputs if tensor in fed or _has_value(tensor, fed)]
    return WatchedTensors(
        [tensor for tensor in before if options.matches(tensor) and tensor not in fed],
        [tensor for tensor in during if options.matches(tensor)],
    )


def _required_operations(roots: list[Operation], fed: set[Any]) -> set[Operation]:
    """Returns the operations that a step runs, and the producers of its feeds."""

    def sources(op: Operation) -> list[Operation]:
        if op.outputs and all(tensor in fed for tensor in op.outputs):
            return []
        return [*(tensor.op for tensor in op.inputs), *op.control_inputs]

    return set(reachable_from(roots, sources))


def _changed_variables(needed: set[Operation]) -> set[Operation]:
    """Returns the variables that a step changes."""
    changed_variables = set()
    for op in needed:
        if op.type == "IsVariableInitialized":
            continue
        for tensor, takes_reference in zip(op.inputs, reference_flags(op)):
            is_handle = tensor.dtype.base_dtype is dtypes.resource
            if takes_reference or is_handle and op.type not in _READ_OPS:
                changed_variables.add(_variable(tensor))
    return changed_variables


def _is_unmodified_read(variables: set[Operation], op: Operation) -> bool:
    """Whether an operation returns the value of one of `variables` unmodified."""
    return op.type in _READ_OPS and any(
        (tensor.dtype._is_ref_dtype or tensor.dtype.base_dtype is dtypes.resource)
        and _variable(tensor) in variables
        for tensor in op.inputs
    )


def _variable(tensor: Tensor) -> Operation:
    """Returns the variable to which a reference or handle refers."""
    while tensor.op.inputs and tensor.op.type not in _NO_VALUES:
        tensor = tensor.op.inputs[0]
    return tensor.op


def _is_uncertain(op: Operation, uncertain: set[Operation]) -> bool:
    if op.type in _BRANCHES or op._control_flow_context is not None:
        return True
    if op.type in _MERGES:
        return False
    dependencies = (*(tensor.op for tensor in op.inputs), *op.control_inputs)
    return any(other in uncertain for other in dependencies)


def _has_value(tensor: Tensor, fed: set[Any]) -> bool:
    op = tensor.op
    if tensor.dtype.base_dtype in (dtypes.resource, dtypes.variant):
        return False
    if op.type in _NO_VALUES or op.type.startswith("Placeholder") and tensor not in fed:
        return op.type == "PlaceholderWithDefault"
    is_handle = tensor.dtype._is_ref_dtype and tensor.dtype.base_dtype is dtypes.string
    return not is_handle and op.graph.is_fetchable(tensor)
