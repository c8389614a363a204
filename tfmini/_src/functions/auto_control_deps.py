"""Automatic control dependencies: run a function's side effects in program order."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.nest.structure import map_structure
from tfmini._src.graph.composite_values import IndexedSlices, SparseTensor
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.execution_mode import executing_eagerly
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.lists.tensor_array import TensorArray

# Stateful ops that may run in any order, and need not run.
_UNORDERED_OPS = frozenset(
    (
        *("CollectiveGather", "CollectiveReduce", "CollectiveBcastSend", "CollectiveBcastRecv"),
        *("NcclAllReduce", "RandomUniform", "RandomUniformInt", "RandomStandardNormal"),
        *("ParameterizedTruncatedNormal", "TruncatedNormal", "RandomShuffle", "Multinomial"),
        *("RandomGamma", "RandomGammaGrad", "RandomPoisson", "RandomPoissonV2"),
    )
)


def order_effects(graph: Graph, first: int, results: Sequence[Tensor]) -> list[Operation]:
    """Adds control edges between a body's operations from index `first` on; returns the operations that must run."""
    must_run: dict[Operation, None] = {}
    # By resource: its last user; for the key None: the last other side effect.
    last: dict[Any, Operation] = {}
    branch_resources: dict[Tensor, Any] = {}  # by resource used in a branch: the enclosing context
    for op in graph._ops[first:]:
        context = op._control_flow_context
        if _is_in_loop(context):
            continue
        has_effect = op.opdef.is_function or (op._is_stateful and op.type not in _UNORDERED_OPS)
        if has_effect:
            must_run[op] = None
        if op.type == "Switch" and op.inputs[0].dtype is dtypes.resource:
            continue
        if op.type == "Merge":
            for other in must_run:
                _wait_for(op, other)
                if other._control_flow_context is context:
                    last.update((tensor, op) for tensor in other.inputs if tensor in last)
            last.update({t: op for t, outer in branch_resources.items() if outer is context})
            must_run = {op: None}
            continue
        used = [t for t in dict.fromkeys(op.inputs) if t.dtype is dtypes.resource]
        for tensor in used:
            _wait_before_branch(tensor, last, branch_resources)
            previous_op = last.get(tensor)
            if previous_op is not None and previous_op._control_flow_context is context:
                _wait_for(op, previous_op)
            last[tensor] = op
        if has_effect and not used and context is None:
            if None in last:
                _wait_for(op, last[None])
            last[None] = op
    for tensor in results:
        for op in must_run:
            if op._control_flow_context is tensor.op._control_flow_context:
                _wait_for(tensor.op, op)
    return list(must_run)


def _wait_before_branch(
    tensor: Tensor, last: dict[Any, Operation], branch_resources: dict[Tensor, Any]
) -> None:
    """Makes branches that use a resource depend on its previous users."""
    while tensor.op.type == "Switch":
        switch, tensor = tensor.op, tensor.op.inputs[0]
        branch: Any = switch._control_flow_context
        branch_resources[tensor] = branch and branch.outer_context
        if tensor in last:
            _wait_for(switch, last[tensor])


def _wait_for(op: Operation, other: Operation) -> None:
    if other is not op and other not in op._control_inputs:
        op._add_control_input(other)


def _is_in_loop(context: Any) -> bool:
    while context is not None:
        if context.IsWhileContext():
            return True
        context = context.outer_context
    return False


class AutomaticControlDependencies:
    """Context manager: side effects run in program order, before the results of `mark_as_return`.

    Attributes:
      ops_which_must_run: the operations with effects, available after the block.

    Example:
      with AutomaticControlDependencies() as block:
          v.assign_add(1.0)
          value = block.mark_as_return(v.read_value())
    """

    def __init__(self) -> None:
        self.ops_which_must_run: set[Operation] = set()
        self._returned: list[Tensor] = []

    def mark_as_return(self, tensor: Any) -> Any:
        """Returns a copy of a tensor, IndexedSlices or SparseTensor that runs after the block's side effects."""
        if isinstance(tensor, IndexedSlices | SparseTensor):
            values, indices = self._identity(tensor.values), self._identity(tensor.indices)
            tensor_type, shape = type(tensor), tensor.dense_shape
            return tensor_type(values=values, indices=indices, dense_shape=shape)
        if isinstance(tensor, TensorArray):
            return map_structure(self._identity, tensor, expand_composites=True)
        return self._identity(tensor)

    def _identity(self, tensor: Any) -> Tensor:
        result: Tensor = ops.identity(tensor)
        self._returned.append(result)
        return result

    def __enter__(self) -> AutomaticControlDependencies:
        self._graph = get_default_graph()
        self._first_op_index = 0 if executing_eagerly() else len(self._graph._ops)
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if executing_eagerly():
            return
        if self._graph is not get_default_graph():
            raise RuntimeError("Graph changed while trying to add control dependencies.")
        self.ops_which_must_run.update(
            order_effects(self._graph, self._first_op_index, self._returned)
        )


def automatic_control_dependencies(f: Callable) -> Callable:
    """Wraps a function so that its side effects run in program order, before its results."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with AutomaticControlDependencies() as block:
            return map_structure(block.mark_as_return, f(*args, **kwargs))

    return wrapper
