"""Graphs and meta graphs in files: written whole, as bytes or as text, and read as either."""

from __future__ import annotations

import os
from typing import Any

from tfmini import proto
from tfmini.formats.system_errors import translated
from tfmini.formats.whole_files import written_whole
from tfmini.graph.graph import Graph
from tfmini.ops.file_contents import read_bytes


def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph into a file: under another name, which it loses when all of it is written.

    Args:
      graph_or_graph_def: a Graph, or a GraphDef or other message.
      logdir: the folder, made if it is not there.
      name: the file's name in it.
      as_text: in protobuf's text format, else as bytes.

    Returns:
      The path of the file.

    Raises:
      AttributeError: if it is neither a Graph nor a message.
      OpError: of the class that TensorFlow gives the system's error, if it cannot be written.

    Example: `tf.train.write_graph(session.graph, "/tmp/model", "graph.pbtxt")`.
    """
    message: Any = graph_or_graph_def
    if isinstance(message, Graph):
        message = message.as_graph_def()
    if not hasattr(message, "DESCRIPTOR"):
        raise AttributeError(f"'{type(message).__name__}' object has no attribute 'DESCRIPTOR'")
    make_folders(logdir)
    path = os.path.join(logdir, name)
    with written_whole(path) as file:
        file.write(str(message).encode() if as_text else message.SerializeToString())
    return path


def make_folders(path: str) -> None:
    """Makes a folder and those that it is in, if it is not there.

    Raises:
      OpError: of the class that TensorFlow gives the system's error.
    """
    if path and not os.path.exists(path):
        with translated(path):
            os.makedirs(path, exist_ok=True)


def read_message(path: str, message_type: Any) -> Any:
    """The message in a file, which may be bytes or protobuf's text format.

    Raises:
      TypeError: if `path` is no string.
      OSError: if there is no such file, or it is neither.
      UnicodeDecodeError: if it is neither, and no text.
      OpError: of TensorFlow's class, if it cannot be read.
    """
    if not isinstance(path, str | bytes | os.PathLike):
        raise TypeError(f"Expected binary or unicode string, got {path!r}")
    if not os.path.exists(path):
        raise OSError(f"File {path} does not exist.")
    return parsed(read_bytes(os.fsencode(path)), message_type, path)


def parsed(data: bytes, message_type: Any, path: str) -> Any:
    """The message that `data`, the contents of the file `path`, holds as bytes or as text."""
    try:
        return message_type.FromString(data)
    except proto.parse_errors()[0]:
        text = data.decode()
    try:
        return proto.parse_text(text, message_type())
    except proto.parse_errors()[1] as error:
        raise OSError(f"Cannot parse file {path}: {error}.") from None
