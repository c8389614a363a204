"""Lazily imported large libraries: importing them at collection would cost each process 20 to 80 MB per library."""

import importlib
import importlib.util

import pytest


class LazyModule:
    """A module that is imported on first attribute access."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, member: str) -> object:
        if member.startswith(
            ("_", "pytest")
        ):  # attributes that pytest reads from all objects in a file
            raise AttributeError(member)
        return getattr(importlib.import_module(self._name), member)


# With its submodules scipy.special and scipy.linalg, which it loads lazily too: 22 MB.
scipy = LazyModule("scipy")


def needs(library):
    """Mark that skips tests if a library is not installed."""
    result = importlib.util.find_spec(library)
    return pytest.mark.skipif(result is None, reason=f"could not import {library!r}")
