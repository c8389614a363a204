"""Imports the nodes of a GraphDef: creates, validates and links them, then adds them to a graph.

Nodes are created in topological order, ties broken by GraphDef order; a Merge does not wait for the NextIteration
that feeds it back. All are created and validated before the first is added, so a rejected GraphDef leaves the graph
unchanged. The open scopes' control inputs, devices, attrs and contexts are then applied to the new nodes.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from tfmini._src.base import errors, proto, version
from tfmini._src.base.dtypes import DType
from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph import op_registry, stack_traces
from tfmini._src.graph.attributes import to_str
from tfmini._src.graph.device_spec import DeviceScope, canonical
from tfmini._src.graph.graph import Graph, describe_conflict
from tfmini._src.graph.graphdef.colocation_groups import (
    groups_of_node,
    other_groups,
    rename_groups,
)
from tfmini._src.graph.graphdef.removed_ops import check_removal
from tfmini._src.graph.graphdef.validation import (
    MAX_OUTPUTS,
    check_input_count,
    check_numbers,
    checked_attrs,
    input_types,
)
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import InferenceError, merge
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.function_library import Function

CONTROL = -1  # the output index of a control edge
_VALID_NAME = re.compile("[A-Za-z0-9.][A-Za-z0-9_.\\-/]*")
_INDEXED_OUTPUT = re.compile("(.+):([0-9]+)")
_STRICT_SHAPES = 21  # GraphDefs of earlier producers may contain wrong `_output_shapes`
_NO_SCALARS = 21  # up to this producer version, a placeholder's shape [] means unknown
_LOOPS_BACK = ("NextIteration", "RefNextIteration")
_MERGES = ("Merge", "RefMerge")

# Ops whose shape rules were fixed after graphs with wrong `_output_shapes` had been written.
_LENIENT_SHAPES = frozenset(
    "RandomShuffleQueue PaddingFIFOQueue FIFOQueue PriorityQueue QueueSize Stack Barrier"
    " BarrierReadySize BarrierIncompleteSize HashTable MutableHashTable MutableHashTableOfTensors"
    " Mutex CuckooTable IndexTable WholeFileReader TextLineReader FixedLengthRecordReader"
    " TFRecordReader IdentityReader LMDBReader RefSwitch RefEnter RefNextIteration RefMerge"
    " RefIdentity ConditionalAccumulator SparseConditionalAccumulator Table".split()
)


class Source(NamedTuple):
    """The source of a node input: a node name and an output index, or `CONTROL`."""

    name: str
    output: int


def _parse_input(text: str) -> Source:
    """Parses an input of a NodeDef: "x", "x:1" or "^x"."""
    if text.startswith("^"):
        return Source(text[1:], CONTROL)
    match = _INDEXED_OUTPUT.fullmatch(text)
    return Source(match[1], int(match[2])) if match else Source(text, 0)


def tensor_name(text: str) -> Source:
    parts = text.split(":")
    if len(parts) == 1:
        return Source(text, 0)
    if len(parts) > 2 or not re.fullmatch(r"\s*[+-]?\d+\s*", parts[1]):
        raise ValueError(f"Cannot convert {text!r} to a tensor name.")
    return Source(parts[0], int(parts[1]))


class Importer:
    """A single import: creates the nodes of a GraphDef, then adds them to the graph."""

    valid_name = _VALID_NAME

    def __init__(
        self,
        graph: Graph,
        graph_def: proto.GraphDef,
        scope: str,
        input_map: dict[str | bytes, Tensor],
    ) -> None:
        self.graph = graph
        self.graph_def = graph_def
        self.producer = graph_def.versions.producer
        self.scope = scope
        self.mapped = {self._source(k): self._existing(k, value) for k, value in input_map.items()}
        self.used_sources: set[Source] = set()
        self.sources: list[list[Source]] = []
        self.index: dict[str, int] = {}
        self.imported: dict[str, Operation] = {}  # by GraphDef name
        self.order: list[Operation] = []
        self.back_edges: list[tuple[Operation, int, Source]] = []
        self.taken_names: set[str] | None = None
        self.remaining_outputs = MAX_OUTPUTS
        self.functions: dict[str, Function] = {}

    @staticmethod
    def _source(key: str | bytes) -> Source:
        text = to_str(key)
        return Source(text[1:], CONTROL) if text.startswith("^") else tensor_name(text)

    def _existing(self, key: str | bytes, tensor: Tensor) -> Tensor:
        """Returns the graph's tensor of this name, since an input map refers to tensors by name."""
        op = self.graph._nodes_by_name.get(tensor.op.name)
        if op is None:
            entry = ":".join(map(str, tensor_name(to_str(key))))
            raise ValueError(
                f"node '{tensor.op.name}' in input_map does not exist in graph "
                f"(input_map entry: {entry}->{tensor.name})"
            )
        return op.outputs[tensor.value_index]

    # Making nodes --------------------------------------------------------------------------------

    def make_nodes(self, functions: Iterable[Function] = ()) -> None:
        """Creates and links all operations in order; raises if the GraphDef is invalid.

        functions: the functions of the GraphDef's library.
        """
        self._check_functions(functions)
        self._index_nodes()
        waiting, consumers, ready = self._input_edges()
        nodes = self.graph_def.node
        count = 0
        while ready:
            index = heapq.heappop(ready)
            count += 1
            node = nodes[index]
            self._create_operation(node, self.sources[index])
            loops_back = node.op in _LOOPS_BACK
            for consumer in consumers[index]:
                if loops_back and nodes[consumer].op in _MERGES:
                    continue
                waiting[consumer] -= 1
                if waiting[consumer] == 0:
                    heapq.heappush(ready, consumer)
        if count < len(nodes):
            raise ValueError(f"{len(nodes) - count} nodes in a cycle")
        for op, position, source in self.back_edges:
            tensor = self._back_edge_output(source)
            _check_type(op.name, position, tensor, op.inputs[position].dtype)
            op._inputs = (*op.inputs[:position], tensor, *op.inputs[position + 1 :])
        for op in self.order:
            rename_groups(op, self.imported)

    def _check_functions(self, functions: Iterable[Function]) -> None:
        self.functions = {function.name: function for function in functions}
        for name, function in self.functions.items():
            existing = self.graph._functions.get(name)
            problem = None if existing is None else describe_conflict(existing, function)
            if name in op_registry.registry:
                problem = (
                    f"Cannot add function '{name}' because an op with the same name already exists."
                )
            if problem:
                raise ValueError(problem)

    def _index_nodes(self) -> None:
        for index, node in enumerate(self.graph_def.node):
            name = node.name
            if not self.valid_name.fullmatch(name):
                raise ValueError(f"Node '{name}': Node name contains invalid characters")
            if name in self.index:
                raise ValueError(f"Node '{name}' is not unique")
            self.index[name] = index
            if not node.op:
                raise ValueError(f"Node '{name}' does not specify an operation")
            sources = [_parse_input(text) for text in node.input]
            self.sources.append(sources)
            control_flags = [source.output == CONTROL for source in sources]
            if control_flags != sorted(control_flags):
                raise ValueError(
                    f"Node '{name}': Control dependencies must come after regular dependencies"
                )

    def _input_edges(self) -> tuple[list[int], list[list[int]], list[int]]:
        """Returns the pending input count and consumers of each node, and a heap of the ready nodes."""
        nodes = self.graph_def.node
        back_names = {node.name for node in nodes if node.op in _LOOPS_BACK}
        waiting: list[int] = []
        consumers: list[list[int]] = [[] for _ in nodes]
        ready: list[int] = []
        for index, node in enumerate(nodes):
            sources = self.sources[index]
            count = len(sources)
            if node.op in _MERGES:
                controls = sum(source.output == CONTROL for source in sources)
                if any(s.output != CONTROL and s.name in back_names for s in sources):
                    count = controls + 1
            for source, text in zip(sources, node.input):
                if source in self.mapped:
                    count -= 1
                    continue
                if source.name not in self.index:
                    raise ValueError(f"Node '{node.name}': Unknown input node '{text}'")
                consumers[self.index[source.name]].append(index)
            waiting.append(count)
            if count == 0:
                heapq.heappush(ready, index)
        return waiting, consumers, ready

    def _create_operation(self, node: proto.NodeDef, sources: list[Source]) -> None:
        """Creates the operation of a NodeDef whose inputs exist."""
        for group in groups_of_node(node):
            if group not in self.index:
                raise ValueError(
                    f"Node '{node.name}' expects to be colocated with unknown node '{group}'"
                )
        inputs: list[Tensor | None] = []
        controls: list[Operation] = []
        pending_sources: list[tuple[int, Source]] = []
        for source in sources:
            value = self._resolve_input(node.name, source)
            if isinstance(value, Operation):
                if value not in controls:
                    controls.append(value)
            else:
                if value is None:
                    pending_sources.append((len(inputs), source))
                inputs.append(value)
        if pending_sources and node.op not in _MERGES:
            raise ValueError(
                f"Node '{node.name}' had a back edge, but only Merge nodes can have back edges."
            )
        name = self._new_name(node.name)
        definition = self.functions.get(node.op) or self.graph._functions.get(node.op)
        if definition is None and node.op not in op_registry.registry:
            check_removal(node.op, self.producer)
            self._raise_unknown_op_error(node.op)
        opdef = op_registry.registry[node.op] if definition is None else definition.opdef
        attrs = checked_attrs(node, opdef, name)
        check_removal(node.op, self.producer)
        self.remaining_outputs = check_numbers(
            opdef, attrs, len(inputs), self.remaining_outputs, name
        )
        types = input_types(opdef, attrs)
        check_input_count(opdef, types, len(inputs), name)
        output_shapes = attrs.pop("_output_shapes", None)
        if attrs.get("_class", ()) is None:
            del attrs["_class"]
        tensors = tuple(
            tensor if tensor is not None else Tensor(None, 0, dtype)
            for tensor, dtype in zip(inputs, types)
        )
        op = Operation._create(
            self.graph,
            opdef,
            name,
            tensors,
            None if opdef.takes_single_tensors else tuple(types),
            attrs,
            controls,
        )
        op._device = node.device
        mapped = frozenset(
            n for n, source in enumerate(sources[: len(inputs)]) if source in self.mapped
        )
        if mapped:
            op._replaced_inputs = mapped
        for position, (tensor, dtype) in enumerate(zip(inputs, types)):
            if tensor is not None:
                _check_type(name, position, tensor, dtype)
        if opdef.shape_rule is not None:
            self.graph._infer_shapes(op, opdef.shape_rule)
        if node.op == "Placeholder" and not attrs["shape"] and self.producer <= _NO_SCALARS:
            op.outputs[0]._dims = None
        if isinstance(output_shapes, tuple):
            self._merge_shapes(
                op, [shape for shape in output_shapes if isinstance(shape, TensorShape)]
            )
        self.back_edges += [(op, position, source) for position, source in pending_sources]
        self.imported[node.name] = op
        self.order.append(op)

    def _raise_unknown_op_error(self, op_type: str) -> None:
        """Raises TensorFlow's error for the first unknown op, followed by a list of all of them."""
        functions = {*self.functions, *self.graph._functions}
        counts = Counter(node.op for node in self.graph_def.node)
        unknown = sorted(set(counts) - set(op_registry.registry) - functions)
        listed = ", ".join(f"{name} ({counts[name]})" for name in unknown)
        raise errors.NotFoundError(
            None,
            None,
            f"{op_registry.unknown_op_text(op_type)}\nUnsupported ops of this graph, with node counts: {listed}. "
            "If your fetches do not depend on them, remove them with tf.graph_util.extract_sub_graph(graph_def, "
            "fetched node names), or replace their outputs by tensors with import_graph_def(..., input_map=...).",
        )

    def _resolve_input(self, consumer: str, source: Source) -> Tensor | Operation | None:
        """Resolves an input to a tensor, a control operation, or None if it is created later."""
        if source in self.mapped:
            self.used_sources.add(source)
            tensor = self.mapped[source]
            return tensor.op if source.output == CONTROL else tensor
        if source.name not in self.imported:
            return None
        if source.output == CONTROL:
            return self.imported[source.name]
        return self._imported_tensor(consumer, source)

    def _imported_tensor(self, consumer: str, source: Source) -> Tensor:
        outputs = self.imported[source.name].outputs
        if source.output >= len(outputs):
            raise ValueError(
                f"Node '{consumer}': Connecting to invalid output {source.output} of source node "
                f"{source.name} which has {len(outputs)} outputs."
            )
        return outputs[source.output]

    def _back_edge_output(self, source: Source) -> Tensor:
        op = self.imported[source.name]
        if source.output >= len(op.outputs):
            raise ValueError(
                f"Output {source.output} of node {op.name} does not exist. Node only has "
                f"{len(op.outputs)} outputs."
            )
        return op.outputs[source.output]

    def _new_name(self, name: str) -> str:
        """Returns the node's name in the graph: scoped, with a suffix if already taken."""
        base = self.scope + name
        if self.taken_names is None:
            self.taken_names = _names_and_scopes(self.graph)
        candidate, count = base, 0
        while candidate in self.taken_names or (count and candidate in self.index):
            count += 1
            candidate = f"{base}_{count}"
        return candidate

    def _merge_shapes(self, op: Operation, shapes: list[TensorShape]) -> None:
        """Merges the declared output shapes of a NodeDef with the inferred ones."""
        for index, (tensor, shape) in enumerate(zip(op.outputs, shapes)):
            try:
                tensor._dims = merge(tensor._dims, shape._dims)
            except InferenceError as error:
                is_lenient = self.graph_def.versions.producer < _STRICT_SHAPES
                if is_lenient or op.type in _LENIENT_SHAPES:
                    continue
                raise ValueError(
                    f"Node '{op.name}' has an _output_shapes attribute inconsistent with the "
                    f"GraphDef for output #{index}: {error}"
                ) from None

    def find(self, request: Source) -> Tensor | Operation:
        """Returns the operation or tensor named by an element of `return_elements`."""
        name, index = request
        if request in self.mapped and index != CONTROL:
            return self.mapped[request]
        if name not in self.imported:
            kind, reference = ("node", name) if index == CONTROL else ("tensor", f"{name}:{index}")
            raise ValueError(f"Requested return {kind} '{reference}' not found in graph def")
        if index == CONTROL:
            return self.imported[name]
        outputs = self.imported[name].outputs
        if not 0 <= index < len(outputs):
            raise ValueError(
                f"Invalid return output {index} of node '{name}', which has {len(outputs)} "
                "output(s)"
            )
        return outputs[index]

    def unused_inputs(self) -> list[str]:
        """Returns the sorted input map keys that do not occur in the GraphDef."""
        unused = []
        for source in sorted(set(self.mapped) - self.used_sources):
            op = self.imported.get(source.name)
            if op is None or source.output >= len(op.outputs):
                control = source.output == CONTROL
                unused.append(f"^{source.name}" if control else f"{source.name}:{source.output}")
        return unused

    # Adding them to the graph --------------------------------------------------------------------

    def add_to_graph(self, stack: stack_traces.Frames) -> None:
        """Adds the operations to the graph, then applies the open scopes."""
        graph = self.graph
        if graph._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")
        graph._merge_versions(self.graph_def.versions)
        for op in self.order:
            graph._add_op(op, stack, None)
            graph._names_in_use.setdefault(op.name.lower(), 1)
            graph._apply_scopes(op, devices=False)
        for op in self.order:
            op._add_control_inputs(graph._control_dependencies_for(set()))
            if op._control_flow_context is not None:
                op._control_flow_context.AddOp(op)
        for op in self.order:
            self._set_device(op)
        for op in self.order:
            self._follow_group(op)
        for name, function in self.functions.items():
            if name not in graph._functions:
                function.add_to_graph(graph)

    def _set_device(self, op: Operation) -> None:
        """Sets the device of an imported node: the requested device merged with the open device blocks."""
        requested, op._device = op.device, ""
        if not other_groups(op):
            if requested:
                op._device = DeviceScope(requested).apply(op)
            self.graph._apply_devices(op)

    def _follow_group(self, op: Operation) -> None:
        """Sets the device of `op` to the first device requested in its colocation group."""
        for name in other_groups(op):
            other = self.graph._nodes_by_name.get(name)
            if other is None:
                raise ValueError(
                    "Specified colocation to an op that does not exist during import: "
                    f"{name} in {op.name}"
                )
            if other.device:
                op._device = canonical(other.device)
                break


def check_versions(versions: proto.VersionDef) -> None:
    """Raises ValueError for a GraphDef that this version cannot read."""
    if versions.producer < version.GRAPH_DEF_VERSION_MIN_PRODUCER:
        raise ValueError(
            f"GraphDef producer version {versions.producer} below min producer "
            f"{version.GRAPH_DEF_VERSION_MIN_PRODUCER} supported by TensorFlow {version.VERSION}.  Please "
            "regenerate your graph."
        )
    if versions.min_consumer > version.GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version "
            f"{version.GRAPH_DEF_VERSION} for TensorFlow {version.VERSION}.  Please upgrade TensorFlow."
        )
    if version.GRAPH_DEF_VERSION in versions.bad_consumers:
        raise ValueError(
            f"GraphDef disallows consumer version {version.GRAPH_DEF_VERSION}.  Please upgrade TensorFlow: this "
            "version is likely buggy."
        )


def _check_type(name: str, position: int, tensor: Tensor, expected: DType) -> None:
    passed = tensor.dtype
    if passed is not expected and passed.base_dtype is not expected:
        raise ValueError(
            f"Input {position} of node {name} was passed {passed.proto_name} from {tensor.name} "
            f"incompatible with expected {expected.proto_name}."
        )


def _names_and_scopes(graph: Graph) -> set[str]:
    """Returns the names of a graph's nodes and of all their scopes."""
    names = set(graph._nodes_by_name)
    for name in graph._nodes_by_name:
        slash = name.rfind("/")
        while slash > 0 and name[:slash] not in names:
            names.add(name[:slash])
            slash = name.rfind("/", 0, slash)
    return names
