"""`tensorflow.python.tools.strip_unused`: `strip_unused_lib` as a program.

    python -m tfmini.compat.python.tools.strip_unused --input_graph=graph.pb --input_binary \\
        --output_graph=stripped.pb --input_node_names=images --output_node_names=softmax
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tfmini._src.base import dtypes
from tfmini.compat.python.tools.strip_unused_lib import strip_unused_from_files

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool on `arguments`, by default the process's; returns the exit status."""
    parser = argparse.ArgumentParser(prog="strip_unused", description=(__doc__ or "").split(":")[0])
    for name, about in (
        ("input_graph", "the file of a GraphDef"),
        ("output_graph", "the file to write"),
        ("input_node_names", "nodes that become placeholders, separated by commas"),
        ("output_node_names", "the nodes of the results, separated by commas"),
    ):
        parser.add_argument(f"--{name}", default="", help=about)
    for name, default in (("input_binary", False), ("output_binary", True)):
        parser.add_argument(
            f"--{name}",
            nargs="?",
            const=True,
            default=default,
            type=lambda text: text.lower() == "true",
            help="whether it is no text",
        )
    parser.add_argument(
        "--placeholder_type_enum",
        type=int,
        default=dtypes.float32.as_datatype_enum,
        help="the number of the placeholders' dtype",
    )
    flags, _ = parser.parse_known_args(arguments)
    strip_unused_from_files(**vars(flags))
    return 0


if __name__ == "__main__":
    sys.exit(main())
