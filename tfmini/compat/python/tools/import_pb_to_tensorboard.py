"""`tensorflow.python.tools.import_pb_to_tensorboard`: converts a GraphDef file for TensorBoard.

python -m tfmini.compat.python.tools.import_pb_to_tensorboard --model_dir=/tmp/frozen.pb --log_dir=/tmp/log
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from tfmini._src.base import proto
from tfmini._src.formats.open_file import read_bytes
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graphdef.import_graph_def import import_graph_def
from tfmini._src.train.events.file_writer import FileWriter

__all__ = ["import_to_tensorboard", "main"]


def import_to_tensorboard(model_dir: str, log_dir: str) -> None:
    """Writes an event file with a graph.

    Args:
      model_dir: path of a binary GraphDef.
      log_dir: the folder of the event file.

    Raises:
      NotFoundError: if the file does not exist.
      DecodeError: if it is not a GraphDef.
    """
    graph = Graph()
    with graph.as_default():
        import_graph_def(proto.GraphDef.FromString(read_bytes(os.fsencode(model_dir))))
    with FileWriter(log_dir) as writer:
        writer.add_graph(graph)
    print(f"Model Imported. Visualize by running: tensorboard --logdir={log_dir}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool with `arguments`, by default the command line's; returns the exit status."""
    parser = argparse.ArgumentParser(prog="import_pb_to_tensorboard")
    parser.add_argument("--model_dir", required=True, help="GraphDef file")
    parser.add_argument("--log_dir", required=True, help="event file folder")
    flags, _ = parser.parse_known_args(arguments)
    import_to_tensorboard(flags.model_dir, flags.log_dir)
    return 0


if __name__ == "__main__":
    sys.exit(main())
