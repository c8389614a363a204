"""`tf.compat.forward_compatible`: TensorFlow's forward compatibility dates."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

# The last one applies; 1.15.5 writes graphs for readers from this date on.
_horizon = [(2019, 8, 21)]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use features that require readers from this date on."""
    return _horizon[-1] > (year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Context manager in which `forward_compatible` assumes another date."""
    _horizon.append((year, month, day))
    try:
        yield
    finally:
        _horizon.pop()
