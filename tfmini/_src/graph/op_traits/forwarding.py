"""Forwarded memory: ops whose TensorFlow kernel returns an input's memory instead of a new result.

For a reference variable, the result then reflects later assignments. An op declares it with its kernel:

    split_op.forwards(output="value", view=True, when=lambda num_split: num_split == 1)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tfmini._src.base.records import dataclass

# TensorFlow's memory alignment in bytes: it shares part of an array only if the part's address is aligned.
_ALIGNMENT = 64


@dataclass(frozen=True)
class Forwarding:
    """The inputs that an op's outputs may alias, and the conditions.

    sources: by output, the inputs whose memory it may alias.
    view: whether the kernel recomputes the result from the input's current memory; else it is the input itself.
    at_once: whether the kernel forwards any input immediately, including a variable.
    when: predicate on the inputs and attrs named by its parameters; non-static inputs are arrays that only have a shape
      and a dtype.
    late: whether `when` needs input values and therefore runs during a step.
    """

    sources: dict[str, tuple[str, ...]]
    view: bool = False
    at_once: bool = False
    when: Callable[..., bool] | None = None
    late: bool = False

    @property
    def arguments(self) -> tuple[str, ...]:
        """Names of the inputs and attrs that `when` accepts."""
        if self.when is None:
            return ()
        code = self.when.__code__
        return code.co_varnames[: code.co_argcount]


def has_aligned_rows(array: np.ndarray) -> bool:
    """Whether every row of an array, whose first row is aligned, has the alignment that TensorFlow requires."""
    shape = np.shape(array)
    if not shape or 0 in shape:
        return False
    return bool(array.size // shape[0] * array.dtype.itemsize % _ALIGNMENT == 0)


def is_aligned_part(array: np.ndarray, first: int, last: int) -> bool:
    """Whether TensorFlow aliases rows `first` to `last` (exclusive) of an array instead of copying them."""
    if len(np.shape(array)) != 1:
        return has_aligned_rows(array)
    size = array.dtype.itemsize
    return not (first * size % _ALIGNMENT or last * size % _ALIGNMENT)
