"""Lazy imports of modules that every program would pay for and few use.

`from tfmini._src.base.names.late_imports import json`, then `json.loads(text)` as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class LateModule:
    """A stand-in for the module that `load` imports and returns."""

    def __init__(self, load: Callable[[], Any]):
        self._load = load

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._load(), attribute)


@LateModule
def base64() -> Any:
    import base64  # noqa: PLC0415

    return base64


@LateModule
def difflib() -> Any:
    import difflib  # noqa: PLC0415

    return difflib


@LateModule
def futures() -> Any:
    from concurrent import futures  # noqa: PLC0415

    return futures


@LateModule
def json() -> Any:
    import json  # noqa: PLC0415

    return json


@LateModule
def ml_dtypes() -> Any:
    import ml_dtypes  # noqa: PLC0415

    return ml_dtypes


@LateModule
def pathlib() -> Any:
    import pathlib  # noqa: PLC0415

    return pathlib


@LateModule
def pprint() -> Any:
    import pprint  # noqa: PLC0415

    return pprint


@LateModule
def random() -> Any:
    import random  # noqa: PLC0415

    return random


@LateModule
def tempfile() -> Any:
    import tempfile  # noqa: PLC0415

    return tempfile


@LateModule
def uuid() -> Any:
    import uuid  # noqa: PLC0415

    return uuid
