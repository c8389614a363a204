"""Stacks: what a loop pushes in each iteration and its gradient pops, the last first.

A stack lives as long as the step that makes it: a handle is a `Stack` when the step runs. The ops whose handle is a
reference are those of old graphs.
"""

from __future__ import annotations

import itertools
from typing import Any

from tfmini.errors import InvalidArgumentError
from tfmini.graph.inference import text as shape_text
from tfmini.graph.opdef import Attr, op

_numbers = itertools.count()


class Stack:
    """A list of values of one dtype, of at most `limit` if that is not negative."""

    __slots__ = ("name", "dtype", "limit", "values")

    def __init__(self, name: str, dtype: Any, limit: int = -1):
        self.name = f"{name}_{next(_numbers)}"
        self.dtype = dtype
        self.limit = limit
        self.values: list | None = []

    def _opened(self) -> list:
        if self.values is None:
            raise InvalidArgumentError(None, None, f"Stack[{self.name}] has already been closed.")
        return self.values

    def push(self, value: Any, dtype: Any) -> None:
        """Adds a value; raises InvalidArgumentError if it is of another dtype, or too much."""
        if dtype is not self.dtype:
            numbers = self.dtype.as_datatype_enum, dtype.as_datatype_enum
            raise InvalidArgumentError(None, None, "Must have type {} but got {}".format(*numbers))
        values = self._opened()
        if 0 <= self.limit <= len(values):
            raise InvalidArgumentError(
                None, None, f"Stack[{self.name}] overflowed its max_size ({self.limit})"
            )
        values.append(value)

    def pop(self) -> Any:
        """Removes the last value; raises InvalidArgumentError if there is none."""
        values = self._opened()
        if not values:
            raise InvalidArgumentError(
                None, None, f"Stack[{self.name}] is empty when calling Pop()."
            )
        return values.pop()


def _named(ctx: Any) -> str:
    return ctx.attrs["stack_name"] or ctx.op.name


@op(
    "StackV2",
    "max_size: int32 -> handle: resource",
    stateful=True,
    host=("max_size", "handle"),
    elem_type=Attr("type"),
    stack_name="",
)
def stack_v2_op(ctx, max_size):
    if max_size.ndim:
        raise InvalidArgumentError(
            None, None, f"Stack size must be a scalar, but had shape: {shape_text(max_size.shape)}"
        )
    return Stack(_named(ctx), ctx.attrs["elem_type"], int(max_size))


@op("Stack", "-> handle: Ref(string)", stateful=True, elem_type=Attr("type"), stack_name="")
def stack_op(ctx):
    return Stack(_named(ctx), ctx.attrs["elem_type"])


@op(
    "StackPushV2",
    "handle: resource, elem: T -> output: T",
    stateful=True,
    view=True,
    borrows=True,
    keeps=("elem",),
    host=("handle",),
    T=Attr("type"),
    swap_memory=False,
)
def stack_push_v2_op(xp, handle, elem, *, T):
    handle.push(elem, T)
    return elem


@op(
    "StackPush",
    "handle: Ref(string), elem: T -> output: T",
    view=True,
    borrows=True,
    keeps=("elem",),
    host=("handle",),
    T=Attr("type"),
    swap_memory=False,
)
def stack_push_op(xp, handle, elem, *, T):
    handle.push(elem, T)
    return elem


@op(
    "StackPopV2",
    "handle: resource -> elem: elem_type",
    stateful=True,
    borrows=True,
    host=("handle",),
    elem_type=Attr("type"),
)
def stack_pop_v2_op(xp, handle):
    return handle.pop()


@op(
    "StackPop",
    "handle: Ref(string) -> elem: elem_type",
    borrows=True,
    host=("handle",),
    elem_type=Attr("type"),
)
def stack_pop_op(xp, handle):
    return handle.pop()


@op("StackCloseV2", "handle: resource ->", stateful=True, host=("handle",))
def stack_close_v2_op(xp, handle):
    handle.values = None


@op("StackClose", "handle: Ref(string) ->", host=("handle",))
def stack_close_op(xp, handle):
    handle.values = None


@stack_v2_op.infer
@stack_op.infer
def _(op):
    return (2,)


@stack_push_v2_op.infer
@stack_push_op.infer
def _(op):
    return op.inputs[1]._dims


@stack_pop_v2_op.infer
@stack_pop_op.infer
def _(op):
    return None


stack_op.not_differentiable()
stack_push_op.not_differentiable()
stack_pop_op.not_differentiable()
stack_close_op.not_differentiable()
