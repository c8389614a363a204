"""`tensorflow.python.autograph.utils`: the functions without public names."""

from __future__ import annotations

import types

import tfmini

__all__ = ["fake_tf"]


def fake_tf() -> types.ModuleType:
    """Returns the public names in the form used by AutoGraph's tests."""
    return tfmini
