"""mixed_precision: computes float32 products and convolutions on GPUs, and the ops between them, in float16.

Follows TensorFlow's graph rewrite (Grappler's auto_mixed_precision), on the same graph, by four lists of ops; unlisted
ops are unchanged. Allowed ops (products) always change; denied ops (sums, logarithms) never do, nor do inferred and
clear ops that follow them. Inferred ops change between two changed ops, clear ops next to one. A float32 value read as
float16, or the reverse, is cast once, after its producer.

Unlike TensorFlow's, it leaves loop variables, stacks and TensorArrays in float32: only values within an iteration and
loop invariants change.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace

from tfmini._src.base import dtypes
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.compiler.program.program import Node, Program
from tfmini._src.devices.cuda.device import LogicalGpu
from tfmini._src.devices.cuda.gpu_kernels import host_arguments
from tfmini._src.devices.cuda.passes.fuse_gpu import is_on_gpu
from tfmini._src.graph import op_registry
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.opdef import Arg

ALLOWED_OPS = frozenset(
    "BatchMatMul BatchMatMulV2 BlockLSTM BlockLSTMGrad Conv2D Conv2DBackpropFilter Conv2DBackpropInput CudnnRNN "
    "CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3 CudnnRNNV2 CudnnRNNV3 GRUBlockCell GRUBlockCellGrad "
    "LSTMBlockCell LSTMBlockCellGrad MatMul".split()
)
DENIED_OPS = frozenset(
    "Exp Expm1 L2Loss Log Log1p LogSoftmax Mean Pow SaveV2 Softmax SoftmaxCrossEntropyWithLogits "
    "SparseSoftmaxCrossEntropyWithLogits Sum".split()
)
INFERRED_OPS = frozenset(
    "Add AddN AddV2 AvgPool AvgPool3D AvgPool3DGrad AvgPoolGrad BiasAdd BiasAddGrad BiasAddV1 Elu EluGrad Erf Erfc "
    "FloorDiv FusedBatchNormGradV2 FusedBatchNormGradV3 FusedBatchNormV2 FusedBatchNormV3 Inv LeakyRelu LeakyReluGrad "
    "Mul Prod RealDiv Reciprocal Sigmoid SigmoidGrad Softplus SoftplusGrad Sqrt Sub Tanh TanhGrad".split()
)
CLEAR_OPS = frozenset(
    "Abs ArgMax ArgMin BatchToSpace BatchToSpaceND BroadcastTo Ceil CheckNumerics ClipByValue Concat ConcatV2 "
    "DepthToSpace DynamicPartition DynamicStitch EnsureShape Enter Equal ExpandDims Fill Floor Gather GatherNd "
    "GatherV2 Greater GreaterEqual Identity IsFinite IsInf IsNan Less LessEqual Max MaxPool MaxPool3D "
    "MaxPool3DGradGrad MaxPoolGrad MaxPoolGradGrad MaxPoolGradGradV2 MaxPoolGradV2 MaxPoolV2 Maximum Merge Min Minimum "
    "MirrorPad MirrorPadGrad Neg NotEqual OneHot OnesLike Pack Pad PadV2 PreventGradient Rank Relu Relu6 "
    "Relu6Grad ReluGrad Reshape ResizeNearestNeighbor ResizeNearestNeighborGrad Reverse ReverseSequence ReverseV2 "
    "Round Select Shape ShapeN Sign Size Slice Snapshot SpaceToBatch SpaceToBatchND SpaceToDepth Split SplitV Squeeze "
    "StopGradient StridedSlice StridedSliceGrad Switch Tile TopK TopKV2 Transpose ZerosLike".split()
)
_SAFE_OPS = INFERRED_OPS | CLEAR_OPS
_TENSOR_CORE_CAPABILITY = 7  # first compute capability with tensor cores


def mixed_precision(program: Program, placement: Placement) -> Program:
    """Returns the program with nodes and casts in float16, if the session requests this."""
    if not placement.mixed_precision:
        return program
    suited = {
        name
        for name, gpu in program.devices.items()
        if isinstance(gpu, LogicalGpu)
        and int(gpu.physical.compute_capability.partition(".")[0]) >= _TENSOR_CORE_CAPABILITY
    }
    nodes = _CastCandidates(program, suited)
    half_ids = nodes.half_precision_ids()
    return _rewrite(program, nodes, half_ids) if half_ids else program


class _CastCandidates:
    """The nodes of a program with the attr that may become float16, and the slots of this type."""

    def __init__(self, program: Program, gpus: Container[str]):
        self._fetches = set(program.fetches)
        self._gpus = gpus
        self.attr: dict[int, str] = {}
        self.inputs: dict[int, list[int]] = {}
        self.outputs: dict[int, list[int]] = {}
        self.nodes = program.nodes
        self._references = {s for s, slot in enumerate(program.slots) if slot.dtype._is_ref_dtype}
        for node in program.nodes:
            name = _float_attr(node)
            if name:
                self.attr[id(node)] = name
                self.inputs[id(node)] = _slots_by_type(name, node, node.opdef.inputs, node.inputs)
                self.outputs[id(node)] = _slots_by_type(
                    name, node, node.opdef.outputs, node.outputs
                )
        self.producer = {s: n for n in self.nodes for s in self.outputs.get(id(n), ())}
        self.readers: dict[int, list[Node]] = {}
        for node in self.nodes:
            for slot in self.inputs.get(id(node), ()):
                self.readers.setdefault(slot, []).append(node)
        self._loop_variables = self._loop_variable_ids()

    def _loop_variable_ids(self) -> set[int]:
        """Returns the ids of the nodes that identify the variables of a loop."""
        merges: set[int] = set()
        for node in self.nodes:
            if node.opdef.name == "NextIteration":
                merges.update(id(n) for n in self._consumers(node))
        ids = set(merges)
        for node in self.nodes:
            if node.opdef.name in ("Enter", "Switch"):
                if any(id(other) in merges for other in self._neighbors(node)):
                    ids.add(id(node))
        return ids

    def _producers(self, node: Node) -> list[Node]:
        slots = self.inputs.get(id(node), ())
        return [self.producer[s] for s in slots if s in self.producer]

    def _consumers(self, node: Node) -> list[Node]:
        return [n for s in self.outputs.get(id(node), ()) for n in self.readers.get(s, ())]

    def _neighbors(self, node: Node) -> list[Node]:
        return self._producers(node) + self._consumers(node)

    def half_precision_ids(self) -> set[int]:
        """Returns the ids of the nodes that become float16."""
        products = [n for n in self.nodes if n.opdef.name in ALLOWED_OPS and self._may_change(n)]
        if not products:
            return set()
        denied_nodes = [
            n for n in self.nodes if n.opdef.name in DENIED_OPS and self._runs_on_gpu(n)
        ]
        inferred_nodes = [
            n for n in self.nodes if n.opdef.name in INFERRED_OPS and self._runs_on_gpu(n)
        ]
        above = _reachable_ids(
            [*denied_nodes, *inferred_nodes], self._producers, lambda n: n.opdef.name in CLEAR_OPS
        )
        unsafe = _reachable_ids(denied_nodes, self._consumers, lambda n: id(n) in above)

        def is_safe(node: Node) -> bool:
            safe = node.opdef.name in _SAFE_OPS and id(node) not in unsafe
            return safe and self._may_change(node)

        reachable_ids = _reachable_ids(products, self._consumers, is_safe)
        middle_ids = _reachable_ids(products, self._producers, lambda n: id(n) in reachable_ids)
        starts = [n for n in self.nodes if id(n) in middle_ids]
        return _reachable_ids(
            starts, self._neighbors, lambda n: n.opdef.name in CLEAR_OPS and is_safe(n)
        )

    def _runs_on_gpu(self, node: Node) -> bool:
        """Whether the rewrite considers the node; fetched nodes stay unchanged."""
        return node.device in self._gpus and self._fetches.isdisjoint(node.outputs)

    def _may_change(self, node: Node) -> bool:
        name = self.attr.get(id(node))
        if not name or not self._runs_on_gpu(node) or id(node) in self._loop_variables:
            return False
        if not self._references.isdisjoint((*node.inputs, *node.outputs)):
            return False
        half_node = _with_attrs(node, {**node.attrs, name: dtypes.float16})
        return host_arguments(half_node) is not None


def _reachable_ids(
    roots: Iterable[Node],
    neighbors: Callable[[Node], list[Node]],
    may_enter: Callable[[Node], bool],
) -> set[int]:
    """Returns the ids of the start nodes and all nodes reachable from them through nodes that `may_enter` accepts."""
    pending = list(roots)
    reached = {id(node) for node in pending}
    while pending:
        for other in neighbors(pending.pop()):
            if id(other) not in reached and may_enter(other):
                reached.add(id(other))
                pending.append(other)
    return reached


def _float_attr(node: Node) -> str:
    """Returns the attr of a node that is float32 and may be float16, else ""."""
    for name, attr in node.opdef.attrs.items():
        if node.attrs.get(name) is dtypes.float32 and attr.kind == "type":
            if not attr.allowed or dtypes.float16 in attr.allowed:
                return name
    return ""


def _slots_by_type(
    attr: str, node: Node, arguments: tuple[Arg, ...], slots: tuple[int, ...]
) -> list[int]:
    """Returns the slots of a node's arguments whose dtype is given by an attr."""
    selected: list[int] = []
    start = 0
    for arg in arguments:
        end = start + arg.count(node.attrs)
        if arg.type_attr == attr:
            selected += slots[start:end]
        start = end
    return selected


def _with_attrs(node: Node, attrs: Attrs) -> Node:
    new_node = Node(node.kind, node.origin, node.inputs, node.outputs, node.controls)
    new_node.opdef, new_node.device, new_node.attrs = node.opdef, node.device, attrs
    return new_node


def _rewrite(program: Program, typed: _CastCandidates, half_ids: set[int]) -> Program:
    """Returns the program with the chosen nodes in float16, and casts to and from the other nodes."""
    halves: set[int] = set()
    for node in program.nodes:
        if id(node) in half_ids:
            node.attrs = {**node.attrs, typed.attr[id(node)]: dtypes.float16}
            halves.update(typed.outputs[id(node)])
    for slot in halves:
        program.slots[slot] = replace(program.slots[slot], dtype=dtypes.float16)
    producer = {slot: node for node in program.nodes for slot in node.outputs}
    casts: dict[tuple[int, str], int] = {}
    first: list[Node] = []
    nodes_after: dict[int, list[Node]] = {}

    def cast(slot: int, reader: Node) -> int:
        """Returns a slot with the same value in the other dtype."""
        source = producer.get(slot)
        device = source.device if source and is_on_gpu(source) else reader.device
        if (slot, device) not in casts:
            result = _cast(program, slot, source or reader, device)
            (nodes_after.setdefault(id(source), []) if source else first).append(result)
            casts[slot, device] = result.outputs[0]
        return casts[slot, device]

    for node in program.nodes:
        requested = set(typed.inputs[id(node)] if id(node) in half_ids else ())
        node.inputs = tuple(
            slot if (slot in halves) == (slot in requested) else cast(slot, node)
            for slot in node.inputs
        )
    program.nodes = [
        *first,
        *(
            new_node
            for node in program.nodes
            for new_node in (node, *nodes_after.get(id(node), ()))
        ),
    ]
    return program


def _cast(program: Program, slot: int, neighbors: Node, device: str) -> Node:
    original = program.slots[slot]
    expected = dtypes.float16 if original.dtype is dtypes.float32 else dtypes.float32
    cast = Node("op", neighbors.origin, (slot,), (program.new_slot(expected, original.dims),))
    cast.opdef = op_registry.registry["Cast"]
    cast.attrs = {"SrcT": original.dtype, "DstT": expected, "Truncate": False}
    cast.device = device
    return cast
