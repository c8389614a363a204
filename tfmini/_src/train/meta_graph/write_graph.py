"""Graph and meta graph files, binary or text."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError, OpError
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists, makedirs
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.graph.graph import Graph


def write_graph(
    graph_or_graph_def: Graph | proto.GraphDef, logdir: str, name: str, as_text: bool = True
) -> str:
    """Writes a graph to a file atomically, through a temporary file.

    Args:
      graph_or_graph_def: a Graph, or a GraphDef or other message.
      logdir: the directory; created if missing.
      name: file name in `logdir`.
      as_text: whether to write the protobuf text format rather than binary.

    Returns:
      The path of the file.

    Raises:
      AttributeError: if it is neither a Graph nor a message.
      OpError: for system errors, of TensorFlow's class.

    Example: `tf.train.write_graph(session.graph, "/tmp/model", "graph.pbtxt")`.
    """
    message: Any = graph_or_graph_def
    if isinstance(message, Graph):
        message = message.as_graph_def()
    if not hasattr(message, "DESCRIPTOR"):
        raise AttributeError(f"'{type(message).__name__}' object has no attribute 'DESCRIPTOR'")
    makedirs(logdir)
    path = os.path.join(logdir, name)
    with atomic_write(path) as file:
        file.write(str(message).encode() if as_text else message.SerializeToString())
    return path


def read_message(path: str, message_type: Any) -> Any:
    """Reads a message from a file, binary or text.

    Raises:
      TypeError: if `path` is not a string.
      OSError: if the file is missing, or contains other text.
      DataLossError: if it is neither a serialized message nor text.
      OpError: for system errors, of TensorFlow's class.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    if not exists(path):
        raise OSError(f"File {path} does not exist.")
    return parse(read_bytes(os.fsencode(path)), message_type, path)


def parse(data: bytes, message_type: Any, path: Any) -> Any:
    """Parses `data`, the binary or text contents of the file `path`."""
    try:
        return message_type.FromString(data)
    except proto.parse_errors()[0]:
        pass
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        type_name = message_type.DESCRIPTOR.name
        raise DataLossError(
            None, None, f"Cannot parse file {path}: neither a binary {type_name} nor text: {error}"
        ) from None
    return parse_text_file(text, message_type, path)


def parse_text_file(text: str, message_type: Any, path: Any) -> Any:
    """Parses `text`, the contents of the file `path`, in the protobuf text format."""
    try:
        return proto.parse_text(text, message_type())
    except (RecursionError, proto.parse_errors()[1]) as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None


@contextlib.contextmanager
def message_scope(message_or_file: Any, message_type: Any) -> Iterator[Any]:
    """Context manager for a message, or the message in a file, in which errors name the file.

    Raises the same errors as `read_message`.
    """
    if isinstance(message_or_file, message_type):
        yield message_or_file
        return
    message = read_message(message_or_file, message_type)
    with errors_with_path(message_or_file):
        yield message


@contextlib.contextmanager
def errors_with_path(path: Any) -> Iterator[None]:
    """Context manager that appends the file name to errors."""
    try:
        yield
    except OpError as error:
        error._message += f"\nin {path}"
        raise
    except Exception as error:
        if len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (f"{error.args[0]}\nin {path}",)
        raise
