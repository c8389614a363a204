"""`python -m tfmini inspect PATH`: contents of a checkpoint, graph, model, event file or records."""

from __future__ import annotations

import argparse
from typing import Any

from tfmini._src.base.errors import OpError, invalid
from tfmini._src.programs.cli.array_report import list_arrays
from tfmini._src.programs.cli.checkpoint_report import (
    Checkpoint,
    list_checkpoint,
    list_differences,
    list_tensor,
)
from tfmini._src.programs.cli.event_report import list_events
from tfmini._src.programs.cli.file_type import Contents, detect_contents, event_files
from tfmini._src.programs.cli.graph_report import list_graph, list_meta_graph
from tfmini._src.programs.cli.keras_model_report import list_keras_model
from tfmini._src.programs.cli.printable import complain
from tfmini._src.programs.cli.record_report import list_records
from tfmini._src.programs.cli.reports import Report, as_json
from tfmini._src.programs.cli.saved_model_report import list_saved_model
from tfmini._src.programs.cli.terminal_report import show


def add_to(commands: Any) -> None:
    """Adds the command to argparse's subparsers."""
    parser = commands.add_parser(
        "inspect",
        help="show the contents of a checkpoint, graph, SavedModel, Keras model, event file or record file",
        description="Show the contents of a file, whose type is detected: a checkpoint (its prefix, its .index, or its "
        "directory), a meta graph or frozen graph, a SavedModel, a Keras model (.h5, .keras), a safetensors or .npz "
        "file, an event file (the newest of a directory), or records.",
    )
    parser.add_argument("path", metavar="PATH", help="file, directory or checkpoint prefix")
    parser.add_argument(
        "--json", action="store_true", help="print one JSON object: kind, path, items"
    )
    exclusive_options = parser.add_mutually_exclusive_group()
    exclusive_options.add_argument(
        "--tensor", metavar="NAME", help="show one tensor of a checkpoint"
    )
    exclusive_options.add_argument(
        "--diff", metavar="OTHER", help="compare with another checkpoint"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the report; returns the exit status."""
    try:
        report = inspect_path(arguments.path, arguments.tensor, arguments.diff)
    except OpError as error:
        complain("inspect", error.message)
        return 1
    if arguments.json:
        print(as_json(report))
    else:
        show(report)
    if report.damage_text:
        complain("inspect", report.damage_text)
        return 1
    return 0


def inspect_path(path: str, tensor: str | None = None, diff: str | None = None) -> Report:
    """Creates the report on `path`.

    Args:
      path: a file, a directory, or a checkpoint prefix.
      tensor: name of a checkpoint tensor to show.
      diff: another checkpoint, to compare with.

    Raises:
      OpError: if it does not exist or cannot be read.
    """
    contents = detect_contents(path)
    if tensor is not None:
        return list_tensor(contents.path, _checkpoint(contents), tensor)
    if diff is not None:
        other = detect_contents(diff)
        return list_differences(
            contents.path, _checkpoint(contents), other.path, _checkpoint(other)
        )
    if contents.kind in ("hdf5", "keras_archive"):
        return list_keras_model(contents.path, contents.kind)
    if contents.kind == "checkpoint":
        report = list_checkpoint(contents.path, _checkpoint(contents))
        if events := event_files(path):
            report.lines.append(f"event files in the directory: {', '.join(events)}")
        return report
    if contents.kind in ("safetensors", "npz"):
        return list_arrays(contents.path, contents.kind)
    if contents.kind == "records":
        return list_records(contents.path, contents.value)
    if contents.kind == "events":
        return list_events(contents.path)
    if contents.kind == "saved_model":
        return list_saved_model(contents.path, contents.value)
    return (list_graph if contents.kind == "graph" else list_meta_graph)(
        contents.path, contents.value
    )


def _checkpoint(contents: Contents) -> Checkpoint:
    if contents.kind != "checkpoint":
        invalid(f"{contents.path} is not a checkpoint but a {contents.kind.replace('_', ' ')}")
    return Checkpoint(contents.value)
