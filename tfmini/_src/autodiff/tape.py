"""The recording of a gradient tape, and rule-by-rule gradients in the current name scope.

Other gradients use these functions to differentiate the operations most recently added to the graph; programs use
`gradients`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NoReturn

from tfmini._src.autodiff.aggregation import aggregate_indexed_slices
from tfmini._src.autodiff.pending_counts import is_trainable
from tfmini._src.autodiff.register_gradient import gradient_function
from tfmini._src.base import dtypes
from tfmini._src.base.identity import is_in
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.public_functions import ops
from tfmini._src.graph.tensor import Tensor

# Outputs whose gradient TensorFlow's tape passes to a rule as None.
_OUTPUTS_WITHOUT_GRADIENT = {
    "SoftmaxCrossEntropyWithLogits": {1},
    "SparseSoftmaxCrossEntropyWithLogits": {1},
    "FusedBatchNorm": {1, 2, 3, 4},
}
_DTYPES_WITHOUT_ZEROS = dtypes.string, dtypes.resource, dtypes.variant


def creation_order(handle: Tensor) -> int:
    """Returns the sequence number of a variable's handle, which increases with creation."""
    op_id: int = handle._id if isinstance(handle, EagerTensor) else handle.op._id
    return op_id


class Tape:
    """The recording of a GradientTape: the operations that depend on watched tensors, in order."""

    def __init__(self, persistent: bool, watches_variables: bool) -> None:
        self.persistent = persistent
        self.recorded: list[Any] = []
        self.variables: dict[Any, None] = {}  # in order of first read
        self._watches_variables = watches_variables
        # By id: tensors that are watched, or depend on watched ones.
        self._watched: dict[int, Any] = {}

    def watch(self, tensor: Any) -> None:
        """Starts recording operations on this tensor."""
        tensor = _invariant_source(tensor)
        self._watched[id(tensor)] = tensor

    def watch_variable(self, variable: Any) -> None:
        """Starts recording reads of this variable."""
        self.variables.setdefault(variable)
        self.watch(variable.handle)

    def variables_in_creation_order(self) -> list[Any]:
        """Returns the watched variables in creation order."""
        return sorted(self.variables, key=lambda variable: creation_order(variable.handle))

    def variable_accessed(self, variable: Any) -> None:
        """Watches a variable that is read if it is trainable and variables are watched automatically."""
        if self._watches_variables and variable.trainable:
            self.watch_variable(variable)

    def is_watching(self, tensor: Tensor) -> bool:
        """Whether a tensor is watched or depends on a watched tensor."""
        return id(tensor) in self._watched

    def watched_ids(self) -> Collection[int]:
        """Returns the ids of the watched tensors and their dependents."""
        return self._watched.keys()

    def record(self, op: Any) -> None:
        """Records an operation if it depends on a watched tensor."""
        reached = self._watched
        if any(id(tensor) in reached and is_trainable(tensor) for tensor in _program_inputs(op)):
            self.recorded.append(op)
            reached.update((id(tensor), tensor) for tensor in op.outputs)


def tape_gradients(results: list, sources: list, gradients: list, first: int) -> list:
    """Returns the gradients of `sources`, None for those independent of the results.

    Args:
      results: tensors computed by the default graph's nodes since number `first`, visited in this order.
      sources: tensors or handles.
      gradients: the incoming gradient of each result.
    """
    return _backpropagate(results, gradients, sources, _dependent_operations(sources, first))


def gradients_by_tape(
    tape: Tape, targets: list, sources: list, gradients: list | None = None
) -> list:
    """Returns the gradients of `sources` from the recording of a tape; None for sources independent of the targets.

    Args:
      targets: tensors.
      sources: tensors and handles; sources unknown to the tape have a gradient only if they are targets that no
        recorded operation on the way reads.
      gradients: the incoming gradient of each target; ones if None or missing.
    """
    values = [*(gradients or ()), *[None] * len(targets)]
    pairs = [
        (target, fill_like(ops.ones, target) if gradient is None else gradient)
        for target, gradient in zip(targets, values)
        if (tape.is_watching(target) or is_in(target, sources))
        and target.dtype not in _DTYPES_WITHOUT_ZEROS
    ]
    results, output_grads = [list(side) for side in zip(*pairs)] or ([], [])
    return _backpropagate(results, output_grads, sources, tape.recorded, tape.watched_ids())


def _backpropagate(
    results: list,
    gradients: list,
    sources: list,
    recorded: Iterable[Any],
    watched_ids: Collection[int] = (),
) -> list:
    """Returns the gradients of `sources`, walking back from `results` through the recorded operations.

    `watched_ids` contains ids of tensors that also count as sources, for rules that skip unneeded gradients; unless it
    is empty, other inputs of these operations have no gradient.
    """
    producers = {id(tensor): op for op in recorded for tensor in op.outputs}
    starts = list(dict.fromkeys(producers[id(r)] for r in results if id(r) in producers))
    waiting = _count_uses(starts, producers)
    received_grads: dict[int, list] = {}
    for result, gradient in zip(results, gradients):
        received_grads.setdefault(id(result), []).append(gradient)
    queue = deque(op for op in starts if not waiting.get(op))
    tracked = {*(id(_invariant_source(source)) for source in sources), *producers, *watched_ids}
    while queue:
        op = queue.popleft()
        for tensor, grad in zip(_program_inputs(op), _input_gradients(op, received_grads, tracked)):
            if watched_ids and id(tensor) not in watched_ids:
                received_grads.pop(id(tensor), None)
            elif grad is not None:
                received_grads.setdefault(id(tensor), []).append(grad)
            producer = producers.get(id(tensor))
            if producer in waiting:
                waiting[producer] -= 1
                if not waiting[producer]:
                    queue.append(producer)
    return [_sum_gradients(received_grads.get(id(_invariant_source(source)))) for source in sources]


def _program_inputs(op: Any) -> Sequence[Tensor]:
    """Returns the inputs of an operation in the program; a loop reads outside tensors through its own Enters."""
    inputs: Sequence[Tensor] = op.inputs
    if isinstance(op, Operation) and op._control_flow_context is not None:
        return [_invariant_source(tensor) for tensor in inputs]
    return inputs


def _invariant_source(tensor: Tensor) -> Tensor:
    """Returns the tensor outside a loop that enters it unchanged as `tensor`, or `tensor` itself."""
    while not isinstance(tensor, EagerTensor) and _is_invariant(tensor.op):
        tensor = tensor.op.inputs[0]
    return tensor


def _is_invariant(op: Any) -> bool:
    return op.type == "Enter" and op.attrs["is_constant"]


def _dependent_operations(sources: list, first: int) -> set:
    """Returns the operations since number `first` that depend on `sources`."""
    reached = set(map(_invariant_source, sources))
    recorded = set()
    for op in get_default_graph()._operations_after(first):
        if any(tensor in reached for tensor in _program_inputs(op)):
            recorded.add(op)
            reached.update(t for t in op.outputs if is_trainable(t))
    return recorded


def _count_uses(starts: list, producers: dict[int, Any]) -> dict[Any, int]:
    """Counts the uses of each recorded operation that `starts` depend on; `producers` maps tensor ids to operations."""
    uses: dict[Any, int] = {}
    pending = list(starts)
    seen = set(pending)
    while pending:
        for tensor in _program_inputs(pending.pop()):
            producer = producers.get(id(tensor))
            if producer is not None and producer.type != "NextIteration":  # back edges of loops
                uses[producer] = uses.get(producer, 0) + 1
                if producer not in seen:
                    seen.add(producer)
                    pending.append(producer)
    return uses


class _TapeOpView:
    """View of an operation for a rule that may skip the gradients of some inputs."""

    __slots__ = ("_op", "skip_input_indices")

    def __init__(self, op: Any, skipped: tuple):
        object.__setattr__(self, "_op", op)
        object.__setattr__(self, "skip_input_indices", skipped)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._op, name)

    def _get_control_flow_context(self) -> NoReturn:
        raise NotImplementedError(
            "tf.GradientTape.gradients() does not support graph control flow operations like tf.cond or tf.while at "
            "this time. Use tf.gradients() instead. If you need this feature, please file a feature request at "
            "https://github.com/tensorflow/tensorflow/issues/new"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._op, name, value)


def fill_like(make: Callable, tensor: Tensor) -> Tensor:
    """Creates zeros or ones, using `make`, with the shape and dtype of a tensor."""
    is_static = tensor.shape.is_fully_defined()
    result: Tensor = make(tensor.shape if is_static else ops.shape(tensor), dtype=tensor.dtype)
    return result


def _output_gradient(op: Any, position: int, grad: Any) -> Any:
    """Returns the gradient of an output; zeros if the rule requires a missing one."""
    tensor = op.outputs[position]
    if (
        grad is not None
        or position in _OUTPUTS_WITHOUT_GRADIENT.get(op.type, ())
        or tensor.dtype in _DTYPES_WITHOUT_ZEROS
    ):
        return grad
    return fill_like(ops.zeros, tensor)


def _input_gradients(op: Any, received_grads: dict[int, list], tracked: set[int]) -> list:
    skipped = tuple(n for n, tensor in enumerate(_program_inputs(op)) if id(tensor) not in tracked)
    grads = [_sum_gradients(received_grads.get(id(tensor))) for tensor in op.outputs]
    return input_gradients(op, grads, skipped)


def input_gradients(op: Any, grads: list, skipped: tuple = ()) -> list:
    """Returns the gradients of the inputs of an operation by its rule.

    Args:
      op: the operation.
      grads: the gradient of each output, or None.
      skipped: indices of inputs whose gradients are not needed.
    """
    if all(grad is None for grad in grads):
        return [None] * len(op.inputs)
    grads = [_output_gradient(op, position, grad) for position, grad in enumerate(grads)]
    rule = getattr(op, "rule", None) or gradient_function(op)
    if rule is None:
        return [None] * len(op.inputs)
    results = rule(_TapeOpView(op, skipped), *grads)
    return list(results) if isinstance(results, list | tuple) else [results]


def _sum_gradients(grads: list | None) -> Any:
    if not grads:
        return None
    if len(grads) == 1:
        return grads[0]
    if all(isinstance(grad, Tensor) for grad in grads):
        return ops.add_n(grads)
    return aggregate_indexed_slices(grads)
