"""Tensor files of a step, with one Event each, in a directory per device, in the format of TensorFlow's debugger."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.base.dtypes import string
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph.nodedef import node_def
from tfmini._src.graph.tensor import Tensor
from tfmini._src.graph.tensor_proto import make_tensor_proto
from tfmini._src.session.fetches import Fetches

PREFIX = "_tfdbg_"
DEBUG_OP = "DebugIdentity"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
_DEVICE = re.compile(r"/job:([^/]+)/replica:(\d+)/task:(\d+)/device:(\w+):(\d+)")


def device_directory(device: str) -> str:
    """Returns the directory name of a device."""
    return f"{PREFIX}device_{device.replace(':', '_').replace('/', ',')}"


def device_name(directory: str) -> str:
    """Returns the device name of a directory."""
    text = directory.removeprefix(f"{PREFIX}device_").replace(",", "/")
    return re.sub(r"_(?=[^_]*$)", ":", re.sub(r"(/job|/replica|/task|/device)_", r"\1:", text))


def tensor_device(tensor: Tensor) -> str:
    """Returns the assumed full device name of a tensor: the device its node requests, else the CPU."""
    requested = tensor.op.device
    return requested if _DEVICE.fullmatch(requested) else CPU


def write(path: str, event: Any) -> None:
    """Writes an Event to a file."""
    makedirs(os.path.dirname(path))
    with open(path, "wb") as file:
        file.write(event.SerializeToString())


def message(text: str) -> Any:
    """Returns an Event with a text message."""
    event = proto.Event(wall_time=int(time.time() * 1e6))
    event.log_message.message = text
    return event


def write_request(root: str, fetches: Any, feed_dict: Any) -> None:
    """Writes the fetches and feeds of a step to its directory."""
    write(os.path.join(root, f"{PREFIX}fetches_info_"), message(repr(fetches)))
    feeds = repr(feed_dict.keys()) if feed_dict else repr(feed_dict)
    write(os.path.join(root, f"{PREFIX}feed_keys_info_"), message(feeds))


def write_step(
    root: str,
    graph: Any,
    tensors: Sequence[Tensor],
    values: Iterable[Any],
    fetches: Any,
    feed_dict: Any,
    run_index: int,
) -> None:
    """Writes the values of a step's tensors in order; `run_index` is the number of the step in its session."""
    now = int(time.time() * 1e6)
    resolved = Fetches(graph, fetches)
    core = {
        "global_step": -1,
        "session_run_index": run_index,
        "executor_step_index": 0,
        "input_names": sorted(getattr(key, "name", str(key)) for key in feed_dict or ()),
        "output_names": sorted(tensor.name for tensor in resolved.tensors),
        "target_nodes": sorted(op.name for op in resolved.targets),
    }
    name = f"{PREFIX}core_metadata_sessionrun{run_index:014d}_{now}"
    write(os.path.join(root, name), message(json.dumps(core, separators=(",", ":"))))
    tensors_by_device: dict[str, list[Tensor]] = {}
    for position, (tensor, value) in enumerate(zip(tensors, values)):
        device = tensor_device(tensor)
        tensors_by_device.setdefault(device, []).append(tensor)
        _write_tensor(root, device, tensor, value, now + position)
    for device, device_tensors in tensors_by_device.items():
        graph_def = proto.GraphDef()
        for op in dict.fromkeys(tensor.op for tensor in device_tensors):
            node = graph_def.node.add()
            node.CopyFrom(node_def(op))
            node.device = device
        event = proto.Event(wall_time=now, graph_def=graph_def.SerializeToString())
        write(
            os.path.join(root, device_directory(device), f"{PREFIX}graph_hash{run_index}_{now}"),
            event,
        )


def _write_tensor(root: str, device: str, tensor: Tensor, value: Any, when: int) -> None:
    op, slot = tensor.op, tensor.value_index
    event = proto.Event(wall_time=when)
    summary_value = event.summary.value.add(tag=op.name, node_name=f"{op.name}:{slot}:{DEBUG_OP}")
    summary_value.tensor.CopyFrom(_tensor_message(value, tensor.dtype.base_dtype))
    summary_value.metadata.plugin_data.plugin_name = "debugger"
    content = {"device": device, "outputSlot": slot, "numChunks": 1, "chunkIndex": 0}
    summary_value.metadata.plugin_data.content = json.dumps(content, separators=(",", ":")).encode()
    name = f"{op.name}_{slot}_{DEBUG_OP}_{when}"
    write(os.path.join(root, device_directory(device), *name.split("/")), event)


def _tensor_message(value: Any, dtype: Any) -> Any:
    """Returns a TensorProto for a value; numeric tensors contain their bytes, to mark the value as present."""
    tensor_proto = make_tensor_proto(value, dtype=dtype)
    if dtype is not string:
        for field in [f for f, _ in tensor_proto.ListFields() if f.name.endswith("_val")]:
            tensor_proto.ClearField(field.name)
        tensor_proto.tensor_content = np.ascontiguousarray(value).tobytes()
    return tensor_proto
