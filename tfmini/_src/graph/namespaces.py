"""The two namespaces through which rules reach ops, resolved when they run.

`raw` holds every declared op by its type (`raw.MatMul(a, b)`), `ops` the public functions that compose them
(`ops.reduce_sum(x)`). Files of ops need not import each other, and levels below `ops/` can reach it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from tfmini._src.graph import element_lookup
from tfmini._src.graph.dispatch import ELEMENTWISE, dispatched

Function = TypeVar("Function", bound=Callable[..., Any])


class RawOps:
    """Every declared op by its type: `raw.MatMul(a, b, transpose_b=True, name=None)`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return element_lookup.registry[name]
        except KeyError:
            raise AttributeError(f"tfmini has no op {name!r}") from None

    def __dir__(self) -> list[str]:
        return sorted({*element_lookup.registry, *element_lookup.registry.late})


class PublicOps:
    """The public functions that compose ops, by their short name: `ops.reduce_sum(x)`."""

    def __getattr__(self, name: str) -> Any:
        declare = element_lookup.late_functions.get(name)
        if declare is None:
            raise AttributeError(f"no public function {name!r} is declared")
        declare()
        return vars(self)[name]


raw = RawOps()
ops = PublicOps()


@overload
def public(function: Function, *, name: str | None = None) -> Function: ...


@overload
def public(*, name: str) -> Callable[[Function], Function]: ...


def public(function: Any = None, *, name: str | None = None) -> Any:
    """Registers a public function in `ops` under its own name, or `name`."""

    def register(f: Any) -> Any:
        known_as = name or f.__name__
        if known_as in ELEMENTWISE:
            f = dispatched(f, known_as)
        setattr(ops, known_as, f)
        return f

    return register if function is None else register(function)
