"""A dumped tensor, with its file name and contents."""

from __future__ import annotations

import os
from math import prod
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.dtypes import resource
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.tensor_proto import MakeNdarray
from tfmini._src.train.debugger.dumps import device_name


class InconvertibleTensorProto:
    """A tensor without a NumPy value: uninitialized, or a handle.

    Args:
      tensor_proto: the tensor's message.
      initialized: whether the tensor was initialized.
    """

    initialized: bool = read_only("Whether the tensor was initialized.")

    def __init__(self, tensor_proto: Any, initialized: bool = True):
        self._tensor_proto = tensor_proto
        self._initialized = initialized

    def __str__(self) -> str:
        return (
            f"{'' if self._initialized else 'Uninitialized tensor:'}\n{self._tensor_proto}".lstrip()
        )


def read_event(path: str) -> Any:
    """Returns the Event in a file."""
    with open(path, "rb") as file:
        return proto.Event.FromString(file.read())


def load_tensor_from_event(event: Any) -> Any:
    """Returns the tensor in an Event as a numpy array; an InconvertibleTensorProto if uninitialized or a handle."""
    message = event.summary.value[0].tensor
    if message.tensor_content or message.string_val:
        is_handle = message.dtype == resource.as_datatype_enum
        return InconvertibleTensorProto(message) if is_handle else MakeNdarray(message)
    if prod(dim.size for dim in message.tensor_shape.dim):
        return InconvertibleTensorProto(message, False)
    return MakeNdarray(message)


def load_tensor_from_event_file(event_file_path: str) -> Any:
    """Returns the tensor in an event file; see `load_tensor_from_event`."""
    return load_tensor_from_event(read_event(event_file_path))


class DebugTensorDatum:
    """A dumped tensor.

    Args:
      dump_root: the directory of the step.
      debug_dump_rel_path: the file path relative to `dump_root`.

    Raises:
      ValueError: for an invalid file name.
    """

    timestamp: int = read_only(
        "Computation time in microseconds since 1970; in dumps of tfmini, only the order is meaningful."
    )
    extended_timestamp: str = read_only("Timestamp in the file name, numbered if ambiguous.")
    debug_op: str = read_only('Debug op applied to the tensor: "DebugIdentity".')
    device_name: str = read_only("The device of the tensor's node.")
    node_name: str = read_only("The name of the tensor's node.")
    output_slot: int = read_only("The index of the node's output.")
    file_path: str = read_only("The file path.")
    dump_size_bytes: int | None = read_only("The file size; None if missing.")

    def __init__(self, dump_root: str, debug_dump_rel_path: str):
        parts = os.path.normpath(debug_dump_rel_path).split(os.sep)
        if parts[-1].count("_") < 3:
            raise ValueError(f"Dump file path does not conform to the naming pattern: {parts[-1]}")
        name, slot, self._debug_op, self._extended_timestamp = parts[-1].rsplit("_", 3)
        self._device_name = device_name(parts[0])
        self._node_name = "/".join([*parts[1:-1], name])
        self._output_slot = int(slot)
        self._timestamp = int(self._extended_timestamp.split("-")[0])
        self._file_path = os.path.join(dump_root, debug_dump_rel_path)
        is_there = os.path.exists(self._file_path)
        self._dump_size_bytes = os.path.getsize(self._file_path) if is_there else None

    def __repr__(self) -> str:
        return (
            f"{{DebugTensorDatum ({self._device_name}) {self.tensor_name} @ {self._debug_op} @ "
            f"{self._timestamp}}}"
        )

    __str__ = __repr__

    def get_tensor(self) -> Any:
        """Returns the value as a numpy array, or an InconvertibleTensorProto for a handle or uninitialized tensor."""
        return load_tensor_from_event_file(self._file_path)

    @property
    def tensor_name(self) -> str:
        """The name of the tensor."""
        return f"{self._node_name}:{self._output_slot}"

    @property
    def watch_key(self) -> str:
        """The watch key, `NODE:OUTPUT:DebugIdentity`."""
        return f"{self.tensor_name}:{self._debug_op}"
