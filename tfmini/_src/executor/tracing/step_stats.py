"""Converts a step's spans to TensorFlow messages: StepStats and CostGraphDef.

The time of a fused group or joint update is divided equally among its nodes, in sequence.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tfmini._src.base import proto
from tfmini._src.base.dtypes import DType
from tfmini._src.base.records import dataclass
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.registry import device_kind
from tfmini._src.executor.tracing.recorder import Result, Span, clock
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor

_COPIES = {"copy": "MEMCPYHtoD", "send": "MEMCPYDtoH", "receive": "WaitForDtoH"}


@dataclass(frozen=True)
class Run:
    """A node's run, in nanoseconds, with its outputs by index.

    launches: the kernel launches in its span; a group's launches count for its first node.
    """

    name: str
    op: Operation
    device: str
    start_time: int
    end_time: int
    thread: int
    kind: str
    outputs: tuple[tuple[int, DType | None, Result], ...]
    on_device: int = 0
    launches: int = 0


def runs(spans: Iterable[Span], since: int = 0) -> Iterator[Run]:
    """Yields each executed node, in order of completion; `since` is added to the times."""
    for span in spans:
        members = span.node.members or (span.node,)
        share = (span.end_time - span.start_time) / len(members)
        for index, node in enumerate(members):
            start_time = round(span.start_time + index * share)
            end_time = round(span.start_time + (index + 1) * share)
            outputs = tuple(_node_outputs(node, span))
            name = node.origin._shown_name or node.origin.name
            yield Run(
                name,
                node.origin,
                node.device,
                since + start_time,
                since + end_time,
                span.thread,
                node.kind,
                outputs,
                round(span.on_device / len(members)),
                0 if index else span.launches,
            )


def _node_outputs(node: Node, span: Span) -> Iterator[tuple[int, DType | None, Result]]:
    group_values = dict(zip(span.node.outputs, span.results))
    for index, slot in enumerate(node.outputs):
        result = group_values.get(slot)
        if result is not None:
            dtypes = [tensor.dtype for tensor in node.origin.outputs]
            yield index, dtypes[index] if index < len(dtypes) else None, result


def label(run: Run) -> str:
    """Returns `NAME = OP(INPUTS)`, in the format of TensorFlow's executor."""
    inputs = [_input_name(tensor) for tensor in run.op.inputs]
    inputs += [f"^{op.name}" for op in run.op.control_inputs]
    return f"{run.name} = {run.op.type}({', '.join(inputs)})"


def _input_name(tensor: Tensor) -> str:
    index = f":{tensor.value_index}" if tensor.value_index else ""
    return tensor.op.name + index


def step_stats(spans: Iterable[Span]) -> proto.StepStats:
    """Returns StepStats with one node list per device; device copies are listed as separate devices."""
    message = proto.StepStats()
    devices: dict[str, proto.DeviceStepStats] = {}
    for run in runs(spans, since=time.time_ns() - clock()):
        copies = _COPIES.get(run.kind)
        device = f"{run.device}/memcpy" if copies else run.device
        if device not in devices:
            devices[device] = message.dev_stats.add(device=device)
        stats = devices[device].node_stats.add()
        stats.node_name = f"{run.name}:{copies}" if copies else run.name
        stats.timeline_label = label(run)
        _set_times(stats, run)
        kind = device_kind(run.device)
        for index, dtype, result in run.outputs:
            _add_output(stats, index, dtype, result, kind.allocator(run.device))
        if kind.has_memory and not copies:  # profilers read the device's own time from here
            stream = f"/{run.device.rpartition('/')[2]}/stream:all"
            if stream not in devices:
                devices[stream] = message.dev_stats.add(device=stream)
            kernel = devices[stream].node_stats.add(node_name=f"{run.name}:{run.op.type}")
            kernel.timeline_label = label(run)
            _set_times(kernel, replace(run, end_time=run.start_time + run.on_device))
    return message


def _set_times(stats: proto.NodeExecStats, run: Run) -> None:
    duration = run.end_time - run.start_time
    stats.thread_id = run.thread & 0xFFFFFFFF
    stats.scheduled_micros = stats.all_start_micros = run.start_time // 1000
    stats.scheduled_nanos = stats.all_start_nanos = run.start_time
    micros = max(1, -(-duration // 1000))
    stats.op_end_rel_micros = stats.all_end_rel_micros = micros
    stats.op_end_rel_nanos = stats.all_end_rel_nanos = duration


def _add_output(
    stats: proto.NodeExecStats, index: int, dtype: DType | None, result: Result, allocator: str
) -> None:
    description = stats.output.add(slot=index).tensor_description
    if dtype is not None:
        description.dtype = dtype.base_dtype.as_datatype_enum
    description.shape.SetInParent()
    for size in result.shape:
        description.shape.dim.add(size=size)
    allocation = description.allocation_description
    allocation.requested_bytes, allocation.allocator_name = result.bytes, allocator
    if result.is_new and result.bytes:
        allocation.allocated_bytes = result.bytes
        memory = stats.memory.add(allocator_name=allocator)
        memory.total_bytes = memory.peak_bytes = memory.live_bytes = result.bytes
        memory.allocation_records.add(alloc_micros=stats.all_start_micros, alloc_bytes=result.bytes)


def cost_graph(spans: Iterable[Span]) -> proto.CostGraphDef:
    """Returns a CostGraphDef with each node's total time in microseconds and its output sizes."""
    message = proto.CostGraphDef()
    nodes: dict[str, proto.CostGraphDef.Node] = {}
    for run in runs(spans):
        node = nodes.get(run.name)
        if run.kind in _COPIES:
            continue
        if node is None:
            node = nodes[run.name] = message.node.add(name=run.name, device=run.device)
            node.id = len(nodes) - 1
            for tensor in run.op.inputs:
                if tensor.op.name in nodes:
                    node.input_info.add(
                        preceding_node=nodes[tensor.op.name].id, preceding_port=tensor.value_index
                    )
            for op in run.op.control_inputs:
                if op.name in nodes:
                    node.control_input.append(nodes[op.name].id)
            for _, dtype, result in run.outputs:
                info = node.output_info.add(size=result.bytes, alias_input_port=-1)
                info.shape.SetInParent()
                for size in result.shape:
                    info.shape.dim.add(size=size)
                if dtype is not None:
                    info.dtype = dtype.as_datatype_enum
        node.compute_cost += max(1, (run.end_time - run.start_time) // 1000)
    return message
