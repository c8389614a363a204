"""An op compiled for eager execution: the plan of a graph that has this one node."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.compiler.passes.insert_copies import HOST, Memories
from tfmini._src.eager.context import Context
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.inline import Inlined
from tfmini._src.executor.plan import Plan
from tfmini._src.executor.state.resources import VariableCell
from tfmini._src.graph.attributes import Attrs
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.opdef import registry
from tfmini._src.graph.tensor import Tensor

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef

_numbers = itertools.count()


class CompiledOp:
    """One op for inputs of given dtypes in given memories, with its attrs, on its device.

    run(arrays): its plan's, which gives the values of the outputs.
    fed: the numbers of the inputs that it takes; None if all: variables of a call it has in itself.
    outputs: for each its dtype and the memory in which it is given, "" for the host's.
    """

    __slots__ = ("attrs", "fed", "outputs", "plan", "run", "single")

    def __init__(
        self,
        context: Context,
        opdef: OpDef,
        attrs: Attrs,
        inputs: Sequence[EagerTensor],
        device: str,
    ) -> None:
        session = context.session
        graph = Graph()
        graph._functions = context.library._functions
        placeholder = registry["Placeholder"]
        given, fed = [], []
        self.fed = None
        for number, tensor in enumerate(inputs):
            cell = tensor._array
            if opdef.takes_functions and isinstance(cell, VariableCell):
                given.append(_handle(graph, cell))
                continue
            attrs_of_input = {"dtype": tensor.dtype, "shape": None}
            given += graph.add_node(
                placeholder, f"input_{number}", (), None, attrs_of_input
            ).outputs
            fed.append(number)
        if len(fed) < len(given):
            self.fed = fed
        name = f"{opdef.name.lstrip('_')}_{next(_numbers)}"
        with graph.device(device or None):
            node = graph.add_node(opdef, name, tuple(given), None, attrs)
        placement = session._placement.of_another_graph()
        inlined = Inlined(graph, placement, session._gpus)
        placement.update(inlined.update())
        outputs = node.outputs
        given_in = self._memories(placement, inlined, outputs, session._gpus)
        self.plan = compile_plan(
            [inlined.tensor(tensor) for tensor in outputs],
            [inlined.tensor(given[number]) for number in fed],
            [] if outputs else [inlined.operation(node)],
            session._resources,
            placement,
            session._gpus,
            Memories(tuple([inputs[number]._memory for number in fed]), given_in, is_shared=True),
        )
        self.attrs = attrs
        self.run: Callable[[Sequence[Any]], Sequence[Any]] = self.plan.run
        if isinstance(self.plan, Plan) and self.plan.is_pure:
            self.run = self.plan.run_pure
        self.outputs = [(t.dtype.base_dtype, memory) for t, memory in zip(outputs, given_in)]
        self.single = self.outputs[0] if opdef.single_output is not None else None

    @staticmethod
    def _memories(
        placement: Any, inlined: Inlined, outputs: Sequence[Tensor], gpus: Any
    ) -> tuple[str, ...]:
        """Where the outputs stay: on the GPU of the op, but for what is no array there."""
        if not gpus:
            return (HOST,) * len(outputs)
        found = []
        for tensor in outputs:
            device = placement.device_of(inlined.tensor(tensor).op)
            on_host = device not in gpus or tensor.dtype in (
                dtypes.resource,
                dtypes.variant,
                dtypes.string,
            )
            found.append(HOST if on_host else device)
        return tuple(found)


def _handle(graph: Graph, cell: VariableCell) -> Tensor:
    """The node of a variable."""
    attrs = {
        "dtype": cell.dtype,
        "shape": cell.dims,
        "container": "",
        "shared_name": cell.name,
    }
    return graph.add_node(
        registry["VarHandleOp"], graph.unique_name("handle"), (), None, attrs
    ).outputs[0]
