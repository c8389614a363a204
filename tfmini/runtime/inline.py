"""inline: from the graph of a session, the graph that it runs: calls of functions replaced by what they run.

The nodes of a function's body stand in the place of the node that calls it, named below it; If and Case become
Switches and Merges, While and For a frame, as in TensorFlow's own lowering: the stages that follow know no functions.
A node with an effect runs if its call does. A graph without calls is left as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any

from tfmini.graph.attributes import NameAttrList
from tfmini.graph.function_bodies import Body, body_of
from tfmini.graph.graph import Graph
from tfmini.graph.operation import Operation
from tfmini.graph.tensor import Tensor
from tfmini.runtime.inline_branches import case, conditional
from tfmini.runtime.inline_calls import plain_call, remote_call, symbolic_gradient
from tfmini.runtime.inline_checks import unknown_function
from tfmini.runtime.inline_loops import for_loop, while_loop
from tfmini.runtime.inline_nodes import (
    Call,
    Chain,
    Link,
    Nodes,
    Replaced,
    infer,
    put,
    replace_input,
)
from tfmini.runtime.prune import in_order, loops_back

_LOOPS_BACK = ("NextIteration", "RefNextIteration")
_ENTERS = ("Enter", "RefEnter")
_GROUP = "loc:@"


# How calls are replaced, by op type: `rule(inlined, call)`; the first, those by a function's name.
RULES: dict[str, Callable[[Any, Call], Replaced]] = {
    "": plain_call,
    "PartitionedCall": plain_call,
    "StatefulPartitionedCall": plain_call,
    "RemoteCall": remote_call,
    "SymbolicGradient": symbolic_gradient,
    "If": conditional,
    "StatelessIf": conditional,
    "Case": case,
    "While": while_loop,
    "StatelessWhile": while_loop,
    "For": for_loop,
}


def is_call(op: Operation) -> bool:
    """Whether a node calls functions."""
    return op.opdef.is_function or op.type in RULES


class Inlined:
    """A graph and the graph that is run for it, kept up with it as it grows.

    graph: what is run: the graph itself while nothing in it calls functions.
    placement, gpus: of the session, for what is compiled when it is reached.
    """

    def __init__(self, source: Graph, placement: Any, gpus: Mapping[str, Any]):
        self.source = source
        self.placement = placement
        self.gpus = gpus
        self._restart()

    def _restart(self) -> None:
        self.graph = self.source
        self._seen = 0
        self._tensors: dict[Tensor, Tensor] = {}
        self._ops: dict[Operation, Operation] = {}
        self._bodies: dict[str, tuple[Any, list[tuple[dict, Body]]]] = {}
        self.recursions: dict[str, list] = {}

    def update(self) -> Graph:
        """Takes in what the graph has gained; returns the graph that is run.

        Raises:
          InvalidArgumentError, NotFoundError: if a function is not there, or does not hold together.
        """
        ops = self.source._ops
        count = len(ops)
        new = ops[self._seen : count]
        if self.graph is self.source:
            if not any(is_call(op) for op in new):
                self._seen = count
                return self.graph
            self.graph = Graph()
            self.graph._functions = self.source._functions
            new = ops[:count]
        try:
            Copy(self, self._tensors, self._ops).add(new)
        except BaseException:
            self._restart()
            raise
        self._seen = count
        return self.graph

    def tensor(self, tensor: Tensor) -> Tensor:
        """The tensor that is computed for one of the graph."""
        return self._tensors.get(tensor, tensor)

    def operation(self, op: Operation) -> Operation:
        """The operation that runs for one of the graph."""
        return self._ops.get(op, op)

    def beside(self, graph: Graph) -> Inlined:
        """The same for nodes that go into another graph."""
        other = copy(self)
        other.graph = graph
        return other

    # For the rules -------------------------------------------------------------------------------

    def body(self, called: NameAttrList, call: Call) -> Body:
        """The body of the function that a call names."""
        function = self.source._functions.get(called.name)
        if function is None:
            raise unknown_function(called.name, self.source._functions, call)
        known, made = self._bodies.get(called.name, (None, []))
        if known is not function:
            known, made = self._bodies[called.name] = (function, [])
        attrs = {
            field.name: called.attrs.get(field.name) for field in function.definition.signature.attr
        }
        for given, body in made:
            if given == attrs:
                return body
        made.append((attrs, self.new_body(called, call)))
        return made[-1][1]

    def new_body(self, called: NameAttrList, call: Call) -> Body:
        """The same, in a graph that is the caller's to change."""
        function = self.source._functions.get(called.name)
        if function is None:
            raise unknown_function(called.name, self.source._functions, call)
        return body_of(function, called.attrs, self.source._functions)

    def put_body(
        self,
        call: Call,
        name: str,
        body: Body,
        inputs: Sequence[Tensor],
        roots: Sequence[Operation],
        below: str = "",
    ) -> tuple[list[Tensor], list[Operation]]:
        """Adds the body of a function called `name`: the tensors that it gives, and the nodes with effects.

        Args:
          inputs: its arguments.
          roots: what nodes of the body wait for that have no inputs.
          below: what the names of its nodes start with, below the call's.
        """
        tensors = {arg.outputs[0]: tensor for arg, tensor in zip(body.arguments, inputs)}
        ops = {arg: tensor.op for arg, tensor in zip(body.arguments, inputs)}
        chain = (*call.chain, Link(call.name, name, call.frames))
        copy = Copy(self, tensors, ops, f"{call.name}/{below}", roots, call, chain)
        copy.add([op for op in body.graph._ops if op not in ops])
        kept = [ops[op] for op in body.kept if op in ops]
        return [tensors[result] for result in body.results], kept


class Copy:
    """Copies nodes into the graph that is run; calls among them are replaced.

    tensors, ops: what stands there for the nodes' tensors and operations; grows.
    """

    def __init__(
        self,
        inlined: Inlined,
        tensors: dict[Tensor, Tensor],
        ops: dict[Operation, Operation],
        prefix: str = "",
        roots: Sequence[Operation] = (),
        call: Call | None = None,
        chain: Chain = (),
    ):
        self.inlined = inlined
        self.tensors = tensors
        self.ops = ops
        self.prefix = prefix
        self.roots = roots
        self.call = call
        self.chain = chain

    def add(self, nodes: Sequence[Operation]) -> None:
        """Adds copies of nodes, in an order in which each comes after its inputs."""
        back = {t for op in nodes if op.type in _LOOPS_BACK for t in op.outputs}
        waiting: list[tuple[Operation, int, Tensor]] = []
        for op in in_order(set(nodes), back):
            inputs = []
            for position, tensor in enumerate(op.inputs):
                found = self.tensors.get(tensor)
                if found is None:
                    assert loops_back(op, tensor)
                    found = Tensor(None, 0, tensor.dtype)
                    waiting.append((op, position, tensor))
                inputs.append(found)
            controls = [self.ops[control] for control in op._control_inputs]
            if is_call(op):
                self._replace(op, inputs, controls)
            else:
                self._copy(op, inputs, controls)
        for op, position, tensor in waiting:
            replace_input(self.ops[op], position, self.tensors[tensor])

    def _copy(self, op: Operation, inputs: list[Tensor], controls: list[Operation]) -> None:
        attrs = self._renamed(op.attrs) if self.prefix else op.attrs
        if op.type in _ENTERS and self.prefix:
            attrs = {**attrs, "frame_name": self.prefix + attrs["frame_name"]}
        copy = put(
            self.inlined.graph,
            op.opdef,
            self.prefix + op.name,
            inputs,
            attrs,
            controls if inputs or controls else self.roots,
            exactly=not self.prefix,
        )
        copy.device = self._device(op)
        copy._device_assignments = op._device_assignments
        copy._frames = self._frames(op)
        if self.call is None:
            copy._stands_for = op
        copy._chain = self.chain
        dims = [tensor._dims for tensor in op.outputs]
        known = [tensor._dims for tensor in op.inputs]
        if [tensor._dims for tensor in copy.inputs] == known or op.type in ("Merge", "RefMerge"):
            for tensor, declared in zip(copy.outputs, dims):
                tensor._dims = declared
        elif any(map(_less_known, copy.inputs, op.inputs)):
            infer(copy)
        else:
            infer(copy, dims)
        self._note(op, copy.outputs, copy)

    def _device(self, op: Operation) -> str:
        return op.device or ("" if self.call is None else self.call.device)

    def _frames(self, op: Operation) -> Any:
        """The line that made the node; where none is known, that of the innermost call."""
        return op._frames or (() if self.call is None else self.call.frames)

    def _renamed(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Attrs whose groups of nodes on one device are those of this body."""
        groups = attrs.get("_class")
        if not isinstance(groups, tuple) or not groups:
            return attrs
        names = {op.name: copy.name for op, copy in self.ops.items()}
        renamed = [
            _GROUP + names[group[len(_GROUP) :]] if group[len(_GROUP) :] in names else group
            for group in groups
        ]
        kept = [
            g for g in renamed if not g.startswith(_GROUP) or g[len(_GROUP) :] in names.values()
        ]
        return {**attrs, "_class": tuple(kept)}

    def _replace(self, op: Operation, inputs: list[Tensor], controls: list[Operation]) -> None:
        if not inputs and not controls:
            controls = list(self.roots)
        name = self.prefix + op.name
        call = Call(op, name, inputs, controls, self.chain, self._device(op), self._frames(op))
        rule = RULES["" if op.opdef.is_function else op.type]
        replaced = rule(self.inlined, call)
        nodes = Nodes(self.inlined.graph, call)
        outputs = []
        for number, (tensor, old) in enumerate(zip(replaced.outputs, op.outputs)):
            output = nodes.identity(tensor, f"output_{number}")
            infer(output.op, [None if _is_guessed(op) else old._dims])
            output.op._brings = tuple(replaced.kept)
            outputs.append(output)
        done = nodes.add("NoOp", "done", [], [replaced.done])
        done._brings = tuple(replaced.kept)
        if self.call is None:
            for made in (done, *(output.op for output in outputs)):
                made._stands_for = op
        self._note(op, outputs, done)

    def _note(self, op: Operation, outputs: Sequence[Tensor], copy: Operation) -> None:
        self.ops[op] = copy
        for old, new in zip(op.outputs, outputs):
            self.tensors[old] = new


def _is_guessed(op: Operation) -> bool:
    """Whether the graph takes the shapes of a loop's results for those of its start."""
    return op.type in ("While", "StatelessWhile") and not op.attrs["output_shapes"]


def _less_known(new: Tensor, old: Tensor) -> bool:
    """Whether less is known of a tensor's shape than the program's graph says."""
    if old._dims is None or new._dims is None:
        return new._dims is None and old._dims is not None
    return any(n is None and o is not None for n, o in zip(new._dims, old._dims))
