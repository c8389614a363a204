"""The backward walk from ys to xs, which visits each operation with the gradients that it received."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.autodiff.aggregation import aggregate_gradients
from tfmini._src.autodiff.loop_state import LoopGradients
from tfmini._src.autodiff.pending_counts import Edges, is_trainable, pending_counts, stop_ops
from tfmini._src.autodiff.register_gradient import gradient_function
from tfmini._src.base import dtypes
from tfmini._src.graph.composite_values import IndexedSlices
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.function_library import symbolic_gradient
from tfmini._src.graph.loop_inputs import is_exit, is_loop_switch, is_switch
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.scopes import device, name_scope
from tfmini._src.graph.tensor import Tensor


class BackwardPass:
    """Visits the operations between ys and xs backwards and passes gradients to their inputs.

    received_grads: the gradients received for each output, or their sum, by operation.
    loops: the loops between ys and xs.

    Args:
      colocate: whether gradients are colocated with their operations.
      gate: whether all gradients of an operation are computed before any is used.
      method: how the gradients of a tensor are summed.
    """

    def __init__(self, colocate: bool, gate: bool, method: int | None):
        self.graph = get_default_graph()
        self.uid = self.graph.unique_name("uid")
        self.colocate = colocate
        self.gates_gradients = gate
        self.method = method
        self.received_grads: dict[Any, list] = {}
        self.loops: LoopGradients
        self.edges: Edges

    def propagate(self, ys: list, starts: list, xs: list, stops: list) -> LoopGradients:
        """Visits each operation between ys and xs once all its gradients are available."""
        to_ops = [y.op for y in ys]
        from_ops = [x.op for x in xs]
        self.edges = Edges(self.graph, xs)
        reachable, counts, loops = pending_counts(to_ops, from_ops, self.colocate, self.edges)
        self.loops = loops
        for y, grad in zip(ys, starts):
            self._add(y, grad)
        ready = dict.fromkeys(op for op in to_ops if op in reachable and not counts.get(op, 0))
        queue = deque(ready)
        if loops:
            self._enter_unread_exits(loops.begin(counts, set(ready)), queue)
        stopping = stop_ops(from_ops, stops, counts)
        while queue:
            op = queue.popleft()
            with self.colocate_with(op):
                with loops.gradient_loop_scope(op, after_loop=True):
                    grads = aggregate_gradients(
                        op, self._received_gradients(op), self.uid, self.method
                    )
                rule = None
                has_grads = any(g is not None for g in grads)
                if has_grads and op not in stopping:
                    rule = self._gradient_function(op)
                with loops.gradient_loop_scope(op):
                    _check_not_first_value(op, from_ops)
                    if rule is not None:
                        self._apply_and_propagate(op, rule, grads)
            for tensor in self.edges.inputs(op):
                if tensor.op in counts:
                    counts[tensor.op] -= 1
                    self._queue_if_ready(tensor, counts[tensor.op], queue)
        return loops

    def _enter_unread_exits(self, exits: list, queue: deque) -> None:
        """Enters loops through exits without consumers, with zero gradients."""
        for tensor in exits:
            if is_trainable(tensor):
                self._add(tensor, self.loops.zeros_for_exit(tensor))
                queue.append(tensor.op)

    def _queue_if_ready(self, tensor: Any, count: int, queue: deque) -> None:
        """Queues an operation once all its gradients are available."""
        op = tensor.op
        # The gradient of a loop variable begins with the gradient after the loop.
        if count != 0 and not (count > 0 and self.loops and is_loop_switch(op)):
            return
        if not is_exit(op):
            queue.append(op)
            return
        loop = self.loops.reach_exit(tensor)
        if loop is None:
            return
        with_gradient = []
        for exit_tensor in loop.reached_exits:
            if any(
                grad is not None
                for grads in self._received_gradients(exit_tensor.op)
                for grad in grads
            ):
                with_gradient.append(exit_tensor)
            else:
                loop.unused.append(exit_tensor)
        queue.extend(exit_tensor.op for exit_tensor in with_gradient)
        for unused in loop.unused:
            if with_gradient and is_trainable(unused):
                self._add(unused, self.loops.zeros_for_exit(unused))
            queue.append(unused.op)

    @staticmethod
    def _gradient_function(op: Any) -> Callable | None:
        try:
            return gradient_function(op)
        except LookupError:
            raise LookupError(
                f"No gradient defined for operation '{op.name}' (op type: {op.type})"
            ) from None

    def _apply_and_propagate(self, op: Any, rule: Callable, grads: list) -> None:
        """Applies the rule of `op` and passes the resulting gradients to its inputs."""
        for i, grad in enumerate(grads):
            if grad is None and (rule is symbolic_gradient or is_trainable(op.outputs[i])):
                grads[i] = self.loops.zeros_like(op, i)
        with name_scope(op.name + "_grad"), self.graph._original_op(op):
            results = self._apply(op, rule, grads)
        for i, (tensor, grad) in enumerate(zip(self.edges.inputs(op), results)):
            if grad is None:
                continue
            if isinstance(grad, Tensor) and tensor.dtype is not dtypes.resource:
                try:
                    grad.set_shape(tensor.shape)
                except ValueError:
                    raise ValueError(
                        "Incompatible shapes between op input and calculated input gradient.  Forward "
                        f"operation: {op.name}.  Input index: {i}. Original input shape: {tensor.shape}.  "
                        f"Calculated input gradient shape: {grad.shape}"
                    ) from None
            self._add(tensor, grad)

    def _apply(self, op: Any, rule: Callable, grads: list) -> list:
        results = rule(op, *grads)
        results = list(results) if isinstance(results, list | tuple) else [results]
        if len(results) != len(op.inputs):
            raise ValueError(
                f"Num gradients {len(results)} generated for op {op.node_def} do not match num inputs "
                f"{len(op.inputs)}"
            )
        if self.gates_gradients and sum(r is not None for r in results) > 1:
            with (
                device(None),
                self.graph._colocate_with_for_gradient(None, self.uid, ignore_existing=True),
            ):
                results = ops.tuple(results)
        return results

    def find_gradient(self, x: Any, zeros: bool) -> Any:
        """Returns the gradient of x; without one, zeros if `zeros` is set, else None."""
        grads = self.received_grads.get(x.op)
        if grads is None:
            return ops.zeros_unconnected(x) if zeros else None
        grad = grads[x.value_index]
        if isinstance(grad, list):  # x's operation was not visited
            return (
                None
                if not grad
                else aggregate_gradients(x.op, grads, self.uid, self.method)[x.value_index]
            )
        return grad

    @contextmanager
    def colocate_with(self, op: Any) -> Iterator[None]:
        """Context manager that colocates new nodes with `op` if `colocate` is set."""
        if not self.colocate:
            yield
            return
        with self.graph._colocate_with_for_gradient(op, self.uid):
            yield

    def _received_gradients(self, op: Any) -> list:
        """Returns the gradients received for each output, or their sum."""
        return self.received_grads.get(op) or [[] for _ in op.outputs]

    def _add(self, tensor: Any, grad: Any) -> None:
        if isinstance(tensor, IndexedSlices):
            tensor = tensor.values
        output_grads = self.received_grads.setdefault(tensor.op, [[] for _ in tensor.op.outputs])
        index = tensor.value_index
        if isinstance(output_grads[index], list):
            output_grads[index].append(grad)
        else:  # a loop's Switch, visited twice
            output_grads[index] = grad


def _check_not_first_value(op: Any, from_ops: list) -> None:
    """Raises ValueError if the walk inside a loop body reaches the loop's initial values."""
    context = op._get_control_flow_context()
    if context is None or not is_switch(op) or not context.IsWhileContext():
        return
    if context is not get_default_graph()._get_control_flow_context():
        return
    queue = deque([op])
    visited: set = set()
    while queue[0] not in from_ops:
        current = queue.popleft()
        if current not in visited:
            visited.add(current)
            queue.extend(tensor.op for tensor in current.inputs)
    raise ValueError(
        f"Cannot compute gradient inside while loop with respect to op '{queue[0].name}'. We do not support "
        "taking the gradient wrt or through the initial value of a loop variable. Gradients can be computed "
        "through loop invariants or wrt the input parameters to the loop body."
    )
