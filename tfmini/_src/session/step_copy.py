"""Steps over a copy of a subgraph, for feeds of any shape and for tensor connections."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tfmini._src.base import proto
from tfmini._src.compiler.passes.insert_copies import Memories
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.executor.tracing.recorder import Recorder
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.graph.operation import COLOCATION_PREFIX, Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.traversal import reachable_from

if TYPE_CHECKING:
    from tfmini._src.session.base_session import BaseSession


class StepCopy:
    """A step over a copy of the subgraph it needs, with feeds as placeholders of unknown shape.

    Plans rely on static shapes. TensorFlow's callables do not, so a model built for one image size accepts others. The
    copy shares the session's variables.

    Args:
      session: a session of this process.
      feeds, fetches: tensors of its graph; targets: operations of its graph.
      memories: the memories of feeds and fetches.
      connections: maps a tensor to its replacement in all consumers.
      recorder: records node times, for a timed step.

    Attributes:
      graph: the copy.
      feeds: the copy's placeholders, in the order of the feeds.
      plan: the compiled plan.
    """

    def __init__(
        self,
        session: BaseSession,
        feeds: list[Tensor],
        fetches: list[Tensor],
        targets: list[Operation],
        memories: Memories,
        connections: Mapping[Tensor, Tensor],
        recorder: Recorder | None = None,
    ):
        fed = {t.op for t in feeds}
        needed = _required_operations([*(t.op for t in fetches), *targets], fed, connections)
        definition = proto.GraphDef()
        definition.versions.CopyFrom(session.graph.graph_def_versions)
        for op in needed:
            if op in fed:
                node = definition.node.add(name=op.name, op="Placeholder", device=op.device)
                node.attr["dtype"].type = op.outputs[0].dtype.base_dtype.as_datatype_enum
                node.attr["shape"].shape.unknown_rank = True
                continue
            node = definition.node.add()
            node.CopyFrom(op.node_def)
            node.attr.pop("_output_shapes", None)
            inputs, control_inputs = _connected_inputs(op, connections)
            node.input[:] = [t.name for t in inputs] + [
                f"^{other.name}" for other in control_inputs
            ]
            if op._is_stateful:  # its state is on the session's device
                node.device = session._placement.op_device(session._inlined_graph.operation(op))
        self.graph = Graph()
        self.graph._functions = session.graph._functions
        with self.graph.as_default():
            import_graph_def(definition, name="")
        for op in needed:
            self.graph.get_operation_by_name(op.name)._frames = op._frames
        self.feeds = [self.graph.get_tensor_by_name(t.name) for t in feeds]
        placement = session._placement.copy_for_graph()
        inlined = InlinedGraph(self.graph, placement, session._devices)
        placement.update(inlined.update())
        self.plan = compile_plan(
            [inlined.tensor(self.graph.get_tensor_by_name(t.name)) for t in fetches],
            [inlined.tensor(t) for t in self.feeds],
            [inlined.operation(self.graph.get_operation_by_name(t.name)) for t in targets],
            session._resources,
            placement,
            session._devices,
            memories,
            recorder,
        )


def _required_operations(
    targets: list[Operation], fed: set[Operation], connections: Mapping[Tensor, Tensor]
) -> list[Operation]:
    """Returns the operations a step needs and their colocation targets, in graph order."""

    def predecessors(op: Operation) -> list[Operation]:
        if op in fed:
            return []
        inputs, control_inputs = _connected_inputs(op, connections)
        groups = (
            group.decode().removeprefix(COLOCATION_PREFIX) for group in op.colocation_groups()
        )
        colocated = [op.graph.get_operation_by_name(name) for name in groups]
        return [*(t.op for t in inputs), *control_inputs, *colocated]

    return sorted(reachable_from([*targets, *fed], predecessors), key=lambda op: op._id)


def _connected_inputs(
    op: Operation, connections: Mapping[Tensor, Tensor]
) -> tuple[list[Tensor], list[Operation]]:
    """Returns the data and control inputs of an operation, with connected placeholders replaced."""
    inputs = [connections.get(t, t) for t in op.inputs]
    return inputs, [_control_input(other, connections) for other in op._control_inputs]


def _control_input(op: Operation, connections: Mapping[Tensor, Tensor]) -> Operation:
    if op.type not in ("Placeholder", "PlaceholderV2"):
        return op
    return connections.get(op.outputs[0], op.outputs[0]).op
