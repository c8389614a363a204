"""Examples of one layout, mostly numbers, as a table: a row of bytes for each, from which numpy cuts the values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tfmini._src.devices.example_wire import BYTES, FLOATS, Feature, Malformed, ints_in, read_layout

_FEW = 8  # records


class Table(NamedTuple):
    """The features of each record by key, and the bytes of all, [records, length]."""

    features: dict[bytes, Feature]
    rows: np.ndarray


def table_of(records: list[bytes]) -> Table | None:
    """The records as a table; None if they do not suit one. Raises Malformed for the first record."""
    if len(records) < _FEW or len(set(map(len, records))) > 1:
        return None
    layout = read_layout(records[0])
    numbers = [span for f in layout.features.values() if f.kind != BYTES for span in f.spans]
    length = len(records[0])
    if not layout.is_fixed or 2 * sum(stop - start for start, stop in numbers) < length:
        return None
    rows = np.frombuffer(b"".join(records), np.uint8).reshape(len(records), length)
    for start, stop, text in layout.between:
        if (rows[:, start:stop] != np.frombuffer(text, np.uint8)).any():
            return None
    return Table(layout.features, rows)


def numbers_of(table: Table, feature: Feature) -> tuple[Any, Any]:
    """The values of a feature of numbers in all records, and how many each has; raises Malformed."""
    rows = table.rows
    # From nothing on: a feature may have no values.
    packed = np.concatenate([rows[:, :0], *(rows[:, a:b] for a, b in feature.spans)], axis=1)
    count, width = packed.shape
    if feature.kind != FLOATS:
        return ints_in(packed.reshape(-1), np.full(count, width))
    if width & 3:
        raise Malformed
    return packed.reshape(-1).view("<f4"), np.full(count, width >> 2)
