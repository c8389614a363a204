"""`inspect` on event files: summaries by tag, and other events."""

from __future__ import annotations

import datetime
from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.summary_iterator import summary_iterator
from tfmini._src.programs.cli.reports import (
    Report,
    Section,
    amount,
    count_text,
    dtype_name,
    shape_dims,
)

_VALUE_KINDS = {
    "simple_value": "scalar",
    "histo": "histogram",
    "obsolete_old_style_histogram": "histogram",
}
_STATES = ("?", "start", "stop", "checkpoint")


def list_events(path: str) -> Report:
    """Lists all events, with summaries grouped by tag."""
    tags: dict[str, dict[str, Any]] = {}
    count, times, logs, runs, nodes, error_text = 0, [], [], [], [], ""
    try:
        for event in summary_iterator(path):
            count += 1
            times.append(event.wall_time)
            content = event.WhichOneof("what")
            for value in event.summary.value:
                _note(tags, value, event.step)
            if content == "session_log":
                logs.append(f"{_state(event.session_log.status)} at step {event.step}")
            elif content == "tagged_run_metadata":
                runs.append(event.tagged_run_metadata.tag)
            elif content == "graph_def":
                nodes.append(len(_graph(path, event.graph_def).node))
    except DataLossError as error:
        error_text = error.message
    items = [tags[tag] for tag in sorted(tags)]
    lines = [count_text(count, "event")]
    if times:
        lines[0] += f" from {_utc(min(times))} to {_utc(max(times))}"
    lines += [f"graph of {count_text(node_count, 'node')}" for node_count in nodes]
    lines += [f"session log: {log}" for log in logs]
    lines += [f"metadata of a run: {run}" for run in runs]
    columns = ("tag", "kind", "count", "first step", "last step", "first", "last")
    rows = [
        tuple(i[k] for k in ("name", "kind", "count", "first_step", "last_step", "first", "last"))
        for i in items
    ]
    facts = {
        "events": count,
        "wall_time": [min(times), max(times)] if times else None,
        "graph_nodes": nodes,
        "session_logs": logs,
        "run_metadata": runs,
    }
    sections = [Section("", columns, rows)] if rows else []
    return Report("events", path, items, lines, sections, facts, error_text)


def _note(tags: dict[str, dict[str, Any]], value: Any, step: int) -> None:
    field = value.WhichOneof("value")
    text = _summary_text(value, field)
    item = tags.get(value.tag)
    if item is None:
        tags[value.tag] = item = {
            "name": value.tag,
            "kind": _VALUE_KINDS.get(field, field),
            "count": 0,
        }
        item |= {"first_step": step, "first": text}
        if field == "tensor":
            item |= {"dtype": dtype_name(value.tensor.dtype)}
            item |= {"shape": shape_dims(value.tensor.tensor_shape)}
        plugin = value.metadata.plugin_data.plugin_name
        if plugin:
            item["plugin"] = plugin
    item["count"] += 1
    item |= {"last_step": step, "last": text}


def _summary_text(value: Any, field: str | None) -> Any:
    """Returns a summary in short form."""
    if field == "simple_value":
        return value.simple_value
    if field == "histo":
        return f"{value.histo.num:g} from {value.histo.min:.4g} to {value.histo.max:.4g}"
    if field == "image":
        return f"{value.image.width} x {value.image.height}"
    if field == "audio":
        return f"{value.audio.length_frames} frames at {value.audio.sample_rate:g} Hz"
    if field == "tensor":
        tensor = value.tensor
        if len(tensor.float_val) == 1:
            return tensor.float_val[0]
        if len(tensor.string_val) == 1:
            return tensor.string_val[0].decode(errors="backslashreplace")[:60]
        return amount(tensor.ByteSize())
    return None


def _state(state: int) -> str:
    return _STATES[state] if 0 <= state < len(_STATES) else "?"


def _graph(path: str, data: bytes) -> Any:
    try:
        return proto.GraphDef.FromString(data)
    except proto.parse_errors()[0] as error:
        raise DataLossError(None, None, f"{error}\nin a graph of {path}") from None


def _utc(seconds: float) -> str:
    """Returns a time as UTC text."""
    try:
        moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return f"second {seconds}"
    return moment.strftime("%Y-%m-%d %H:%M:%S")
