"""Forwarded memory: ops whose TensorFlow kernel returns an input's memory instead of a new result.

Of a reference variable the result then shows what is assigned later. An op declares it with its kernel:

    split_op.forwards(output="value", view=True, when=lambda num_split: num_split == 1)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tfmini._src.base.records import dataclass

# To what addresses TensorFlow aligns memory: it shares only parts of an array that begin there.
_ALIGNMENT = 64


@dataclass(frozen=True)
class Forwarding:
    """The inputs that an op's outputs may alias, and the conditions.

    sources: by output, the inputs whose memory it may be.
    view: the result is what the kernel makes of the input as it is by then, else the input itself.
    at_once: its kernel gives on whatever it is given, a variable too.
    when: for which inputs and attrs, which it names: called with values, or with arrays that only have the shape and
      dtype of inputs that are not static ones.
    late: `when` asks for values of any inputs, so that it can be asked only while a step runs.
    """

    sources: dict[str, tuple[str, ...]]
    view: bool = False
    at_once: bool = False
    when: Callable[..., bool] | None = None
    late: bool = False

    @property
    def asked(self) -> tuple[str, ...]:
        """The inputs and attrs that `when` names."""
        if self.when is None:
            return ()
        code = self.when.__code__
        return code.co_varnames[: code.co_argcount]


def has_aligned_rows(array: np.ndarray) -> bool:
    """Whether each row of an array begins where TensorFlow aligns memory, if the first one does."""
    shape = np.shape(array)
    if not shape or 0 in shape:
        return False
    return bool(array.size // shape[0] * array.dtype.itemsize % _ALIGNMENT == 0)


def is_aligned_part(array: np.ndarray, first: int, last: int) -> bool:
    """Whether TensorFlow shares the rows of an array from `first` to before `last`."""
    if len(np.shape(array)) != 1:
        return has_aligned_rows(array)
    size = array.dtype.itemsize
    return not (first * size % _ALIGNMENT or last * size % _ALIGNMENT)
