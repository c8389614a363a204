r"""`tensorflow.python.tools.optimize_for_inference`: the command line of `optimize_for_inference_lib`.

    python -m tfmini.compat.python.tools.optimize_for_inference --input=frozen.pb --output=optimized.pb \
        --input_names=images --output_names=softmax
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes, proto
from tfmini._src.formats.atomic_write import atomic_write
from tfmini._src.formats.gfile_functions import exists
from tfmini._src.formats.open_file import read_bytes
from tfmini.compat.python.tools.optimize_for_inference_lib import optimize_for_inference

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool with `arguments`, by default the command line's; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="optimize_for_inference", description=(__doc__ or "").split(":")[0]
    )
    for name, about in (
        ("input", "GraphDef file"),
        ("output", "output file"),
        ("input_names", "comma-separated nodes to convert to placeholders"),
        ("output_names", "comma-separated output nodes"),
    ):
        parser.add_argument(f"--{name}", default="", help=about)
    parser.add_argument(
        "--frozen_graph",
        nargs="?",
        const=True,
        default=True,
        type=lambda text: text.lower() == "true",
        help="whether the files are binary",
    )
    parser.add_argument(
        "--placeholder_type_enum",
        default=str(dtypes.float32.as_datatype_enum),
        help="dtype number of the placeholders, or comma-separated numbers, one per placeholder",
    )
    parser.add_argument(
        "--toco_compatible",
        type=bool,
        default=False,
        help="do not fuse resizing and padding into convolutions",
    )
    flags, _ = parser.parse_known_args(arguments)
    if not exists(flags.input):
        print(f"Input graph file '{flags.input}' does not exist!")
        return -1
    data = read_bytes(os.fsencode(flags.input))
    graph_def = proto.GraphDef()
    if flags.frozen_graph:
        graph_def.ParseFromString(data)
    else:
        proto.parse_text(data.decode(), graph_def)
    result = optimize_for_inference(
        graph_def,
        flags.input_names.split(","),
        flags.output_names.split(","),
        _types(flags.placeholder_type_enum),
        flags.toco_compatible,
    )
    with atomic_write(flags.output) as file:
        file.write(result.SerializeToString() if flags.frozen_graph else str(result).encode())
    return 0


def _types(text: str) -> Any:
    values = [int(value) for value in text.split(",")]
    return values if len(values) > 1 else values[0]


if __name__ == "__main__":
    sys.exit(main())
