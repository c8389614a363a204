"""Stacks: LIFO storage to which a loop pushes values and from which its gradient pops them.

A stack lasts for the step that creates it; at run time, its handle is a `Stack`. Ops with reference handles occur
only in old graphs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.graph.op_traits.handle_kinds import STACK, Resource
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import (
    checked_ranks,
    copy_input_shape,
    text as shape_text,
    unknown,
)
from tfmini._src.ops.lists.compact_value import compact

op = op_with_handles(handle=STACK)

_numbers = itertools.count()


class Stack(list, Resource):
    """A stack of values of the same dtype.

    unchecked: the dtype that can be pushed without a size check; None if the size of the stack is limited
      or the stack is closed.
    """

    resource_kind = STACK
    container = "_stacks"

    __slots__ = ("name", "dtype", "limit", "is_closed", "unchecked", "destroyed")

    def __init__(self, name: str, dtype: Any, limit: int = -1):
        self.name = f"{name}_{next(_numbers)}"
        self.dtype = dtype
        self.limit = limit
        self.is_closed = False
        self.unchecked = dtype if limit < 0 else None
        self.destroyed = ""

    @property
    def array(self) -> Stack:
        """The stack itself, because reference handles are read like reference variables."""
        return self

    def check(self, dtype: Any) -> None:
        """Raises InvalidArgumentError unless a value of this dtype can be pushed."""
        if dtype is not self.dtype:
            enums = f"{self.dtype.as_datatype_enum} but got {dtype.as_datatype_enum}"
            invalid(f"Must have type {enums}")
        if self.is_closed:
            raise self._closed_error()
        if 0 <= self.limit <= len(self):
            invalid(f"Stack[{self.name}] overflowed its max_size ({self.limit})")

    def pop_error(self) -> InvalidArgumentError:
        """Returns the error for a pop from an empty or closed stack."""
        problem = f"Stack[{self.name}] is empty when calling Pop()."
        return self._closed_error() if self.is_closed else InvalidArgumentError(None, None, problem)

    def close(self) -> None:
        """Deletes all values and rejects further operations."""
        self.clear()
        self.is_closed = True
        self.unchecked = None

    def _closed_error(self) -> InvalidArgumentError:
        problem = f"Stack[{self.name}] has already been closed."
        return InvalidArgumentError(None, None, problem)


def _stack_name(ctx: Any) -> str:
    return ctx.attrs["stack_name"] or ctx.op.name


@op(
    "StackV2",
    "max_size: int32 -> handle: resource",
    infer=lambda op: (2,),
    stateful=True,
    static_inputs=("max_size",),
    elem_type=Attr("type"),
    stack_name="",
)
def stack_v2_op(ctx, max_size):
    if max_size.ndim:
        invalid(f"Stack size must be a scalar, but had shape: {shape_text(max_size.shape)}")
    return Stack(_stack_name(ctx), ctx.attrs["elem_type"], int(max_size))


@op(
    "Stack",
    "-> handle: Ref(string)",
    infer=lambda op: (2,),
    differentiable=False,
    stateful=True,
    elem_type=Attr("type"),
    stack_name="",
)
def stack_op(ctx):
    return Stack(_stack_name(ctx), ctx.attrs["elem_type"])


def _declare_both_versions(
    name: str, signature: str, **settings: Any
) -> Callable[[Callable], None]:
    """Declares both versions of an op, one with reference handles and one with resource handles."""

    def declare(kernel: Callable) -> None:
        op(name, f"handle: Ref(string){signature}", differentiable=False, **settings)(kernel)
        op(f"{name}V2", f"handle: resource{signature}", stateful=True, **settings)(kernel)

    return declare


@_declare_both_versions(
    "StackPush",
    ", elem: T -> output: T",
    infer=copy_input_shape(1),
    view=True,
    borrowed_result=True,
    retained_inputs=("elem",),
    static_inputs=("handle",),
    T=Attr("type"),
    swap_memory=False,
)
def stack_push_ops(xp, handle, elem, *, T):
    if handle.unchecked is not T:
        handle.check(T)
    handle.append(compact(elem))
    return elem


@_declare_both_versions(
    "StackPop",
    " -> elem: elem_type",
    infer=unknown,
    borrowed_result=True,
    static_inputs=("handle",),
    elem_type=Attr("type"),
)
def stack_pop_ops(xp, handle):
    try:
        return handle.pop()
    except IndexError:
        raise handle.pop_error() from None


@_declare_both_versions(
    "StackClose", " ->", infer=checked_ranks(1, result=[]), static_inputs=("handle",)
)
def stack_close_ops(xp, handle):
    handle.close()
