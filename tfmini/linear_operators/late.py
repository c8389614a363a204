"""The operators that few programs use: they load when one is asked for."""

from __future__ import annotations

from typing import Any


def load(name: str) -> Any:
    """What `tf.linalg` offers under this name."""
    from tfmini.linear_operators import blocks, circulant, updates, zeros  # noqa: PLC0415
    from tfmini.ops.linalg import tridiagonal_functions  # noqa: PLC0415

    for module in (blocks, circulant, updates, zeros, tridiagonal_functions):
        if name in vars(module):
            return getattr(module, name)
    raise AttributeError(name)
