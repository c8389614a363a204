"""device_names: parses device strings for the placer and merges them.

TensorFlow's runtime parses device strings differently from its front end (`graph/device_spec.py`): a device function
may return any string, and the runtime rejects malformed strings.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_PART_PATTERN = (
    r"/job:(?P<job>\*|[A-Za-z][A-Za-z0-9_]*(?=/|$))"
    r"|/replica:(?P<replica>\*|[0-9]+)"
    r"|/task:(?P<task>\*|[0-9]+)"
    r"|/device:(?P<type>\*|[A-Za-z][A-Za-z0-9_]*(?=[:/]|$))(?::(?P<device_index>\*|[0-9]+))?"
    r"|/(?P<old_type>cpu|CPU|gpu|GPU):(?P<old_device_index>\*|[0-9]+)"
)


class Incompatible(Exception):
    """Raised for conflicting device names; the text describes the conflict."""


class DeviceName(NamedTuple):
    """A full or partial device name; None for an unspecified part."""

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    type: str | None = None
    device_index: int | None = None

    def __str__(self) -> str:
        text = "" if self.job is None else f"/job:{self.job}"
        if self.replica is not None:
            text += f"/replica:{self.replica}"
        if self.task is not None:
            text += f"/task:{self.task}"
        if self.type is not None:
            text += f"/device:{self.type}:{'*' if self.device_index is None else self.device_index}"
        return text


ANYWHERE = DeviceName()
_PLURALS = {
    "job": "jobs",
    "replica": "replicas",
    "task": "tasks",
    "type": "types",
    "device_index": "ids",
}


@lru_cache(maxsize=4096)
def parse_device(text: str) -> DeviceName | None:
    """Returns the parts of a device string; None if it is malformed."""
    part = re.compile(_PART_PATTERN)  # cached by re; most programs never need it
    parts: dict[str, str] = {}
    position = 0 if text != "/" else 1
    while position < len(text):
        match = part.match(text, position)
        if match is None:
            return None
        position = match.end()
        for key, value in match.groupdict().items():
            if value is not None:
                parts[key.removeprefix("old_")] = value.upper() if key == "old_type" else value
    fields = {key: value for key, value in parts.items() if value != "*"}
    indices = {
        key: int(fields[key]) for key in ("replica", "task", "device_index") if key in fields
    }
    return ANYWHERE._replace(job=fields.get("job"), type=fields.get("type"), **indices)


@lru_cache(maxsize=4096)
def merge_devices(target: DeviceName, other: DeviceName, soft: bool = False) -> DeviceName:
    """Merges two names; raises Incompatible if they conflict, unless soft placement leaves that type or index open."""
    parts = target._asdict()
    for key, value in other._asdict().items():
        if value is None:
            continue
        if parts[key] not in (None, value):
            if soft and key in ("type", "device_index"):
                for dropped in ("type", "device_index") if key == "type" else ("device_index",):
                    parts[dropped] = None
                break
            # The message contains the values merged so far, as TensorFlow's does.
            raise Incompatible(
                f"Cannot merge devices with incompatible {_PLURALS[key]}: '{DeviceName(**parts)}' and '{other}'"
            )
        parts[key] = value
    return DeviceName(**parts)


@lru_cache(maxsize=4096)
def override_device(target: DeviceName, other: DeviceName) -> DeviceName:
    """Returns `target` with its parts overridden by the parts that `other` specifies."""
    overrides = {key: value for key, value in other._asdict().items() if value is not None}
    return target._replace(**overrides)


def compatible(first_name: DeviceName, other: DeviceName) -> bool:
    """Whether one of the names is at least as specific as the other and agrees with it."""
    return _matches(first_name, other) or _matches(other, first_name)


def _matches(name: DeviceName, pattern: DeviceName) -> bool:
    return all(b is None or a == b for a, b in zip(name, pattern))


def names(pattern: DeviceName, device: DeviceName) -> bool:
    """Whether `pattern` matches `device`, a full name."""
    return _matches(device, pattern)
