"""Binds positional and keyword arguments of op calls, raising the same TypeErrors as Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.tensor import TensorLike

if TYPE_CHECKING:
    from tfmini._src.graph.opdef import OpDef


def bind(
    opdef: OpDef, args: tuple[TensorLike, ...], kwargs: dict[str, Any], name: str | None
) -> tuple[Sequence[Any], dict[str, Any], str | None]:
    """Splits a call into ordered inputs, explicit attrs and the name; raises TypeError on a signature mismatch."""
    count = len(opdef.inputs)
    params = opdef.params
    if len(args) > len(params) + 1:
        required = count + opdef.required_attrs
        raise TypeError(
            f"{opdef.__name__}() takes from {required} to {len(params) + 1} positional arguments but "
            f"{len(args)} were given"
        )
    if len(args) > len(params):
        if name is not None:
            raise TypeError(f"{opdef.__name__}() got multiple values for argument 'name'")
        *args, name = args  # type: ignore[assignment]
    bound = dict(zip(params, args))
    for key, value in kwargs.items():
        if key in bound:
            raise TypeError(f"{opdef.__name__}() got multiple values for argument '{key}'")
        if key not in params:
            raise TypeError(f"{opdef.__name__}() got an unexpected keyword argument '{key}'")
        bound[key] = value
    needed = params[: count + opdef.required_attrs]
    if not all(map(bound.__contains__, needed)):
        missing = [key for key in needed if key not in bound]
        raise TypeError(
            f"{opdef.__name__}() missing {len(missing)} required positional "
            f"argument{'s' if len(missing) > 1 else ''}: {listed(missing)}"
        )
    return list(map(bound.pop, opdef.input_names)), bound, name


def listed(names: Sequence[str]) -> str:
    """Joins quoted names: 'a'; 'a' and 'b'; 'a', 'b', and 'c'."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return ", ".join(quoted[:-1]) + ", and " + quoted[-1]
