"""`inspect` on files of records: their number, and the features of the first Examples."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import proto
from tfmini._src.base.errors import DataLossError
from tfmini._src.formats.record_reader_writer import RecordReader
from tfmini._src.programs.cli.reports import Report, Section, amount, count_text, shorten

_MAX_LISTED_RECORDS = 100  # records whose features are listed
_DTYPES = {"bytes_list": "string", "float_list": "float32", "int64_list": "int64"}


def list_records(path: str, compression: str) -> Report:
    """Counts and checks all records; parses the first ones."""
    count, size, error_text, first = 0, 0, "", []
    with RecordReader(path, compression) as records:
        try:
            for record in records:
                count += 1
                size += len(record)
                if count <= _MAX_LISTED_RECORDS:
                    first.append(record)
        except DataLossError as error:
            error_text = error.message
        trailing = records.trailing
    examples = _examples(first)
    record_type = examples[0].DESCRIPTOR.name if examples else "bytes"
    items = _features(examples) if examples else _raw(first)
    lines = [f"{count_text(count, 'record')} of {record_type}, {amount(size)}"]
    if compression:
        lines[0] += f", {compression}"
    if trailing:
        lines.append(
            f"{count_text(trailing, 'byte')} behind the last record: its writer was cut off"
        )
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    if examples:
        columns = ("feature", "dtype", "values", "in records", "first")
        rows = [(i["name"], i["dtype"], i["values"], i["records"], i["first"]) for i in items]
        title = f"features of the first {count_text(len(examples), 'record')}"
    else:
        columns = ("record", "bytes", "first")
        rows = [(i["name"], i["bytes"], i["first"]) for i in items[:10]]
        title = "the first records"
    facts = {"records": count, "bytes": size, "compression": compression, "of": record_type}
    facts |= {"trailing_bytes": trailing}
    sections = [Section(title, columns, rows)] if rows else []
    return Report("records", path, items, lines, sections, facts, error_text)


def _examples(records: list[bytes]) -> list[Any]:
    """Returns the records parsed as SequenceExamples or Examples; empty if any record is neither."""
    messages = []
    for record in records:
        try:
            message: Any = proto.SequenceExample.FromString(record)
            if not message.feature_lists.feature_list:
                message = proto.Example.FromString(record)
        except proto.parse_errors()[0]:
            return []
        if not any(_feature_names(message)):
            return []
        messages.append(message)
    return messages


def _feature_names(message: Any) -> list[tuple[str, list[Any]]]:
    """Returns the feature names, with the Features of each."""
    if message.DESCRIPTOR.name == "Example":
        return [(name, [feature]) for name, feature in message.features.feature.items()]
    context = [(name, [feature]) for name, feature in message.context.feature.items()]
    steps = message.feature_lists.feature_list.items()
    return context + [(f"{name} (steps)", list(step.feature)) for name, step in steps]


def _features(examples: list[Any]) -> list[dict[str, Any]]:
    items: dict[str, dict[str, Any]] = {}
    for example in examples:
        for name, features in _feature_names(example):
            fields = [feature.WhichOneof("kind") for feature in features]
            values = [list(getattr(f, k).value) if k else [] for f, k in zip(features, fields)]
            used = next((kinds_of for kinds_of in fields if kinds_of), None)
            flat = [value for feature_values in values for value in feature_values]
            item = items.setdefault(
                name, {"name": name, "dtype": None, "counts": [], "records": 0, "first": None}
            )
            item["dtype"] = item["dtype"] or (_DTYPES[used] if used else None)
            item["counts"].append(len(flat))
            item["records"] += 1
            if item["first"] is None and flat:
                item["first"] = _values_text(flat)
    for item in items.values():
        lowest, highest = min(item["counts"]), max(item["counts"])
        item["shape"] = [lowest] if lowest == highest else [None]
        item["values"] = str(lowest) if lowest == highest else f"{lowest} to {highest}"
        del item["counts"]
    return [items[name] for name in sorted(items)]


def _values_text(values: list[Any]) -> str:
    texts = [
        shorten(value)
        if isinstance(value, bytes)
        else f"{value:.6g}"
        if isinstance(value, float)
        else str(value)
        for value in values[:4]
    ]
    return ", ".join(texts) + (", ..." if len(values) > 4 else "")


def _raw(records: list[bytes]) -> list[dict[str, Any]]:
    return [
        {"name": f"{index}", "dtype": "string", "bytes": len(record), "first": shorten(record)}
        for index, record in enumerate(records)
    ]
