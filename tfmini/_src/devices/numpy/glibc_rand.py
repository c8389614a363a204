"""The sequence of glibc's `rand` since the start of a process: an additive feedback generator.

D. Knuth, "The Art of Computer Programming", volume 2, 3.2.2: x[n] = x[n - 3] + x[n - 31]. A linear generator fills the
first 31 numbers from the seed 1, three of them twice; 310 are then discarded, and the lowest bit of each.
"""

from __future__ import annotations

import collections

import numpy as np

from tfmini._src.base.locks import after_fork, make_lock

_DEGREE, _SEPARATION, _DISCARDED_OUTPUTS = 31, 3, 310


class _Stream:
    def __init__(self) -> None:
        self.lock = make_lock()
        self.restart()

    def restart(self) -> None:
        """Restarts at the first number of a process."""
        values = [1]
        for _ in range(_DEGREE - 1):
            values.append(16807 * values[-1] % 2147483647)
        self.state = collections.deque(values + values[:_SEPARATION], maxlen=_DEGREE)
        self.take(_DISCARDED_OUTPUTS)

    def take(self, count: int) -> np.ndarray:
        """Returns the next numbers, int64 [count], from 0 to 2 ** 31 - 1."""
        state, values = self.state, np.empty(count, np.int64)
        for index in range(count):
            value = (state[-_SEPARATION] + state[0]) & 0xFFFFFFFF
            state.append(value)
            values[index] = value >> 1
        return values

    def renew_lock(self) -> None:
        self.lock = make_lock()


_stream = _Stream()
after_fork(_stream.renew_lock)


def draw(count: int) -> np.ndarray:
    """Returns the next numbers of this process, int64 [count], from 0 to 2 ** 31 - 1."""
    with _stream.lock:
        return _stream.take(count)
