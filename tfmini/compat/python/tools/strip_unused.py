r"""`tensorflow.python.tools.strip_unused`: the command line of `strip_unused_lib`.

    python -m tfmini.compat.python.tools.strip_unused --input_graph=graph.pb --input_binary \
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
    """Runs the tool with `arguments`, by default the command line's; returns the exit status."""
    parser = argparse.ArgumentParser(prog="strip_unused", description=(__doc__ or "").split(":")[0])
    for name, about in (
        ("input_graph", "GraphDef file"),
        ("output_graph", "output file"),
        ("input_node_names", "comma-separated nodes to convert to placeholders"),
        ("output_node_names", "comma-separated output nodes"),
    ):
        parser.add_argument(f"--{name}", default="", help=about)
    for name, default in (("input_binary", False), ("output_binary", True)):
        parser.add_argument(
            f"--{name}",
            nargs="?",
            const=True,
            default=default,
            type=lambda text: text.lower() == "true",
            help="whether the file is binary",
        )
    parser.add_argument(
        "--placeholder_type_enum",
        type=int,
        default=dtypes.float32.as_datatype_enum,
        help="dtype number of the placeholders",
    )
    flags, _ = parser.parse_known_args(arguments)
    strip_unused_from_files(**vars(flags))
    return 0


if __name__ == "__main__":
    sys.exit(main())
