"""In-place operators such as `+=`, which resource variables reject; programs must call `assign` or create a tensor."""

from __future__ import annotations

from typing import Any, NoReturn


def forbid_in_place_operators(variables: Any) -> None:
    """Makes the in-place operators of a variable class raise RuntimeError."""
    for method, sign, name in (("__iadd__", "+", "add"), ("__isub__", "-", "sub")):
        _forbid_operator(
            variables,
            method,
            sign,
            f"variable.assign_{name}(value) to modify the variable value",
            f"and variable = variable {sign} value",
        )
    for method, sign in (("__imul__", "*"), ("__itruediv__", "/"), ("__ipow__", "**")):
        _forbid_operator(
            variables,
            method,
            sign,
            f"`var.assign(var {sign} value)` to modify the variable",
            f"or `var = var {sign} value`",
        )


def _forbid_operator(variables: Any, method: str, sign: str, change: str, variable: str) -> None:
    message = (
        f"Variable {sign}= value not supported. Use {change} {variable} to get a new Tensor object."
    )

    def raise_unsupported(self: object, other: object) -> NoReturn:
        raise RuntimeError(message)

    setattr(variables, method, raise_unsupported)
