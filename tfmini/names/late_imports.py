"""Modules that are loaded when something of them is used: most programs start sooner without."""

from __future__ import annotations

import importlib
from typing import Any


class LateModule:
    """Stands for a module: `json = LateModule("json")`, then `json.loads(text)` as ever, which loads it."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(importlib.import_module(self._name), attribute)
