"""Polynomial evaluation by Horner's rule."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.opdef import public
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops


@public
def polyval(coeffs: Any, x: TensorLike, name: str | None = None) -> Tensor:
    """Evaluates the polynomial with coefficients `coeffs`, highest power first, at each element of `x`.

    Args:
      coeffs: a list of tensors that broadcast with `x`; an empty list yields zeros.
      x: a tensor.
    """
    with name_scope(name, "polyval", [*flatten(coeffs), x]) as name:
        x = ops.convert_to_tensor(x, name="x")
        if len(coeffs) < 1:
            return ops.zeros_like(x, name=name)
        coeffs = [ops.convert_to_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        value = coeffs[0]
        for coefficient in coeffs[1:]:
            value = coefficient + value * x
        return value
