"""`tf.compat.forward_compatible`: dates of TensorFlow's forward compatibility."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

# The last is in force; 1.15.5 writes graphs that readers since this day understand.
_horizon = [(2019, 8, 21)]


def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use features that only readers from this date on understand."""
    return _horizon[-1] > (year, month, day)


@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """A block in which `forward_compatible` assumes another date."""
    _horizon.append((year, month, day))
    try:
        yield
    finally:
        _horizon.pop()
