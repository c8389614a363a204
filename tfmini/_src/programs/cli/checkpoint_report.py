"""`inspect` on checkpoints: lists tensors, shows the values of one, compares two checkpoints."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

import numpy as np

from tfmini._src.base.dtypes import DType
from tfmini._src.base.errors import NotFoundError
from tfmini._src.formats.bundle import Bundle
from tfmini._src.formats.checkpoint_v1 import OldCheckpoint
from tfmini._src.programs.cli.reports import Report, Section, amount, cell, count_text, shape_text

_CHUNK_ELEMENTS = 1 << 20  # elements processed at a time
_MAX_SHOWN_ELEMENTS = 8  # elements shown


class Checkpoint:
    """A checkpoint of either version: names, shapes, dtypes, sizes, values."""

    def __init__(self, reader: Bundle | OldCheckpoint):
        self._reader = reader
        self.sizes: dict[str, int | None] = {}
        self.slices: dict[str, int] = {}
        if isinstance(reader, OldCheckpoint):
            self.version = 1
            for name in reader.names:
                self.sizes[name] = None
                self.slices[name] = reader.count_slices(name)
            return
        self.version = 2
        for name, entry in reader.entries():
            self.slices[name] = len(entry.slices)
            self.sizes[name] = None if entry.slices else entry.size

    @property
    def bytes(self) -> int:
        """Total size of the tensors in bytes, without string slices."""
        return sum(self.size(name) or 0 for name in self.sizes)

    def names(self) -> list[str]:
        """Returns the names of all tensors, sorted."""
        return sorted(self.sizes)

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of a tensor."""
        return tuple(self._reader.shape(name))

    def dtype(self, name: str) -> DType:
        """Returns the dtype of a tensor."""
        return self._reader.dtype(name)

    def size(self, name: str) -> int | None:
        """Returns the size of a tensor in bytes; None for string slices."""
        stored = self.sizes[name]
        if stored is not None:
            return stored
        shape, dtype = self.shape(name), self.dtype(name)
        return None if dtype.name == "string" else int(np.prod(shape, dtype=object)) * dtype.size

    def read(self, name: str) -> np.ndarray:
        """Returns the value of a tensor."""
        if name not in self.sizes:
            close = difflib.get_close_matches(name, self.sizes, 3, 0.5)
            hint = f"\nPerhaps {' or '.join(close)}?" if close else ""
            raise NotFoundError(None, None, f"Key {name} not found in checkpoint{hint}")
        return self._reader.read(name)

    def item(self, name: str) -> dict[str, Any]:
        """Returns the description of a tensor, for JSON."""
        item: dict[str, Any] = {
            "name": name,
            "dtype": self.dtype(name).name,
            "shape": list(self.shape(name)),
            "bytes": self.size(name),
        }
        if self.slices[name]:
            item["slices"] = self.slices[name]
        return item


def list_checkpoint(path: str, checkpoint: Checkpoint) -> Report:
    """Lists all tensors."""
    items = [checkpoint.item(name) for name in checkpoint.names()]
    size = checkpoint.bytes
    elements = sum(int(np.prod(item["shape"], dtype=object)) for item in items)
    sliced = any("slices" in item for item in items)
    columns = ("name", "dtype", "shape", "bytes", *(["slices"] if sliced else []))
    rows = [
        (
            item["name"],
            item["dtype"],
            shape_text(item["shape"]),
            item["bytes"],
            *([item.get("slices")] if sliced else []),
        )
        for item in items
    ]
    summary = (
        f"version {checkpoint.version}: {count_text(len(items), 'tensor')}, {elements:,} elements"
    )
    return Report(
        "checkpoint",
        path,
        items,
        [f"{summary}, {amount(size)}"],
        [Section("", columns, rows)],
        {"version": checkpoint.version, "elements": elements, "bytes": size},
    )


def list_tensor(path: str, checkpoint: Checkpoint, name: str) -> Report:
    """Shows one tensor and its statistics."""
    value = checkpoint.read(name)
    statistics = value_statistics(value)
    item = {**checkpoint.item(name), "statistics": statistics}
    line = f"{name}: {item['dtype']} {shape_text(item['shape'])}"
    rows = [
        (key, ", ".join(map(cell, statistic)) if isinstance(statistic, list) else statistic)
        for key, statistic in statistics.items()
    ]
    return Report(
        "checkpoint",
        path,
        [item],
        [line],
        [Section("", ("what", "value"), rows)],
        {"version": checkpoint.version},
    )


def value_statistics(value: np.ndarray) -> dict[str, Any]:
    """Returns the element counts by kind, and range, mean and deviation of the finite elements."""
    flat = value.reshape(-1)
    statistics: dict[str, Any] = {"elements": flat.size}
    if value.dtype == object:
        lengths = [len(text) for text in flat]
        if lengths:
            statistics |= {"shortest": min(lengths), "longest": max(lengths)}
        return statistics | {
            "first": [_to_json(text) for text in flat[:_MAX_SHOWN_ELEMENTS].tolist()]
        }
    if value.dtype == bool:
        return statistics | {"true": int(flat.sum()), "first": flat[:_MAX_SHOWN_ELEMENTS].tolist()}
    statistics["zeros"] = int(flat.size - np.count_nonzero(flat))
    count, total, lowest, highest, nan_count, infinite = 0, 0.0, [], [], 0, 0
    for part in _wide(flat):
        finite = part[np.isfinite(part)]
        nan_count += int(np.isnan(part).sum())
        infinite += int(np.isinf(part).sum())
        if finite.size:
            count += finite.size
            total += finite.sum()
            if not np.iscomplexobj(finite):
                lowest.append(finite.min())
                highest.append(finite.max())
    statistics |= {"nan": nan_count, "infinite": infinite}
    if lowest and flat.dtype.kind in "iu":  # exact, e.g. for global steps
        statistics |= {"min": int(flat.min()), "max": int(flat.max())}
    elif lowest:
        statistics |= {"min": min(lowest).item(), "max": max(highest).item()}
    if count:
        mean = total / count
        squares = sum(float((abs(p[np.isfinite(p)] - mean) ** 2).sum()) for p in _wide(flat))
        statistics |= {"mean": _to_json(mean), "deviation": float(np.sqrt(squares / count))}
    return statistics | {
        "first": [_to_json(element) for element in flat[:_MAX_SHOWN_ELEMENTS].tolist()]
    }


def _wide(flat: np.ndarray) -> Iterator[np.ndarray]:
    """Yields chunks of an array, in numpy's most precise standard dtype."""
    dtype = np.complex128 if np.iscomplexobj(flat) else np.float64
    for start in range(0, flat.size, _CHUNK_ELEMENTS):
        yield flat[start : start + _CHUNK_ELEMENTS].astype(dtype)


def _to_json(value: Any) -> Any:
    """Returns a JSON-representable form of a value."""
    if isinstance(value, bytes):
        return value.decode(errors="backslashreplace")
    if isinstance(value, complex):
        return str(complex(value))
    return value.item() if isinstance(value, np.generic) else value


def list_differences(
    path: str, first_checkpoint: Checkpoint, other_path: str, other: Checkpoint
) -> Report:
    """Lists the differences per tensor: equal, changed (with the difference), or present in only one checkpoint."""
    items = []
    for name in sorted({*first_checkpoint.names(), *other.names()}):
        if name not in other.sizes or name not in first_checkpoint.sizes:
            checkpoint = first_checkpoint if name in first_checkpoint.sizes else other
            status = f"only in {path if checkpoint is first_checkpoint else other_path}"
            items.append({**checkpoint.item(name), "status": status})
        else:
            items.append(
                {**first_checkpoint.item(name), **_difference(name, first_checkpoint, other)}
            )
    rows = [
        (i["name"], i["dtype"], shape_text(i["shape"]), i["status"], i.get("largest_change"))
        for i in items
        if i["status"] != "same"
    ]
    same = len(items) - len(rows)
    lines = [
        f"compared with {other_path}: {count_text(same, 'tensor')} equal, {len(rows)} different"
    ]
    columns = ("name", "dtype", "shape", "status", "largest change")
    sections = [Section("", columns, rows)] if rows else []
    return Report("checkpoint", path, items, lines, sections, {"other": other_path, "same": same})


def _difference(name: str, first_checkpoint: Checkpoint, other: Checkpoint) -> dict[str, Any]:
    if first_checkpoint.dtype(name) != other.dtype(name):
        return {"status": f"dtype became {other.dtype(name).name}"}
    if first_checkpoint.shape(name) != other.shape(name):
        return {"status": f"shape became {shape_text(other.shape(name))}"}
    old_values, new_values = first_checkpoint.read(name).reshape(-1), other.read(name).reshape(-1)
    if old_values.dtype == object or old_values.dtype == bool:
        changed_count = int((old_values != new_values).sum())
        return {"status": f"{changed_count} changed" if changed_count else "same"}
    if old_values.dtype.kind in "iu":
        high, low = np.maximum(old_values, new_values), np.minimum(old_values, new_values)
        # Which wraps around to the right number.
        steps = high.astype(np.uint64) - low.astype(np.uint64)
        return _change_fields(int(np.count_nonzero(steps)), int(steps.max(initial=0)))
    largest, changed_count = 0.0, 0
    for old, new in zip(_wide(old_values), _wide(new_values)):
        is_different = ~((old == new) | (np.isnan(old) & np.isnan(new)))
        changed_count += int(is_different.sum())
        if is_different.any():
            with np.errstate(invalid="ignore", over="ignore"):
                largest = max(
                    largest, float(np.nanmax(abs(new[is_different] - old[is_different]), initial=0))
                )
    return _change_fields(changed_count, largest)


def _change_fields(changed_count: int, largest: float) -> dict[str, Any]:
    if not changed_count:
        return {"status": "same"}
    return {
        "status": f"{changed_count} changed",
        "changed": changed_count,
        "largest_change": largest,
    }
