"""Kernel wrappers that check the kind of each declared handle input."""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tfmini._src.graph.op_traits.handle_kinds import (
    STACK,
    TENSOR_ARRAY,
    HandleKind,
)

Kernel = Callable[..., Any]

# Producers of step-local resources, and ops that forward their handles.
_MAKERS = {
    **dict.fromkeys(
        ("TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape"), TENSOR_ARRAY
    ),
    "StackV2": STACK,
}
_PASS_THROUGH_OPS = frozenset(("Enter", "Identity", "Switch"))

# For each handle: the number of consumers checked, the last one's id, and whether any destroys the resource.
_destroyed: weakref.WeakKeyDictionary[Any, tuple[int, int | None, bool]] = (
    weakref.WeakKeyDictionary()
)


def check_handles(
    kernel: Kernel, inputs: Sequence[Any], handles: Mapping[str, HandleKind]
) -> Kernel:
    """Wraps a kernel with a check of the inputs named in `handles`."""
    checks = [(n, arg, handles[arg.name]) for n, arg in enumerate(inputs) if arg.name in handles]
    if not checks:
        return kernel
    index, first, kind = checks[0]
    # The most common case, often inside loops.
    if len(checks) == 1 and not index and not first.is_list:
        dtype = first.dtype

        @functools.wraps(kernel)
        def with_handle(xp: Any, handle: Any, *inputs: Any, **attrs: Any) -> Any:
            return kernel(xp, kind(handle, dtype), *inputs, **attrs)

        return with_handle

    @functools.wraps(kernel)
    def with_handles(xp: Any, *arguments: Any, **attrs: Any) -> Any:
        accepted_arguments = list(arguments)
        for index, arg, kind in checks:
            if arg.is_list:
                accepted_arguments[index] = tuple(
                    [kind(handle, arg.dtype) for handle in arguments[index]]
                )
            else:
                accepted_arguments[index] = kind(arguments[index], arg.dtype)
        return kernel(xp, *accepted_arguments, **attrs)

    return with_handles


def unwrap_checks(kernel: Kernel) -> Kernel:
    """Returns the kernel wrapped by a check."""
    inner_kernel: Kernel = kernel.__wrapped__  # type: ignore[attr-defined]
    return inner_kernel


def needs_no_check(op: Any) -> bool:
    """Whether the graph proves that a node's only handle is of the declared kind; saves a check per loop iteration."""
    arg = op.opdef.inputs[0] if op.opdef.inputs else None
    if (
        arg is None
        or arg.is_list
        or op.opdef.handles.keys() & {a.name for a in op.opdef.inputs[1:]}
    ):
        return False
    handles = [op.inputs[0]]
    while handles[-1].op.type in _PASS_THROUGH_OPS:
        handles.append(handles[-1].op.inputs[0])
    maker = _MAKERS.get(handles[-1].op.type)
    cpp_class = getattr(op.opdef.handles.get(arg.name), "cpp_class", None)
    return (
        maker is not None and cpp_class == maker.cpp_class and not any(map(_is_destroyed, handles))
    )


def _is_destroyed(handle: Any) -> bool:
    """Whether a node destroys the handle's resource; checks only the consumers added since the last call."""
    consumers = handle._consumers
    count, last, is_destroyed = _destroyed.get(handle, (0, None, False))
    if count and (count > len(consumers) or consumers[count - 1]._id != last):
        count = 0  # some consumers were removed
    if count < len(consumers):
        new_consumers = itertools.islice(consumers, count, None)
        is_destroyed = is_destroyed or any(op.type == "DestroyResourceOp" for op in new_consumers)
        _destroyed[handle] = len(consumers), consumers[-1]._id, is_destroyed
    return is_destroyed


def check_when_bound(
    factory: Callable[[Any], Kernel | None],
    inputs: Sequence[Any],
    handles: Mapping[str, HandleKind],
) -> Callable[[Any], Kernel | None]:
    """Same as `check_handles`, for a kernel factory, which builds a kernel per node."""
    if handles.keys().isdisjoint(arg.name for arg in inputs):
        return factory

    def bound_to(ctx: Any) -> Kernel | None:
        bound = factory(ctx)
        if bound is None or needs_no_check(ctx.op):
            return bound
        checked_kernel = check_handles(lambda _, *arguments: bound(*arguments), inputs, handles)
        return functools.partial(checked_kernel, None)

    return bound_to
