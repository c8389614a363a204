"""Registry of public functions, looked up at call time through `ops`: `ops.reduce_sum(x)`.

Op files therefore need not import each other, and layers below `ops/` can call these functions. It also dispatches on
other classes: if a function's own body rejects its arguments, as in `tf.exp(ragged)`, the handler registered under its
name in `ops` returns the result instead, or declines.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, overload

from tfmini._src.graph import op_registry

Function = TypeVar("Function", bound=Callable[..., Any])

NOT_HANDLED = object()
Handler: TypeAlias = Callable[[tuple[Any, ...], dict[str, Any]], Any]
_handlers: dict[str, Handler] = {}

# Unary and binary functions that also accept ragged tensors.
UNARY = frozenset(
    """abs acos acosh angle as_string asin asinh atan atanh cast ceil check_numerics clip_by_value conj cos cosh
    decode_base64 decode_compressed digamma encode_base64 erf erfc exp expm1 floor identity imag invert is_finite is_inf
    is_nan lgamma log log1p log_sigmoid logical_not negative ones_like real reciprocal regex_full_match regex_replace
    rint round rsqrt saturate_cast sign sin sinh sqrt square string_length string_strip string_to_hash_bucket
    string_to_hash_bucket_fast string_to_hash_bucket_strong string_to_number substr tan unicode_script
    zeros_like""".split()
)
BINARY = frozenset(
    """add atan2 bitwise_and bitwise_or bitwise_xor complex div_no_nan divide equal floordiv greater greater_equal
    left_shift less less_equal logical_and logical_or logical_xor maximum minimum mod multiply not_equal pow realdiv
    right_shift squared_difference subtract truediv truncatediv truncatemod""".split()
)
ELEMENTWISE = UNARY | BINARY


def handler(name: str) -> Callable[[Handler], Handler]:
    """Registers the fallback handler for calls `(args, kwargs)` that the function `name` rejects."""

    def register(function: Handler) -> Handler:
        _handlers[name] = function
        return function

    return register


def call_handler(name: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
    """Calls the handler of `name`; returns `NOT_HANDLED` if there is no handler or it does not apply."""
    handler = _handlers.get(name)
    return NOT_HANDLED if handler is None else handler(args, kwargs)


def dispatch(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Wraps `function` to fall back to the handler of `name` when it raises TypeError or ValueError."""

    @functools.wraps(function)
    def asking(*args: object, **kwargs: object) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            handler = _handlers.get(name)
            result = NOT_HANDLED if handler is None else handler(args, kwargs)
            if result is NOT_HANDLED:
                raise
            return result

    return asking


def overridable(function: Function) -> Function:
    """Makes `function` fall back to implementations registered with `override` for arguments that it rejects."""
    return dispatch(function, function.__name__)  # type: ignore[return-value]


def override(name: str, argument_type: type) -> Callable[[Function], Function]:
    """Registers an implementation of the function `name` for arguments, or lists, of `argument_type`."""

    def register(replacement: Function) -> Function:
        def take(args: tuple[object, ...], kwargs: dict[str, object]) -> Any:
            lists = (v if isinstance(v, list | tuple) else [v] for v in (*args, *kwargs.values()))
            if any(isinstance(item, argument_type) for items in lists for item in items):
                return replacement(*args, **kwargs)
            return NOT_HANDLED

        _handlers[name] = take
        return replacement

    return register


class PublicOps:
    """Namespace of the public functions that compose ops: `ops.reduce_sum(x)`."""

    def __getattr__(self, name: str) -> Any:
        declare = op_registry.late_functions.get(name)
        if declare is None:
            raise AttributeError(f"no public function {name!r} is declared")
        declare()
        return vars(self)[name]


ops = PublicOps()


@overload
def public(function: Function, *, name: str | None = None) -> Function: ...


@overload
def public(*, name: str) -> Callable[[Function], Function]: ...


def public(function: Any = None, *, name: str | None = None) -> Any:
    """Registers a public function in `ops` under its own name or `name`."""

    def register(f: Any) -> Any:
        public_name = name or f.__name__
        if public_name in ELEMENTWISE:
            f = dispatch(f, public_name)
        setattr(ops, public_name, f)
        return f

    return register if function is None else register(function)
