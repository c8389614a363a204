"""Elementwise formulas: an op's result expressed in numpy ufuncs, which passes use to fuse it with others.

    tanh_grad_op.computes(("square", "x"), ("subtract", 1.0, 0), ("multiply", "y", 1), exact=True)

A step is a ufunc name and its operands: an input ("x", "y", or ("input", i) for input number i), the index of an
earlier step, or a constant (a float). The last step is the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.base.records import dataclass
from tfmini._src.graph.attributes import Attrs

Step = tuple[Any, ...]
Steps = tuple[Step, ...]


@dataclass(frozen=True)
class ElementwiseFormula:
    """The elementwise formula of an op for floating-point dtypes.

    steps: the steps on a GPU, or a function from the number of inputs to steps, empty if there are too many inputs.
    exact: whether they match the op's kernel exactly, and can therefore replace it on a CPU too.
    native: the steps on a CPU, or a function from the attrs to steps; they may call native library functions
      in addition to ufuncs.
    """

    steps: Steps | Callable[[int], Steps]
    exact: bool = False
    native: Steps | Callable[[Attrs], Steps] = ()

    def gpu_steps(self, inputs: int) -> Steps:
        """Returns the GPU steps for this number of inputs; empty if it cannot be fused there."""
        return self.steps(inputs) if callable(self.steps) else self.steps

    def cpu_steps(self, inputs: int, attrs: Attrs) -> Steps:
        """Returns the native library steps for these inputs and attrs; empty if it cannot be fused there."""
        native = self.native(attrs) if callable(self.native) else self.native
        return native or (self.gpu_steps(inputs) if self.exact else ())


def ufunc_step(name: str, inputs: int) -> Steps:
    """Returns the single step of an op that is itself a ufunc."""
    return ((name, "x", "y")[: 1 + inputs],)
