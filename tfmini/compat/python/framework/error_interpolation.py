"""`tensorflow.python.framework.error_interpolation`: the source lines of nodes in error messages.

Messages refer to a node by `{{node NAME}}`, which `interpolate` replaces by the line in the program; it replaces
`{{colocation_node NAME}}` also by the enclosing `tf.device` and `colocate_with` blocks.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.base.package import PACKAGE_DIRECTORY
from tfmini._src.graph.stack_traces import Frames, common_directory, user_location
from tfmini.compat.python.framework.traceable_stack import TraceableObject

__all__ = [
    "compute_field_dict",
    "create_graph_debug_info_def",
    "interpolate",
    "parse_message",
    "traceback_files_common_prefix",
]

_NAME = r"[A-Za-z0-9_.][A-Za-z0-9_.\-/]*?"
_TAG = re.compile(rf"{{{{({_NAME}) ({_NAME})}}}}")
_PACKAGE = PACKAGE_DIRECTORY + os.sep

# Frames of files whose paths hold one of these made no node of the program's own.
_BAD_FILE_SUBSTRINGS = [
    _PACKAGE,
    os.path.join("tensorflow", "python"),
    os.path.join("tensorflow", "contrib"),
    "<embedded",
]

# The maximum number of frames of a node in a GraphDebugInfo, and of these frames inside of its defining line.
_FRAMES, _INNER = 10, 2


class _Tag(NamedTuple):
    type: str
    name: str


def parse_message(message: str) -> tuple[list[str], list[_Tag]]:
    """Splits a message at its tags: returns the texts around them, one more than tags, and the tags (type, name)."""
    parts = _TAG.split(message)
    return parts[::3], [_Tag(*pair) for pair in zip(parts[1::3], parts[2::3])]


def _find_index_of_defining_frame_for_op(op: Any) -> int:
    """Returns the index of the innermost frame of a node's traceback in the program's own code, or 0."""
    indices = [
        index
        for index, frame in enumerate(op.traceback)
        if not any(part in frame[0] for part in _BAD_FILE_SUBSTRINGS)
    ]
    return indices[-1] if indices else 0


def create_graph_debug_info_def(operations: Iterable[tuple[str, Any]]) -> Any:
    """Returns a GraphDebugInfo with the source lines of nodes, given as (name of their function or "", node)."""
    message = proto.GraphDebugInfo()
    file_indices: dict[str, int] = {}
    for function, op in operations:
        frames = op.traceback
        end = min(_find_index_of_defining_frame_for_op(op) + 1 + _INNER, len(frames))
        trace = message.traces[function + op.name]
        for frame in reversed(frames[max(end - _FRAMES, 0) : end]):
            index = file_indices.setdefault(frame[0], len(file_indices))
            trace.file_line_cols.add(file_index=index, line=frame[1])
    message.files.extend(file_indices)
    return message


def _program_frame(frames: Frames) -> TraceableObject:
    """Returns the program's own line among the frames."""
    location = user_location(frames, excluded_file=contextlib.__file__)
    return TraceableObject(None, *(location[:2] if location else ("", 0)))


def _summary(subject: str, name: str, blocks: Sequence[tuple[str, Any]], prefix: str) -> str:
    """Returns the blocks around a node with their locations, one per line."""
    if not blocks:
        return f"{prefix}No {subject} were active during op '{name}' creation."
    lines = [f"{prefix}{subject[0].upper()}{subject[1:]} active during op '{name}' creation:"]
    lines += [
        f"{prefix}  with {call}: <{location.filename}:{location.lineno}>"
        for call, location in blocks
    ]
    return "\n".join(lines)


def _compute_device_summary_from_list(
    name: str, device_assignment_list: Sequence[Any], prefix: str = ""
) -> str:
    """Lists the `tf.device` blocks around a node, from TraceableObjects of their arguments."""
    blocks = [(f"tf.device({block.obj})", block) for block in device_assignment_list]
    return _summary("device assignments", name, blocks, prefix)


def _compute_colocation_summary_from_dict(
    name: str, colocation_dict: Mapping[str, Any], prefix: str = ""
) -> str:
    """Lists the `colocate_with` blocks around a node, with the location of each, by the name of the other node."""
    blocks = [
        (f"tf.colocate_with({other})", location) for other, location in colocation_dict.items()
    ]
    return _summary("node-device colocations", name, blocks, prefix)


def _compute_device_assignment_summary_from_op(op: Any, prefix: str = "") -> str:
    blocks = []
    for scope in op._device_assignments:
        frame = _program_frame(scope.frames)
        blocks.append(TraceableObject(str(scope), frame.filename, frame.lineno))
    return _compute_device_summary_from_list(op.name, blocks, prefix)


def _compute_colocation_summary_from_op(op: Any, prefix: str = "") -> str:
    entered = {other.name: _program_frame(frames) for other, frames in op._colocated_with}
    return _compute_colocation_summary_from_dict(op.name, entered, prefix)


def compute_field_dict(op: Any, strip_file_prefix: str = "") -> dict[str, Any]:
    """Returns fields for messages: "file", "line", "defined_at", "colocations", "devices", and the last two joined.

    Args:
      op: the node.
      strip_file_prefix: the prefix to remove from the file's path.
    """
    file, line = op.traceback[_find_index_of_defining_frame_for_op(op)][:2]
    file = file.removeprefix(strip_file_prefix)
    colocations = _compute_colocation_summary_from_op(op)
    devices = _compute_device_assignment_summary_from_op(op)
    return {
        "file": file,
        "line": line,
        "defined_at": f" (defined at {file}:{line})",
        "colocations": colocations,
        "devices": devices,
        "devs_and_colocs": f"{colocations}\n{devices}",
    }


def traceback_files_common_prefix(all_ops: Iterable[Sequence[Any] | None]) -> str:
    """Returns the common folder of all files in which the nodes of these groups were created."""
    frames = (frame for group in all_ops for op in group or () for frame in op.traceback)
    files = {frame[0] for frame in frames if "<embedded" not in frame[0]}
    return common_directory(files)


def _sources(op: Any) -> list[Any]:
    """Returns the nodes that feed a node through inputs or control inputs, without duplicates."""
    return list(dict.fromkeys([*(tensor.op for tensor in op.inputs), *op.control_inputs]))


def _described_node(op: Any, prefix: str) -> tuple[str, str]:
    """Returns a node with its source line, and the lines of its sources if they differ."""
    location = compute_field_dict(op, prefix)["defined_at"]
    lines: dict[str, str] = {}
    for source in _sources(op):
        lines.setdefault(compute_field_dict(source, prefix)["defined_at"], source.name)
    lines.pop(location, None)
    sources = "\t\n".join(f" {name}{line}" for line, name in lines.items())
    head = f"\nInput Source operations connected to node {op.name}:\n"
    return f"node {op.name}{location} ", f"{head}{sources}" if lines else ""


def interpolate(error_message: str, graph: Any) -> str:
    """Returns the message with its tags replaced by information from the graph about their nodes.

    Args:
      error_message: the text, with `{{node NAME}}` and `{{colocation_node NAME}}`; tags of unknown nodes remain
        unchanged, and `{{function_node NAME}}` is removed.
      graph: the `tf.Graph`.
    """
    texts, tags = parse_message(error_message)
    ops = [_operation(graph, tag.name) for tag in tags]
    prefix = traceback_files_common_prefix([op, *_sources(op)] for op in ops if op is not None)
    sources, colocations, replacements = [], [], []
    for tag, op in zip(tags, ops):
        text = "" if tag.type == "function_node" else f"{{{{{tag.type} {tag.name}}}}}"
        if op is not None and tag.type == "node":
            text, inputs = _described_node(op, prefix)
            sources += [inputs] if inputs else []
        elif op is not None and tag.type == "colocation_node":
            fields = compute_field_dict(op, prefix)
            text = f"node {op.name}{fields['defined_at']} placed on device {fields['devices']} "
            colocations.append(fields["devs_and_colocs"])
        replacements.append(text)
    result = "".join(text for pair in zip(texts, replacements) for text in pair) + texts[-1]
    if sources:
        result += "\n\nErrors may have originated from an input operation." + "\n".join(sources)
    if colocations:
        result += "Additional information about colocations:" + "\n".join(colocations)
    return result


def _operation(graph: Any, name: str) -> Any:
    """Returns a node of a graph by name; None if it is missing."""
    try:
        return graph.get_operation_by_name(name)
    except KeyError:
        return None
