"""`tensorflow.python.tools.inspect_checkpoint`: prints the contents of a checkpoint.

    from tfmini.compat.python.tools.inspect_checkpoint import print_tensors_in_checkpoint_file
    print_tensors_in_checkpoint_file("/tmp/model-100", tensor_name="", all_tensors=True)

    python -m tfmini.compat.python.tools.inspect_checkpoint --file_name=/tmp/model-100 --all_tensors

`python -m tfmini inspect` shows more.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.train.checkpoints.checkpoint_reader import CheckpointReader, new_checkpoint_reader

__all__ = ["print_tensors_in_checkpoint_file"]


def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str | None,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Prints tensors of a checkpoint, or the error if it cannot be opened.

    Args:
      file_name: the prefix of the checkpoint.
      tensor_name: the tensor to print; if empty, names, dtypes and shapes of all tensors are printed.
      all_tensors: whether to print all tensors.
      all_tensor_names: whether to print all names.
      count_exclude_pattern: a pattern for names excluded from the parameter count.
    """
    try:
        reader = new_checkpoint_reader(file_name)
        if all_tensors or all_tensor_names:
            for name in sorted(reader.get_variable_to_shape_map()):
                print("tensor_name: ", name)
                if all_tensors:
                    print(reader.get_tensor(name))
        elif not tensor_name:
            print(reader.debug_string().decode("utf-8"))
        else:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
        print(f"# Total number of params: {_count(reader, count_exclude_pattern)}")
    except Exception as error:
        text = str(error)
        print(text)
        if "corrupted compressed block contents" in text:
            print("It's likely that your checkpoint file has been compressed with SNAPPY.")
        if "Data loss" in text and any(e in file_name for e in (".index", ".meta", ".data")):
            print(
                "\nIt's likely that this is a V2 checkpoint and you need to provide the filename\n"
                "*prefix*.  Try removing the '.' and extension.  Try:\n"
                f"inspect checkpoint --file_name = {file_name.rpartition('.')[0]}"
            )


def _count(reader: CheckpointReader, exclude_pattern: str) -> int:
    """Returns the total number of elements in all tensors that are not excluded."""
    sizes = {n: math.prod(shape) for n, shape in reader.get_variable_to_shape_map().items()}
    if exclude_pattern:
        excluded = [n for n in sizes if re.search(exclude_pattern, n)]
        count = sum(sizes.pop(name) for name in excluded)
        print(
            f"# Excluding {len(excluded)} tensors ({count} params) that match {exclude_pattern} when counting."
        )
    return sum(sizes.values())


def _print_option(text: str) -> None:
    """Sets an option of numpy.set_printoptions, given as "NAME=VALUE"."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"'{text}' is not in the form k=v.")
    options: dict[str, Any] = dict(np.get_printoptions())
    if name not in options:
        raise argparse.ArgumentTypeError(f"'{name}' is not a valid printoption.")
    option_type = type(options[name])
    if options[name] is None:
        raise argparse.ArgumentTypeError(
            f"Setting '{name}' from the command line is not supported."
        )
    converted: Any = (
        value.lower() in ("1", "true", "t") if option_type is bool else option_type(value)
    )
    set_options: Any = np.set_printoptions
    set_options(**{name: converted})


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tool with `arguments`, by default the command line's; returns the exit status."""
    parser = argparse.ArgumentParser(prog="inspect_checkpoint")
    parser.add_argument("--file_name", default="", help="checkpoint prefix")
    parser.add_argument("--tensor_name", default="", help="tensor to print")
    parser.add_argument(
        "--count_exclude_pattern",
        default="",
        help="regular expression of names excluded from the parameter count",
    )
    for name, about in (("all_tensors", "print all tensors"), ("all_tensor_names", "and names")):
        parser.add_argument(
            f"--{name}",
            nargs="?",
            const=True,
            default=False,
            type=lambda text: text.lower() == "true",
            help=about,
        )
    parser.add_argument(
        "--printoptions", nargs="*", type=_print_option, help="NumPy print option NAME=VALUE"
    )
    flags = parser.parse_args(arguments)
    if not flags.file_name:
        print(
            "Usage: inspect_checkpoint --file_name=checkpoint_file_name [--tensor_name=tensor_to_print] "
            "[--all_tensors] [--all_tensor_names] [--printoptions]"
        )
        return 1
    print_tensors_in_checkpoint_file(
        flags.file_name,
        flags.tensor_name,
        flags.all_tensors,
        flags.all_tensor_names,
        count_exclude_pattern=flags.count_exclude_pattern,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
