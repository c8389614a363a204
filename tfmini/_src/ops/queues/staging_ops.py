"""Staging area ops, which identify their area by attrs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims, scalar
from tfmini._src.ops.operands import c_name, dense
from tfmini._src.ops.queues.staging_resource import StagingMap, StagingQueue

_LIST = Attr("list(type)", minimum=1)
_SIZES: dict[str, Any] = {
    "capacity": Attr("int", 0, minimum=0),
    "memory_limit": Attr("int", 0, minimum=0),
}
_NAMES: dict[str, Any] = {"container": "", "shared_name": ""}
_DTYPES = Attr("list(type)")


def _unknown(op: Any) -> list[Dims]:
    return [None for _ in op.outputs]


def _resource_key(ctx: Any, resource_type: str) -> tuple:
    attrs = ctx.op.attrs
    return (resource_type, attrs["container"], attrs["shared_name"] or ctx.op.name)


def _staging_queue(ctx: Any) -> StagingQueue:
    attrs = ctx.op.attrs
    return ctx.resources.named(
        _resource_key(ctx, "staging area"),
        lambda: StagingQueue(attrs["capacity"], attrs["memory_limit"]),
    )


def _map(ctx: Any) -> StagingMap:
    attrs = ctx.op.attrs
    is_ordered = ctx.op.type.startswith("Ordered")
    return ctx.resources.named(
        _resource_key(ctx, "ordered staging map" if is_ordered else "staging map"),
        lambda: StagingMap(
            attrs["capacity"], attrs["memory_limit"], len(attrs["dtypes"]), is_ordered
        ),
    )


def _own(ctx: Any, values: tuple) -> tuple:
    """Converts values to arrays that the area may retain."""
    if "values" in ctx.owned:
        return tuple(dense(value) for value in values)
    return tuple(np.array(dense(value)) for value in values)


def _dtype_check(ctx: Any) -> Callable[[tuple], None]:
    """Returns a check that raises InternalError unless removed values have the dtypes of the node."""
    expected = ctx.op.attrs["dtypes"]

    def check(values: tuple) -> None:
        if len(values) != len(expected):
            text = f"Expected {len(expected)} tensors of a Staging Area that holds {len(values)}"
            raise InternalError(None, None, text)
        for index, (value, dtype) in enumerate(zip(values, expected)):
            actual = dtypes.as_dtype(value.dtype)
            if actual is not dtype:
                raise InternalError(
                    None,
                    None,
                    f"Output {index} of type {c_name(actual)} does not match declared output type {c_name(dtype)} for "
                    "node {{node}}",
                )

    return check


def _indices(indices: Any) -> list[int]:
    return np.ravel(indices).tolist()


def _integer_key(key: Any) -> int:
    if np.size(key) != 1:
        invalid(f"The key of a Staging Area must be a scalar, got shape {list(np.shape(key))}")
    return int(np.ravel(key)[0])


@op("Stage", "values: dtypes ->", stateful=True, may_wait=True, **_SIZES, dtypes=_LIST, **_NAMES)
def stage_op(ctx, values):
    return _staging_queue(ctx).put(_own(ctx, values))


@op("Unstage", "-> values: dtypes", stateful=True, may_wait=True, **_SIZES, dtypes=_LIST, **_NAMES)
def unstage_op(ctx):
    return _staging_queue(ctx).get(_dtype_check(ctx))


@op(
    "StagePeek",
    "index: int32 -> values: dtypes",
    stateful=True,
    may_wait=True,
    **_SIZES,
    dtypes=_LIST,
    **_NAMES,
)
def stage_peek_op(ctx, index):
    return _staging_queue(ctx).peek(_integer_key(index), _dtype_check(ctx))


@op("StageSize", "-> size: int32", infer=scalar, stateful=True, **_SIZES, dtypes=_DTYPES, **_NAMES)
def stage_size_op(ctx):
    return np.int32(_staging_queue(ctx).size())


@op("StageClear", "->", stateful=True, may_wait=True, **_SIZES, dtypes=_DTYPES, **_NAMES)
def stage_clear_op(ctx):
    return _staging_queue(ctx).clear()


for _declared in (unstage_op, stage_peek_op):
    _declared.infer(_unknown)


def _declare_map(prefix: str) -> None:
    waits: dict[str, Any] = {"stateful": True, "may_wait": True}

    @op(
        f"{prefix}MapStage",
        "key: int64, indices: int32, values: fake_dtypes ->",
        **waits,
        **_SIZES,
        dtypes=_DTYPES,
        fake_dtypes=_LIST,
        **_NAMES,
    )
    def map_stage_op(ctx, key, indices, values):
        return _map(ctx).put(_integer_key(key), _indices(indices), _own(ctx, values))

    @op(
        f"{prefix}MapUnstage",
        "key: int64, indices: int32 -> values: dtypes",
        **waits,
        **_SIZES,
        dtypes=_LIST,
        **_NAMES,
    )
    def map_unstage_op(ctx, key, indices):
        return _map(ctx).get(_integer_key(key), _indices(indices), _dtype_check(ctx))

    @op(
        f"{prefix}MapUnstageNoKey",
        "indices: int32 -> key: int64, values: dtypes",
        **waits,
        **_SIZES,
        dtypes=_LIST,
        **_NAMES,
    )
    def map_unstage_no_key_op(ctx, indices):
        return _map(ctx).get(None, _indices(indices), _dtype_check(ctx))

    @op(
        f"{prefix}MapPeek",
        "key: int64, indices: int32 -> values: dtypes",
        **waits,
        **_SIZES,
        dtypes=_LIST,
        **_NAMES,
    )
    def map_peek_op(ctx, key, indices):
        return _map(ctx).get(_integer_key(key), _indices(indices), _dtype_check(ctx), keeps=True)

    @op(f"{prefix}MapSize", "-> size: int32", stateful=True, **_SIZES, dtypes=_DTYPES, **_NAMES)
    def map_size_op(ctx):
        return np.int32(_map(ctx).size())

    @op(
        f"{prefix}MapIncompleteSize",
        "-> size: int32",
        stateful=True,
        **_SIZES,
        dtypes=_DTYPES,
        **_NAMES,
    )
    def map_incomplete_size_op(ctx):
        return np.int32(_map(ctx).incomplete_size())

    @op(f"{prefix}MapClear", "->", **waits, **_SIZES, dtypes=_DTYPES, **_NAMES)
    def map_clear_op(ctx):
        return _map(ctx).clear()

    for opdef in (map_unstage_op, map_unstage_no_key_op, map_peek_op):
        opdef.infer(_unknown)
    for opdef in (map_size_op, map_incomplete_size_op):
        opdef.infer(scalar)


_declare_map("")
_declare_map("Ordered")
