"""`CompiledOp`: an op compiled for eager execution, as the plan of a one-node graph."""

from __future__ import annotations

import contextlib
import itertools
from collections import ChainMap
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import invalid
from tfmini._src.compiler.passes.insert_copies import Memories
from tfmini._src.compiler.placement.placement import Placement
from tfmini._src.devices.device import HOST, Devices
from tfmini._src.executor.compile_plan import compile_plan
from tfmini._src.executor.inline.inline import InlinedGraph
from tfmini._src.executor.state.resources import VariableCell
from tfmini._src.graph.attributes import Attrs, NameAttrList
from tfmini._src.graph.eager.eager_tensor import EagerTensor
from tfmini._src.graph.function_library import reachable_functions
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.opdef import OpDef, registry
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.shape_inference import ShapeRule
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.eager.context import Context

_numbers = itertools.count()


class GraphOfOp(Graph):
    """Graph of one op and its inputs. The input shapes are unknown, so shape errors are reported by the kernel."""

    _is_optimized = False

    def _infer_shapes(self, op: Operation, rule: ShapeRule) -> None:
        with contextlib.suppress(ValueError):
            super()._infer_shapes(op, rule)


class CompiledOp:
    """An op compiled for its attrs, device, input dtypes and input memories.

    called: the function that the op calls; None for library functions.
    run(arrays): runs the plan; returns the output values.
    fed: indices of the inputs to feed; None to feed all. The variables of a function call are compiled in.
    outputs: dtype and memory of each output; "" for the first CPU.
    copied: (index, target memory) of each input that must be moved for the kernel; None if no input must.
    """

    __slots__ = ("attrs", "copied", "fed", "outputs", "plan", "run", "single")

    def __init__(
        self,
        context: Context,
        opdef: OpDef,
        attrs: Attrs,
        inputs: Sequence[EagerTensor],
        device: str,
        called: Any = None,
    ) -> None:
        session = context.session
        graph = GraphOfOp()
        if called is not None:
            called.add_to_graph(graph)
        if opdef.takes_functions:
            library = ChainMap(graph._functions, context.library._functions)
            graph._functions = reachable_functions(_functions_named(attrs), library)
        placeholder = registry["Placeholder"]
        tensors, fed = [], []
        self.fed = None
        for index, tensor in enumerate(inputs):
            cell = tensor._array
            if isinstance(cell, VariableCell):
                if opdef.takes_functions:
                    tensors.append(_add_handle(graph, cell, tensor.device))
                    continue
                device = tensor.device  # ops on a variable run on the variable's device
            attrs_of_input = {"dtype": tensor.dtype, "shape": None}
            tensors += graph.add_node(
                placeholder, graph.unique_name("dummy_input"), (), None, attrs_of_input
            ).outputs
            fed.append(index)
        if len(fed) < len(tensors):
            self.fed = fed
        name = opdef.name.lstrip("_")
        if opdef.stateful:  # a unique name, which is the key of its state
            name += f"_{next(_numbers)}"
        with graph.device(device or None):
            node = graph.add_node(opdef, name, tuple(tensors), None, attrs)
        placement = session._placement.copy_for_graph()
        inlined = InlinedGraph(graph, placement, session._devices)
        placement.update(inlined.update())
        outputs = node.outputs
        self.copied = self._input_copies(
            node, inputs, placement.op_device(inlined.operation(node)), context
        )
        output_memories = self._output_memories(placement, inlined, outputs, session._devices)
        self.plan = compile_plan(
            [inlined.tensor(tensor) for tensor in outputs],
            [inlined.tensor(tensors[index]) for index in fed],
            [] if outputs else [inlined.operation(node)],
            session._resources,
            placement,
            session._devices,
            Memories(
                tuple([_feed_memory(inputs[index], session._devices) for index in fed]),
                output_memories,
                is_shared=True,
            ),
        )
        self.attrs = attrs
        self.run: Callable[[Sequence[Any]], Sequence[Any]] = self.plan.run
        if fed == [0, *fed[1:]] and isinstance(inputs[0]._array, VariableCell) and "dtype" in attrs:
            self.run = _check_variable_dtype(self.run, opdef, attrs["dtype"])
        producing_devices = [
            self._producing_device(placement, inlined, t, session._devices) for t in outputs
        ]
        host = "" if device.endswith(":CPU:0") or "CPU" not in device else device
        self.outputs = [
            (
                tensor.dtype.base_dtype,
                (device if tensor.dtype is dtypes.resource else memory) or host,
            )
            for tensor, memory, device in zip(outputs, output_memories, producing_devices)
        ]
        self.single = self.outputs[0] if opdef.single_output is not None else None

    @staticmethod
    def _input_copies(
        node: Operation, inputs: Sequence[EagerTensor], device: str, context: Context
    ) -> list[tuple[int, str]] | None:
        """Returns (index, target memory) of each input to copy; None for Identity, which itself copies."""
        if not context.session._devices or node.opdef.takes_functions or node.type == "Identity":
            return None
        placed_on = context.session._devices.get(device)
        on_host = () if placed_on is None else placed_on.host_arguments(node)
        memories = []
        for arg in node.opdef.inputs:
            memory = HOST if placed_on is None or arg.name in on_host else device
            memories += [memory] * (arg.count(node.attrs) if arg.is_list else 1)
        copied = [
            (index, memory)
            for index, (tensor, memory) in enumerate(zip(inputs, memories))
            if _feed_memory(tensor, context.session._devices) != memory
            and tensor.dtype not in _HOST_DTYPES
        ]
        return copied or None

    @staticmethod
    def _output_memories(
        placement: Placement,
        inlined: InlinedGraph,
        outputs: Sequence[Tensor],
        devices: Devices,
    ) -> tuple[str, ...]:
        """Returns the output memories: the op's device, or the host for resources, variants and strings."""
        return tuple(
            [
                HOST
                if tensor.dtype in _HOST_DTYPES
                else CompiledOp._producing_device(placement, inlined, tensor, devices)
                for tensor in outputs
            ]
        )

    @staticmethod
    def _producing_device(
        placement: Placement, inlined: InlinedGraph, tensor: Tensor, devices: Devices
    ) -> str:
        """Returns a device that produces a tensor; "" for the host."""
        device: str = placement.op_device(inlined.tensor(tensor).op) if devices else HOST
        return device if device in devices else HOST


_HOST_DTYPES = frozenset([dtypes.resource, dtypes.variant, dtypes.string])


def _check_variable_dtype(
    run: Callable[[Sequence[Any]], Sequence[Any]], opdef: OpDef, dtype: DType
) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Wraps `run` to raise InvalidArgumentError if the variable's dtype differs from the op's."""
    is_write = opdef.name == "AssignVariableOp"
    action = "assign" if is_write else "read"

    def check(arrays: Sequence[Any]) -> Sequence[Any]:
        variable_dtype: DType = arrays[0].dtype
        if variable_dtype is not dtype:
            expected, actual = (variable_dtype, dtype) if is_write else (dtype, variable_dtype)
            invalid(
                f"Trying to {action} variable with wrong dtype. Expected {expected.proto_name} got {actual.proto_name}"
            )
        return run(arrays)

    return check


def _functions_named(attrs: Attrs) -> list[str]:
    """Returns the functions named by an op's attrs."""
    values = [item for v in attrs.values() for item in (v if isinstance(v, tuple | list) else [v])]
    return [value.name for value in values if isinstance(value, NameAttrList)]


def _feed_memory(tensor: EagerTensor, devices: Devices) -> str:
    is_on_host = tensor.dtype in _HOST_DTYPES or tensor._memory not in devices
    return HOST if is_on_host else tensor._memory


def _add_handle(graph: Graph, cell: VariableCell, device: str) -> Tensor:
    """Adds the handle node of a variable to the graph."""
    attrs = {
        "dtype": cell.dtype,
        "shape": cell.dims,
        "container": "",
        "shared_name": cell.name,
    }
    name = graph.unique_name("handle")
    with graph.device(device):
        return graph.add_node(registry["VarHandleOp"], name, (), None, attrs).outputs[0]
