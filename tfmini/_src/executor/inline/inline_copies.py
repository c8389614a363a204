"""inline_copies: copies nodes of a graph or function body into the inlined graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

from tfmini._src.base import errors
from tfmini._src.compiler.program.graph_order import LOOPS_BACK, in_order, loops_back
from tfmini._src.executor.inline.inline_nodes import (
    Call,
    CallNodeBuilder,
    Chain,
    Rule,
    Work,
    add_node,
    infer,
    replace_input,
)
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.operation import COLOCATION_PREFIX, Operation
from tfmini._src.graph.shape_inference import decides_shapes
from tfmini._src.graph.stack_traces import Frames
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.executor.inline.inline import InlinedGraph

_ENTERS = ("Enter", "RefEnter")


class Copy:
    """Copies nodes into the executed graph, replacing calls among them.

    rule_of: returns the rule that replaces a node; None to copy it.
    tensors, ops: maps from the nodes' tensors and operations to their copies, which `add` extends.
    prefix: name prefix of the copies; empty for the program's own nodes.
    roots: control inputs of copies that have no inputs.
    call, chain: the call whose body it is, and all enclosing calls.
    """

    def __init__(
        self,
        inlined: InlinedGraph,
        rule_of: Callable[[Operation], Rule | None],
        tensors: dict[Tensor, Tensor],
        ops: dict[Operation, Operation],
        prefix: str = "",
        roots: Sequence[Operation] = (),
        call: Call | None = None,
        chain: Chain = (),
    ):
        self.inlined = inlined
        self.rule_of = rule_of
        self.tensors = tensors
        self.ops = ops
        self.prefix = prefix
        self.roots = roots
        self.call = call
        self.chain = chain
        self.names = {op.name: copy.name for op, copy in ops.items()}

    def add(self, nodes: Sequence[Operation]) -> Work[None]:
        """Adds copies of nodes in topological order."""
        back_tensors = {t for op in nodes if op.type in LOOPS_BACK for t in op.outputs}
        waiting: list[tuple[Operation, int, Tensor]] = []
        for op in in_order(set(nodes), back_tensors):
            inputs = []
            for position, tensor in enumerate(op.inputs):
                copied = self.tensors.get(tensor)
                if copied is None:
                    if not loops_back(op, tensor):
                        self._raise_invalid_output(op, tensor)
                    copied = Tensor(None, 0, tensor.dtype)
                    waiting.append((op, position, tensor))
                inputs.append(copied)
            controls = [self.ops[control] for control in op._control_inputs]
            rule = self.rule_of(op)
            if rule is None:
                self._copy_op(op, inputs, controls)
            else:
                yield from self._replace_op(op, rule, inputs, controls)
        for op, position, tensor in waiting:
            replace_input(self.ops[op], position, self.tensors[tensor])

    def _raise_invalid_output(self, op: Operation, tensor: Tensor) -> NoReturn:
        """Raises the error for reading an output that was added to a node after it had run."""
        source = tensor.op
        count = sum(output in self.tensors for output in source.outputs)
        errors.invalid(
            f"Node '{op.name}': Connecting to invalid output {tensor.value_index} of source node {source.name} which "
            f"has {count} outputs. Try using tf.compat.v1.experimental.output_all_intermediates(True)."
        )

    def _copy_op(self, op: Operation, inputs: list[Tensor], controls: list[Operation]) -> None:
        attrs = self._rename_attrs(op.attrs) if self.prefix else op.attrs
        if op.type in _ENTERS and self.prefix:
            attrs = {**attrs, "frame_name": self.prefix + attrs["frame_name"]}
        copy = add_node(
            self.inlined.graph,
            op.opdef,
            self.prefix + op.name,
            inputs,
            attrs,
            controls if inputs or controls else self.roots,
            requires_exact_name=not self.prefix,
        )
        copy._device = self._copy_device(op)
        copy._device_assignments = op._device_assignments
        copy._colocations = op._colocations
        copy._frames = self._frames(op)
        if self.call is None:
            copy._stands_for = op
        copy._chain = self.chain
        dims = [tensor._dims for tensor in op.outputs]
        expected = [tensor._dims for tensor in op.inputs]
        if [tensor._dims for tensor in copy.inputs] == expected or op.opdef.is_merge:
            for tensor, tensor_dims in zip(copy.outputs, dims):
                tensor._dims = tensor_dims
        elif any(map(_is_less_specific, copy.inputs, op.inputs)):
            infer(copy)
        else:
            infer(copy, dims)
        self._record_copy(op, copy.outputs, copy)

    def _copy_device(self, op: Operation) -> str:
        return op.device or ("" if self.call is None else self.call.device)

    def _frames(self, op: Operation) -> Frames:
        """Returns the source line that created the node; if unknown, the innermost call's."""
        return op._frames or (() if self.call is None else self.call.frames)

    def _rename_attrs(self, attrs: Attrs) -> Attrs:
        """Returns the attrs of a copy, with colocation groups renamed to the copied nodes."""
        groups = attrs.get("_class")
        if not isinstance(groups, tuple) or not groups:
            return attrs
        classes = []
        for group in groups:
            name = group.removeprefix(COLOCATION_PREFIX)
            if name == group:
                classes.append(group)
            elif name in self.names:
                classes.append(COLOCATION_PREFIX + self.names[name])
        return {**attrs, "_class": tuple(classes)}

    def _replace_op(
        self,
        op: Operation,
        rule: Rule,
        inputs: list[Tensor],
        controls: list[Operation],
    ) -> Work[None]:
        if not inputs and not controls:
            controls = list(self.roots)
        name = self.prefix + op.name
        call = Call(op, name, inputs, controls, self.chain, self._copy_device(op), self._frames(op))
        replaced = yield from rule(self.inlined, call)
        nodes = CallNodeBuilder(self.inlined.graph, call)
        outputs = []
        for index, (tensor, old) in enumerate(zip(replaced.outputs, op.outputs)):
            output = nodes.identity(tensor, f"output_{index}")
            infer(output.op, [None if _is_guessed(op) else old._dims])
            output.op._added_effects = tuple(replaced.effects)
            outputs.append(output)
        done_marker = nodes.add("NoOp", "done", [], [replaced.done])
        done_marker._added_effects = tuple(replaced.effects)
        if self.call is None:
            for replacement in (done_marker, *(output.op for output in outputs)):
                replacement._stands_for = op
        self._record_copy(op, outputs, done_marker)

    def _record_copy(self, op: Operation, outputs: Sequence[Tensor], copy: Operation) -> None:
        self.ops[op] = copy
        self.names[op.name] = copy.name
        for old, new in zip(op.outputs, outputs):
            self.tensors[old] = new
            if decides_shapes(old):
                new._decides_shapes = True


def _is_guessed(op: Operation) -> bool:
    """Whether a node's shape is an assumption: that a loop's results have the shapes of its initial values."""
    return op.type in ("While", "StatelessWhile") and not op.attrs["output_shapes"]


def _is_less_specific(new: Tensor, old: Tensor) -> bool:
    """Whether a tensor's static shape is less specific than the shape of its original."""
    if old._dims is None or new._dims is None:
        return new._dims is None and old._dims is not None
    return any(n is None and o is not None for n, o in zip(new._dims, old._dims))
