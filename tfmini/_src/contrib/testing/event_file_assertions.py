"""Assertions on event files, and event file readers, for tests."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from tfmini._src.base import proto
from tfmini._src.formats.summary_iterator import summary_iterator


def assert_summary(
    expected_tags: Iterable[str],
    expected_simple_values: dict[str, float],
    summary_proto: proto.Summary,
) -> None:
    """Checks the tags of a Summary, and selected values to two decimals.

    Raises:
      ValueError: for any other tags.
      AssertionError: for any other values.
    """
    tags = {value.tag for value in summary_proto.value}
    for value in summary_proto.value:
        if value.tag in expected_simple_values:
            expected = expected_simple_values[value.tag]
            np.testing.assert_almost_equal(
                value.simple_value, expected, decimal=2, err_msg=value.tag
            )
    if set(expected_tags) != tags:
        raise ValueError(f"Expected tags {set(expected_tags)}, got {tags}.")


def to_summary_proto(summary_str: bytes) -> Any:
    """Parses a serialized Summary."""
    return proto.Summary.FromString(summary_str)


def latest_event_file(base_dir: str) -> str | None:
    """Returns the path of the latest event file in a directory; None if the directory has none."""
    return max(glob.glob(os.path.join(base_dir, "events.*")), default=None)


def latest_events(base_dir: str) -> Iterable[Any]:
    """Returns the events of the latest file in a directory."""
    path = latest_event_file(base_dir)
    return summary_iterator(path) if path else []


def latest_summaries(base_dir: str) -> list[Any]:
    """Returns the events with summaries in the latest file."""
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


def simple_values_from_events(events: Iterable[Any], tags: Iterable[str]) -> dict[str, float]:
    """Returns the values of the highest step, by tag.

    Args:
      events: Event protos.
      tags: the tags to search for.

    Raises:
      ValueError: if a value is not a simple value.
    """
    latest_values: dict[str, tuple[int, float]] = {}
    for event in events:
        for value in event.summary.value if event.HasField("summary") else ():
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            if value.tag not in latest_values or event.step > latest_values[value.tag][0]:
                latest_values[value.tag] = event.step, value.simple_value
    return {tag: value for tag, (_, value) in latest_values.items()}
