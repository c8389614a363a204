"""Detects the kind of a file or directory from its contents, regardless of its name."""

from __future__ import annotations

import glob
import os
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import NotFoundError, OpError, invalid
from tfmini._src.formats import safetensors_files
from tfmini._src.formats.bundle_files import index_path
from tfmini._src.formats.bundle_recovery import open_bundle
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.formats.crc32c import crc32c, mask
from tfmini._src.formats.keras_archive import is_archive
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.formats.system_errors import translate_errors

_TABLE = struct.pack("<Q", 0xDB4775248B80FB57)  # magic number at the end of a table
_HDF5 = b"\x89HDF\r\n\x1a\n"
_GZIP = b"\x1f\x8b"
_LARGEST_MESSAGE = 1 << 31  # bytes, protobuf's own limit
_PLAIN_TEXT = re.compile(rb"[\t\n\r\x20-\x7e]*")


@dataclass(frozen=True)
class Contents:
    """Kind of a file or directory, with its already loaded contents: a reader, a message, or a compression type."""

    kind: str
    path: str
    value: Any


def detect_contents(path: str) -> Contents:
    """Detects the contents of a file, a directory, or a checkpoint prefix.

    Raises:
      NotFoundError: if the path does not exist.
      InvalidArgumentError: if its kind is unknown.
      OpError: if it is unreadable or damaged.
    """
    if os.path.isdir(path):
        return _detect_directory(path)
    if not os.path.exists(path):
        return _checkpoint(path)
    if not os.path.isfile(path):  # opening a pipe would block
        invalid(f"{path} is neither a file nor a directory")
    with translate_errors(path), open(path, "rb") as file:
        start = file.read(1 << 12)
        size = os.fstat(file.fileno()).st_size
        file.seek(max(0, size - len(_TABLE)))
        end = file.read(len(_TABLE))
    if start[:2] == b"PK" and is_archive(path):
        return Contents("keras_archive", path, None)
    if start[:2] == b"PK" and _is_npz(path):
        return Contents("npz", path, None)
    if safetensors_files.may_be_safetensors(start):
        return Contents("safetensors", path, None)
    if any(start[offset : offset + 8] == _HDF5 for offset in (0, 512, 1024, 2048)):
        return Contents("hdf5", path, None)
    if end == _TABLE and size >= 48:
        return _table_contents(path)
    compression = _compression(start)
    if compression is not None:
        return _record_contents(path, compression)
    return _message(path, size)


def _is_npz(path: str) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
    return bool(names) and all(name.endswith(".npy") for name in names)


def _detect_directory(path: str) -> Contents:
    for name in ("saved_model.pb", "saved_model.pbtxt"):
        if os.path.exists(os.path.join(path, name)):
            contents = detect_contents(os.path.join(path, name))
            if contents.kind == "saved_model":
                return Contents("saved_model", path, contents.value)
    state = os.path.join(path, "checkpoint")
    if os.path.isfile(state):
        latest_prefix = _latest(state, _read_bytes(state))
        if latest_prefix is None:
            invalid(f"{state} does not name a checkpoint")
        return _checkpoint(latest_prefix)
    with translate_errors(path):
        names = sorted(os.listdir(path))
    tables = [os.path.join(path, name) for name in names if name.endswith(".index")]
    if tables:  # a SavedModel's, or copied without the state file
        return detect_contents(max(tables, key=os.path.getmtime))
    events = event_files(path)
    if events:  # their names begin with the creation time in seconds
        return detect_contents(os.path.join(path, events[-1]))
    if not names:
        invalid(f"{path} is an empty directory")
    listing = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    invalid(f"{path} contains no SavedModel, checkpoint or event file, only {listing}")


def event_files(path: str) -> list[str]:
    """Returns a directory's event file names, oldest first; none for anything else."""
    if not os.path.isdir(path):
        return []
    with translate_errors(path):
        return sorted(name for name in os.listdir(path) if ".tfevents." in name)


def _checkpoint(prefix: str) -> Contents:
    """Returns the contents of a checkpoint, given its prefix."""
    if os.path.exists(index_path(prefix)):
        return Contents("checkpoint", prefix, open_bundle(prefix))
    files = [prefix] if os.path.isfile(prefix) else _old_shards(prefix)
    if not files:
        raise NotFoundError(None, None, f"{prefix}; No such file or directory")
    return Contents("checkpoint", prefix, OldCheckpoint(files, prefix))


def _latest(state: str, data: bytes) -> str | None:
    """Returns the latest prefix in a `checkpoint` file; None if it contains none."""
    message = _parse_text(proto.CheckpointState, data)
    if message is None or not message.model_checkpoint_path:
        return None
    return os.path.join(os.path.dirname(state), message.model_checkpoint_path)


def _old_shards(path: str) -> list[str]:
    """Returns the shards of a version 1 checkpoint, given its prefix or the pattern in `checkpoint`."""
    prefix, count = path, "?????"
    if match := re.fullmatch(r"(.*)-\?{5}-of-(\d{5,})", path, re.S):
        prefix, count = match.groups()
    return sorted(glob.glob(f"{glob.escape(prefix)}-?????-of-{count}"))


def _table_contents(path: str) -> Contents:
    """Returns the contents of a table file: a version 1 checkpoint, or the index of a version 2 one."""
    prefix = path.removesuffix(".index")
    if prefix != path:
        return Contents("checkpoint", prefix, open_bundle(prefix))
    old = OldCheckpoint([path], path)
    if not old.names:
        invalid(f"{path} is a table without tensors; a checkpoint's table is PREFIX.index")
    return Contents("checkpoint", path, old)


def _compression(start: bytes) -> str | None:
    """Returns the compression type of a record file, "" for none; None if it is not a record file."""
    if _is_header(start):
        return ""
    if start[:2] == _GZIP:
        bits, name = zlib.MAX_WBITS + 16, "GZIP"
    elif len(start) > 1 and start[0] & 15 == zlib.DEFLATED and (start[0] << 8 | start[1]) % 31 == 0:
        bits, name = zlib.MAX_WBITS, "ZLIB"
    else:
        return None
    try:
        return name if _is_header(zlib.decompressobj(bits).decompress(start, 12)) else None
    except zlib.error:
        return None


def _is_header(data: bytes) -> bool:
    """Whether the data starts with a record length and its checksum."""
    return len(data) >= 12 and struct.unpack_from("<I", data, 8)[0] == mask(crc32c(data[:8]))


def _record_contents(path: str, compression: str) -> Contents:
    if not compression:
        try:
            with RecordReader(path) as records:
                first = next(iter(records), b"")
            if proto.Event.FromString(first).file_version.startswith("brain.Event:"):
                return Contents("events", path, None)
        except (OpError, *proto.parse_errors()):
            pass  # damage is reported once everything is read
    return Contents("records", path, compression)


def _read_bytes(path: str) -> bytes:
    with translate_errors(path), open(path, "rb") as file:
        return file.read()


def _message(path: str, size: int) -> Contents:
    """Returns the contents of a graph message, binary or text: GraphDef, MetaGraphDef or SavedModel."""
    if 0 < size < _LARGEST_MESSAGE:
        data = _read_bytes(path)
        message_types = (proto.SavedModel, proto.MetaGraphDef, proto.GraphDef)
        parse = _parse_text if _PLAIN_TEXT.fullmatch(data[: 1 << 12]) else _parse
        for message_type, name in zip(message_types, ("saved_model", "meta_graph", "graph")):
            message = parse(message_type, data)
            if message is not None and _has_nodes(message):
                return Contents(name, path, message)
        latest_prefix = _latest(path, data)
        if latest_prefix is not None:
            return _checkpoint(latest_prefix)
    hint = ""
    if not size:
        hint = ": it is empty"
    elif match := re.fullmatch(r"(.*)\.data-\d+-of-\d+", path, re.S):
        hint = f"; the table of its checkpoint is {index_path(match[1])}"
    invalid(
        f"{path} is not a checkpoint, graph, SavedModel, Keras model, event file or file of records, or its start is "
        f"damaged{hint}",
    )


def _parse(message_class: Any, data: bytes) -> Any:
    try:
        return message_class.FromString(data)
    except proto.parse_errors()[0]:
        return None


def _parse_text(message_class: Any, data: bytes) -> Any:
    try:
        return proto.parse_text(data.decode(), message_class())
    except (UnicodeDecodeError, *proto.parse_errors()):
        return None


def _has_nodes(message: Any) -> bool:
    """Whether the parsed message has nodes: unrelated bytes may also parse, but to an empty message."""
    type_name = message.DESCRIPTOR.name
    if type_name == "SavedModel":
        return any(_has_nodes(meta_graph) for meta_graph in message.meta_graphs)
    nodes = (message.graph_def if type_name == "MetaGraphDef" else message).node
    return bool(nodes) and all(node.name and node.op for node in nodes)
