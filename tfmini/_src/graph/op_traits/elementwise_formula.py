"""Elementwise formulas: an op's result in ufuncs of numpy, with which passes fuse it with others.

    tanh_grad_op.computes(("square", "x"), ("subtract", 1.0, 0), ("multiply", "y", 1), exact=True)

A step is a ufunc's name and its operands: an input ("x", "y", or ("input", i) for that number), the number of an
earlier step, or a constant (a float). The last step is the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.records import dataclass

Step = tuple[Any, ...]
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class ElementwiseFormula:
    """The steps for floating dtypes.

    steps: on a GPU; or a function of the number of inputs that gives them, none if they are too many.
    exact: they give what the op's kernel gives, so that they may stand in for it on a CPU too.
    native: the steps on a CPU, in functions that the native library has besides ufuncs.
    """

    steps: Steps | Callable[[int], Steps]
    exact: bool = False
    native: Steps = ()

    def on_gpu(self, inputs: int) -> Steps:
        """The steps on a GPU for so many inputs; none if it does not fuse there."""
        return self.steps(inputs) if callable(self.steps) else self.steps

    def on_cpu(self, inputs: int) -> Steps:
        """The steps in the native library for so many inputs; none if it does not fuse there."""
        return self.native or (self.on_gpu(inputs) if self.exact else ())


def of_ufunc(name: str, inputs: int) -> Steps:
    """The one step of an op that is a ufunc."""
    return ((name, "x", "y")[: 1 + inputs],)
