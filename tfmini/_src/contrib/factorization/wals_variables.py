"""Variables of weighted alternating least squares: sharded factors and weights, and caches for a sweep."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.scopes import colocate_with, control_dependencies
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable

_WRONG_WEIGHTS = (
    "Invalid weight initialization argument. Must be one of these: None, a real non-negative real number, or a list "
    "of lists of non-negative real numbers (or equivalent iterables) corresponding to sharded factors."
)


class Cache(NamedTuple):
    """Cached value of a sweep, with the operations that fill and free it."""

    used: Any
    init: Any
    reset: Any


def shard_sizes(count: int, shards: int) -> list[int]:
    """Returns the number of rows in each shard; the first shards contain one more row."""
    size, remainder = divmod(count, shards)
    return [size + 1] * remainder + [size] * (shards - remainder)


def create_factors(rows: int, columns: int, shards: int, init: Any, name: str) -> list[Variable]:
    """Creates variables [rows of the shard, columns], initialized as in `WALSModel`."""
    if callable(init):
        init = init()
    is_random = isinstance(init, str) and init == "random"
    if isinstance(init, list):
        assert len(init) == shards
    elif not is_random and shards == 1:
        init = [init]

    def first(i: int, size: int) -> Callable:
        return lambda: ops.random_normal([size, columns]) if is_random else init[i]

    return _variables(first, rows, shards, name)


def create_weights(init: Any, count: int, shards: int, name: str) -> list[Variable] | None:
    """Creates variables [rows of the shard]; returns None if `init` is None."""
    if init is None:
        return None
    is_number = False
    if isinstance(init, Iterable):
        if shards == 1 and len(init) == count:  # type: ignore[arg-type]
            init = [init]
        assert len(init) == shards
    elif isinstance(init, numbers.Real) and float(init) >= 0:
        is_number = True
    else:
        raise ValueError(_WRONG_WEIGHTS)

    def first(i: int, size: int) -> Callable:
        return lambda: init * ops.ones([size]) if is_number else init[i]

    return _variables(first, count, shards, name)


def _variables(first: Callable, count: int, shards: int, name: str) -> list[Variable]:
    return [
        Variable(first(i, size), dtype=dtypes.float32, name=f"{name}_shard_{i}")
        for i, size in enumerate(shard_sizes(count, shards))
    ]


def create_gramian(size: int, name: str) -> Variable:
    """Returns a variable of zeros, [size, size]."""
    return Variable(ops.zeros([size, size]), dtype=dtypes.float32, name=name)


def prepare_gramian(factors: list[Variable], gramian: Variable) -> Any:
    """Returns an operation that sets a variable to the Gramian of factors."""
    parts = []
    for factor in factors:
        with colocate_with(factor):
            parts.append(ops.matmul(factor, factor, transpose_a=True))
    with colocate_with(gramian):
        return ops.assign(gramian, ops.add_n(parts)).op


def _transient(name: str) -> Variable:
    return Variable(
        1.0,
        trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False,
        name=name,
    )


def cache_variables(variables: Any, name: str, is_copied: bool) -> Cache:
    """Returns the cached copies of variables, or the variables themselves."""
    if variables is None:
        return Cache(None, None, None)
    if not is_copied:
        return Cache(variables, ops.no_op(), ops.no_op())
    if not isinstance(variables, list):
        copy = _transient(name)
        with colocate_with(copy):
            init = ops.assign(copy, variables, validate_shape=False)
            return Cache(copy, init, ops.assign(copy, 1.0, validate_shape=False))
    copies = [_transient(f"{name}_shard_{i}") for i in range(len(variables))]
    init, resets = None, []
    for copy, variable in zip(copies, variables):
        with colocate_with(copy):
            with control_dependencies([] if init is None else [init]):
                init = ops.assign(copy, variable, validate_shape=False)
            resets.append(ops.assign(copy, 1.0, validate_shape=False))
    return Cache(copies, init, ops.group(*resets))
