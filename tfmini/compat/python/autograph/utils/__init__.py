"""`tensorflow.python.autograph.utils`: the parts without public names."""

from __future__ import annotations

import types

import tfmini

__all__ = ["fake_tf"]


def fake_tf() -> types.ModuleType:
    """The public names, as tests of AutoGraph use them."""
    return tfmini
