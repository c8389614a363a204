"""Frozen graphs from checkpoints, SavedModels or GraphDefs, with inferred inputs and outputs."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from tfmini._src.base import dtypes, proto
from tfmini._src.base.errors import invalid
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.traversal import reachable_from
from tfmini._src.saved_model.graph_outputs import (
    PLACEHOLDERS,
    nodes_without_results,
    unread_nodes,
)
from tfmini._src.saved_model.graph_util.convert_variables_to_constants import (
    constants_for_variables,
)
from tfmini._src.saved_model.loader import load_graph
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.import_meta_graph import import_meta_graph


@dataclass(frozen=True)
class Frozen:
    """A GraphDef without variables, with the names of its input and output tensors."""

    graph_def: proto.GraphDef
    inputs: list[str]
    outputs: list[str]


@dataclass(frozen=True)
class InitializedSession:
    """A session with initialized variables, and the names of the input and output tensors."""

    session: Session
    inputs: list[str]
    outputs: list[str]


@contextlib.contextmanager
def import_graph(
    graph_def: proto.GraphDef, inputs: list[str], outputs: list[str]
) -> Iterator[InitializedSession]:
    """Context manager that imports a frozen GraphDef as the default graph.

    Raises:
      InvalidArgumentError: if the graph contains variables, or outputs cannot be inferred.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        import_graph_def(graph_def, name="")
        _check_frozen(graph)
        outputs = outputs or _output_names(graph, graph_def)
        yield InitializedSession(session, _input_names(graph, inputs, outputs), outputs)


@contextlib.contextmanager
def import_checkpoint(
    prefix: str, inputs: list[str], outputs: list[str]
) -> Iterator[InitializedSession]:
    """Context manager that imports a checkpoint's meta graph as the default graph and restores its values.

    Raises:
      OSError: if the `.meta` file is missing.
      InvalidArgumentError: if outputs cannot be inferred.
    """
    graph = Graph()
    with graph.as_default(), Session(graph=graph) as session:
        saver = import_meta_graph(prefix + ".meta", clear_devices=True)
        if saver is None:
            invalid(f"{prefix}.meta has no variables: pass the graph")
        saver.restore(session, prefix)
        outputs = outputs or _output_names(graph, session.graph_def)
        yield InitializedSession(session, _input_names(graph, inputs, outputs), outputs)


def _check_frozen(graph: Graph) -> None:
    stateful = [op.name for op in graph._ops if op.opdef.makes_variable]
    if stateful:
        invalid(
            f"the graph has variables, such as {stateful[0]}: pass its checkpoint, not its graph"
        )


def from_graph_def(graph_def: proto.GraphDef, inputs: list[str], outputs: list[str]) -> Frozen:
    """Wraps a frozen graph; raises the same errors as `import_graph`."""
    with import_graph(graph_def, inputs, outputs) as live:
        if graph_def.library.function:
            return freeze_session(live.session, live.inputs, live.outputs)
        return Frozen(graph_def, live.inputs, live.outputs)


def from_checkpoint(prefix: str, inputs: list[str], outputs: list[str]) -> Frozen:
    """Freezes a checkpoint's meta graph; raises the same errors as `import_checkpoint`."""
    with import_checkpoint(prefix, inputs, outputs) as live:
        return freeze_session(live.session, live.inputs, live.outputs)


def from_saved_model(
    directory: str, signature: str, inputs: list[str], outputs: list[str]
) -> Frozen:
    """Freezes a signature of a SavedModel's serving graph.

    Raises:
      InvalidArgumentError: for an unknown signature.
    """
    graph = Graph()
    with Session(graph=graph) as session:
        message = load_graph(session, ["serve"], directory)
        if signature not in message.signature_def and not outputs:
            keys = ", ".join(sorted(message.signature_def))
            invalid(f"{directory} has no signature {signature!r}; it has {keys}")
        signature_def = message.signature_def[signature]
        actual = [info.name for _, info in sorted(signature_def.inputs.items())]
        results = [info for _, info in sorted(signature_def.outputs.items())]
        # Strings are dropped if there are numbers: a classifier returns class names and scores.
        numeric = [info for info in results if info.dtype != dtypes.string.as_datatype_enum]
        expected = outputs or [info.name for info in numeric or results]
        feeds = actual if actual and not inputs else _input_names(graph, inputs, expected)
        return freeze_session(session, feeds, expected)


def freeze_session(session: Session, inputs: list[str], outputs: list[str]) -> Frozen:
    """Returns the frozen graph of a session: variables are constants, and function calls that TensorFlow's ops can
    express are inlined.
    """
    inlined = InlinedGraph(session.graph, session._placement, session._devices, is_for_tasks=True)
    graph = inlined.update()
    graph_def = session.graph_def
    if graph is not session.graph:
        graph_def = graph.as_graph_def()
        if not any(op.opdef.takes_functions for op in graph._ops):
            graph_def.ClearField("library")
        outputs = [inlined.tensor(session.graph.get_tensor_by_name(n)).name for n in outputs]
        inputs = [inlined.tensor(session.graph.get_tensor_by_name(n)).name for n in inputs]
    names = [name.partition(":")[0] for name in (*outputs, *inputs)]
    return Frozen(constants_for_variables(session, graph_def, names), inputs, outputs)


def _ancestors(graph: Graph, names: Iterable[str], values: Collection[str] = ()) -> set[Operation]:
    """Returns the operations that the tensors depend on, assuming that `values` are fed."""

    def sources(op: Operation) -> list[Operation]:
        return [*(t.op for t in op.inputs if t.name not in values), *op.control_inputs]

    starts = [graph.get_tensor_by_name(name).op for name in names if name not in values]
    return set(reachable_from(starts, sources))


def _input_names(graph: Graph, values: list[str], outputs: list[str]) -> list[str]:
    """Returns the specified inputs and all other placeholders that the outputs depend on.

    Excludes placeholders with defaults if inputs are specified.
    """
    for name in values:
        graph.get_tensor_by_name(name)  # raises if missing
    needed = _ancestors(graph, outputs, values)
    types = ("Placeholder",) if values else PLACEHOLDERS
    return values + [
        op.outputs[0].name
        for op in graph._ops
        if op.type in types and op in needed and op.outputs[0].name not in values
    ]


def _output_names(graph: Graph, graph_def: proto.GraphDef) -> list[str]:
    """Returns the outputs of the only node that has no consumers and depends on a placeholder."""
    excluded = nodes_without_results(graph_def)
    nodes = [graph.get_operation_by_name(n) for n in unread_nodes(graph_def) if n not in excluded]
    candidates = [
        op
        for op in nodes
        if any(a.type in PLACEHOLDERS for a in _ancestors(graph, [op.outputs[0].name]))
    ]
    if len(candidates) != 1:
        listed = ", ".join(op.name for op in candidates[:8]) or "none"
        invalid(f"the outputs are ambiguous, name them by --outputs. No other node reads: {listed}")
    return [tensor.name for tensor in candidates[0].outputs]
