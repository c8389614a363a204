"""Expands nodes that a TensorFlow master has rewritten back to the original nodes.

Its optimizer (grappler) fuses chains of nodes before sending them to workers; here the compiler fuses them again, for
this task's devices. `_SwitchN` is the lowered form of `Case`, `_ParallelConcatUpdate` of `ParallelConcat`. Since
`ParallelConcat` and `AccumulateNV2` have no kernels in TensorFlow, tfmini's masters rewrite them too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.tensor_proto import make_tensor_proto

_FUSED_OPS = {"_FusedMatMul": "MatMul", "_FusedConv2D": "Conv2D"}
_OUTPUTS = {"_FusedMatMul": "product", "_FusedConv2D": "output", "_UnaryOpsComposition": "y"}
_ARGUMENTS = {"BiasAdd": 1, "FusedBatchNorm": 4}  # number of extra inputs of a fused op
_INT32 = dtypes.int32.as_datatype_enum
_START, _UPDATE = "_ParallelConcatStart", "_ParallelConcatUpdate"
_RENAMED_OPS = {"_HostCast": "Cast", "AccumulateNV2": "AddN"}
_OTHER_OPS = {"_UnaryOpsComposition", "_SwitchN", _START, _UPDATE, "ParallelConcat", *_RENAMED_OPS}


def expand_rewrites(graph_def: Any) -> tuple[Any, dict[str, str]]:
    """Returns the GraphDef with expanded nodes, and the fused node's name for each new node but the last of a chain.

    Raises:
      InvalidArgumentError: for a rewritten node that TensorFlow 1.15.5 does not produce.
    """
    bodies = [graph_def.node, *(function.node_def for function in graph_def.library.function)]
    if not any(node.op in _FUSED_OPS or node.op in _OTHER_OPS for body in bodies for node in body):
        return graph_def, {}
    try:
        return _expand_graph_def(graph_def)
    except (IndexError, KeyError, ValueError) as error:
        raise InvalidArgumentError(None, None, f"Invalid rewritten node: {error}") from None


def _expand_graph_def(graph_def: Any) -> tuple[Any, dict[str, str]]:
    result = proto.GraphDef()
    result.versions.CopyFrom(graph_def.versions)
    expansion = _Expansion(graph_def.node, is_function=False)
    result.node.extend(expansion.nodes)
    result.library.gradient.extend(graph_def.library.gradient)
    for function in graph_def.library.function:
        body = _Expansion(function.node_def, is_function=True)
        copy = result.library.function.add()
        copy.CopyFrom(function)
        del copy.node_def[:]
        copy.node_def.extend(body.nodes)
        for output, source in function.ret.items():
            copy.ret[output] = body.renamed.get(source, source)
    return result, expansion.original_names


class _Expansion:
    """Expands the nodes of one graph or function."""

    def __init__(self, nodes: Sequence[Any], is_function: bool):
        self._in_function = is_function
        self.nodes: list[Any] = []
        self.original_names: dict[str, str] = {}
        self.renamed: dict[str, str] = {}
        self._updates: dict[str, list[Any]] = {}
        for node in nodes:
            if node.op == _UPDATE:
                self._updates.setdefault(node.input[0].split(":")[0], []).append(node)
        self._starts = {node.name: node for node in nodes if node.op == _START}
        for node in nodes:
            self._expand(node)
        for node in self.nodes:
            if any(source in self.renamed for source in node.input):
                node.input[:] = [self.renamed.get(source, source) for source in node.input]

    def _expand(self, node: Any) -> None:
        if node.op in _FUSED_OPS:
            self._chain(node, list(_fusion(node)))
        elif node.op == "_UnaryOpsComposition":
            self._chain(node, [(name.decode(), 0) for name in node.attr["op_names"].list.s])
        elif node.op == "_SwitchN":
            self._switches(node)
        elif node.op == "Identity" and node.input[0].split(":")[0] in self._starts:
            self._concat_updates(node)
        elif node.op == "ParallelConcat":
            count = node.attr["N"].i
            self._concat(node, node.input[:count], node.input[count:])
        elif node.op not in (_START, _UPDATE):
            self._add(node, node.name, node.op).CopyFrom(node)
            if node.op in _RENAMED_OPS:
                self.nodes[-1].op = _RENAMED_OPS[node.op]
                self.nodes[-1].attr.pop("shape", None)

    def _add(self, node: Any, name: str, op: str, inputs: Sequence[str] = ()) -> Any:
        node_def = proto.NodeDef(name=name, op=op, device=node.device, input=inputs)
        self.nodes.append(node_def)
        return node_def

    def _integer(self, node: Any, name: str, value: int, sibling: str) -> str:
        """Creates an integer constant in the frame of `sibling`."""
        controls = [] if self._in_function else [f"^{sibling.split(':')[0]}"]
        constant = self._add(node, name, "Const", controls)
        constant.attr["dtype"].type = _INT32
        constant.attr["value"].tensor.CopyFrom(make_tensor_proto(value, dtypes.int32))
        self.original_names[name] = node.name
        return self._output(name, "Const")

    def _output(self, name: str, op: str) -> str:
        return f"{name}:{registry[op].outputs[0].name}:0" if self._in_function else name

    def _chain(self, node: Any, ops: list[tuple[str, int]]) -> None:
        """Replaces a node with a chain of nodes of types `ops`, each with its number of further inputs."""
        controls = [source for source in node.input if source.startswith("^")]
        inputs = [source for source in node.input if not source.startswith("^")]
        first = len(inputs) - sum(count for _, count in ops)
        value, other_inputs = inputs[:first], inputs[first:]
        for position, (op, count) in enumerate(ops):
            is_last = position + 1 == len(ops)
            name = node.name if is_last else f"{node.name}/_{position}_{op}"
            chain_inputs, other_inputs = other_inputs[:count], other_inputs[count:]
            result = self._add(node, name, op, [*value, *chain_inputs, *controls])
            value, controls = [self._output(name, op)], []
            for key in {*registry[op].attrs} & {*node.attr}:
                result.attr[key].CopyFrom(node.attr[key])
            if op == "FusedBatchNormV3":
                result.attr["U"].type = dtypes.float32.as_datatype_enum
                result.attr["is_training"].b = False
            if not is_last:
                self.original_names[name] = node.name
            elif self._in_function:
                self.renamed[f"{node.name}:{_OUTPUTS[node.op]}:0"] = value[0]

    def _switches(self, node: Any) -> None:
        """Creates a Switch for every branch but the last, which handles all other indices."""
        data, index, *controls = node.input
        count = node.attr["num_outs"].i
        for branch in range(count - 1):
            names = [f"{node.name}/_{branch}_{role}" for role in ("Const", "Equal", "Switch")]
            constant = self._integer(node, names[0], branch, index)
            equal = self._add(node, names[1], "Equal", [index, constant, *controls])
            equal.attr["T"].type = _INT32
            switch = self._add(node, names[2], "Switch", [data, names[1], *controls])
            switch.attr["T"].CopyFrom(node.attr["T"])
            self.original_names.update(dict.fromkeys(names[1:], node.name))
            self._rename(node.name, branch, f"{names[2]}:1")
            data = names[2]
        last = self._add(node, node.name, "Identity", [data, *controls])
        last.attr["T"].CopyFrom(node.attr["T"])
        self._rename(node.name, count - 1, node.name)
        if count > 1:  # runs in either branch
            self.renamed[f"^{node.name}"] = f"^{node.name}/_0_Equal"

    def _rename(self, name: str, output_index: int, source: str) -> None:
        self.renamed[f"{name}:{output_index}"] = source
        if output_index == 0:
            self.renamed[name] = source

    def _concat_updates(self, node: Any) -> None:
        """Creates the concatenation, which reads the array after its updates."""
        start, *controls = node.input
        start = start.split(":")[0]
        updates = sorted(self._updates[start], key=lambda update: update.attr["loc"].i)
        update_controls = {f"^{update.name}" for update in updates}
        remaining_controls = [source for source in controls if source not in update_controls]
        self._concat(node, [update.input[1] for update in updates], remaining_controls)

    def _concat(self, node: Any, values: Sequence[str], controls: Sequence[str]) -> None:
        """Creates the node as a concatenation of values, which other tasks send without a static shape."""
        if len(values) == 1:
            result = self._add(node, node.name, "Identity", [*values, *controls])
        else:
            axis = self._integer(node, f"{node.name}/_axis", 0, values[0])
            result = self._add(node, node.name, "ConcatV2", [*values, axis, *controls])
            result.attr["N"].i = len(values)
            result.attr["Tidx"].type = _INT32
        result.attr["T"].CopyFrom(node.attr["T"])


def _fusion(node: Any) -> Iterator[tuple[str, int]]:
    """Returns the op types of a fused node's chain, each with its number of inputs in addition to the chain's value."""
    yield _FUSED_OPS[node.op], 0
    for text in node.attr["fused_ops"].list.s:
        op = text.decode()
        if op not in _ARGUMENTS and op not in ("Relu", "Relu6", "Elu"):
            raise ValueError(f"{node.name}: {node.op} does not support {op}")
        yield "FusedBatchNormV3" if op == "FusedBatchNorm" else op, _ARGUMENTS.get(op, 0)
