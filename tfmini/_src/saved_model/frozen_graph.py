"""Models as graphs without variables: of a checkpoint, a SavedModel or a GraphDef; inputs and outputs are found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tfmini._src.base import proto
from tfmini._src.base.errors import invalid
from tfmini._src.formats.schemes import local_path
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.operation import Operation
from tfmini._src.saved_model.graph_util.convert_variables_to_constants import (
    constants_for_variables,
)
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.import_meta_graph import import_meta_graph

_PLACEHOLDERS = ("Placeholder", "PlaceholderWithDefault")
# What trains, saves or reports, by the beginnings of names and by types.
_OTHER_SCOPES = re.compile(r"(save|gradients|init|report_uninitialized\w*)(_\d+)?(/|$)")
_OTHER_TYPES = (
    "Assert",
    "MergeSummary",
    "ScalarSummary",
    "HistogramSummary",
    "ImageSummary",
    "NoOp",
)


@dataclass(frozen=True)
class Frozen:
    """A GraphDef without variables, and the names of the tensors that it is fed and gives."""

    graph_def: proto.GraphDef
    inputs: list[str]
    outputs: list[str]


def of_graph_def(graph_def: proto.GraphDef, inputs: list[str], outputs: list[str]) -> Frozen:
    """A graph that is frozen already.

    Raises:
      InvalidArgumentError: if it has variables, or its outputs cannot be told.
    """
    graph = Graph()
    with graph.as_default():
        import_graph_def(graph_def, name="")
    stateful = [op.name for op in graph._ops if op.opdef.makes_variable]
    if stateful:
        invalid(
            f"the graph has variables, such as {stateful[0]}: give its checkpoint, not its graph"
        )
    outputs = outputs or _outputs(graph)
    return Frozen(graph_def, inputs or _inputs(graph, outputs), outputs)


def of_checkpoint(prefix: str, inputs: list[str], outputs: list[str]) -> Frozen:
    """A checkpoint with the graph in its `.meta`.

    Raises:
      OSError: if there is no `.meta`.
      InvalidArgumentError: if its outputs cannot be told.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        saver = import_meta_graph(local_path(prefix) + ".meta", clear_devices=True)
        if saver is None:
            invalid(f"{prefix}.meta has no variables: give the graph")
        saver.restore(session, prefix)
        outputs = outputs or _outputs(graph)
        return _frozen(session, inputs or _inputs(graph, outputs), outputs)


def of_saved_model(folder: str, signature: str, inputs: list[str], outputs: list[str]) -> Frozen:
    """A signature of a SavedModel for serving.

    Raises:
      InvalidArgumentError: if it has no such signature.
    """
    graph = Graph()
    with Session(graph=graph) as session:
        message = load_graph(session, ["serve"], folder)
        if signature not in message.signature_def and not outputs:
            known = ", ".join(sorted(message.signature_def))
            invalid(f"{folder} has no signature {signature!r}; it has {known}")
        described = message.signature_def[signature]
        given = [info.name for _, info in sorted(described.inputs.items())]
        wanted = outputs or [info.name for _, info in sorted(described.outputs.items())]
        return _frozen(session, inputs or given, wanted)


def _frozen(session: Session, inputs: list[str], outputs: list[str]) -> Frozen:
    names = [name.partition(":")[0] for name in (*outputs, *inputs)]
    graph_def = constants_for_variables(session, session.graph_def, names)
    calls = [node.name for node in graph_def.node if node.op.endswith("PartitionedCall")]
    if calls:
        invalid(
            f"{calls[0]} calls a function: ONNX is made of graphs of TensorFlow 1; of a SavedModel of TensorFlow 2 "
            "tf2onnx makes it there"
        )
    return Frozen(graph_def, inputs, outputs)


def _ancestors(graph: Graph, names: Iterable[str]) -> set[Operation]:
    waiting = [graph.get_tensor_by_name(name).op for name in names]
    found: set[Operation] = set()
    while waiting:
        op = waiting.pop()
        if op not in found:
            found.add(op)
            waiting += [*(tensor.op for tensor in op.inputs), *op.control_inputs]
    return found


def _inputs(graph: Graph, outputs: Sequence[str]) -> list[str]:
    """The placeholders that outputs need."""
    needed = _ancestors(graph, outputs)
    return [op.outputs[0].name for op in graph._ops if op.type in _PLACEHOLDERS and op in needed]


def _outputs(graph: Graph) -> list[str]:
    """The results that nothing else takes and that follow from a placeholder."""
    found = [
        tensor.name
        for op in graph._ops
        if not _OTHER_SCOPES.match(op.name) and op.type not in _OTHER_TYPES
        for tensor in op.outputs
        if not tensor.consumers() and not tensor.dtype._is_ref_dtype
    ]
    found = [name for name in found if _inputs(graph, [name])]
    if len(found) != 1:
        listed = ", ".join(found[:8]) or "none"
        invalid(f"the outputs are ambiguous, name them by --outputs. No other node reads: {listed}")
    return found
