"""Accumulator ops: dense ones with resource or reference handles, sparse ones with reference handles."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.graph.op_traits.handle_kinds import ACCUMULATOR
from tfmini._src.graph.opdef import Attr, op_with_handles
from tfmini._src.graph.shape_inference import Dims, checked_ranks, scalar, with_rank
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.queues.accumulator_resource import DenseAccumulator, SparseAccumulator

op = op_with_handles(handle=ACCUMULATOR)

_NUMBERS = Attr(
    "type",
    allowed=(
        *(dtypes.float32, dtypes.float64, dtypes.int32, dtypes.uint8, dtypes.int16, dtypes.int8),
        *(dtypes.complex64, dtypes.int64, dtypes.qint8, dtypes.quint8, dtypes.qint32),
        *(dtypes.bfloat16, dtypes.uint16, dtypes.complex128, dtypes.float16),
        *(dtypes.uint32, dtypes.uint64),
    ),
)
_REDUCTION = Attr("string", "MEAN", allowed=("MEAN", "SUM"))
_KERNELS = (dtypes.float16, dtypes.float32, dtypes.float64)


def _accumulator(ctx: Any, accumulator_class: type) -> Any:
    """Returns the accumulator of a node, which is created on first use."""
    attrs = ctx.op.attrs
    if attrs["dtype"] not in _KERNELS:
        invalid(
            f"No OpKernel was registered to support Op '{ctx.op.type}' with dtype {attrs['dtype'].name}: half, float "
            "and double have one."
        )
    name = attrs["shared_name"] or (ctx.op.name,)
    dims = attrs["shape"]
    return ctx.resources.named(
        ("accumulator", attrs["container"], name),
        lambda: accumulator_class(
            attrs["shared_name"] or ctx.op.name,
            None if dims is None else tuple(dims),
            attrs["reduction_type"] == "MEAN",
        ),
    )


def _checked_scalar(value: Any, label: str) -> int:
    if np.size(value) != 1 or np.ndim(value):
        invalid(f"Argument {label} must be scalar, but had bad shape {shape_text(np.shape(value))}")
    return int(value)


def _declare_makers(name: str, handle: str, accumulator_class: type) -> None:
    @op(
        name,
        f"-> handle: {handle}",
        stateful=True,
        dtype=_NUMBERS,
        shape=Attr("shape"),
        container="",
        shared_name="",
        reduction_type=_REDUCTION,
    )
    def conditional_accumulator_op(ctx):
        return _accumulator(ctx, accumulator_class)

    @conditional_accumulator_op.infer
    def _(op) -> Dims:
        return (2,)


def _declare_uses(prefix: str, handle: str) -> None:
    is_resource = handle == "resource"
    subject = f"handle: {handle}"

    @op(
        f"{prefix}AccumulatorNumAccumulated",
        f"{subject} -> num_accumulated: int32",
        stateful=is_resource,
    )
    def num_accumulated_op(xp, handle):
        return np.int32(handle.count)

    num_accumulated_op.infer(scalar)

    @op(
        f"{prefix}AccumulatorSetGlobalStep",
        f"{subject}, new_global_step: int64 ->",
        stateful=is_resource,
    )
    def set_global_step_op(xp, handle, new_global_step):
        # TensorFlow's name in the error.
        handle.set_step(_checked_scalar(new_global_step, "num_required"))
        return ()

    @set_global_step_op.infer
    def _(op) -> list[Dims]:
        with_rank(op.inputs[1]._dims, 0)
        return []

    @op(
        f"{prefix}AccumulatorApplyGradient",
        f"{subject}, local_step: int64, gradient: dtype ->",
        stateful=is_resource,
        dtype=_NUMBERS,
    )
    def apply_gradient_op(xp, handle, local_step, gradient):
        handle.apply(_checked_scalar(local_step, "local_step"), gradient)
        return ()

    @apply_gradient_op.infer
    def _(op) -> list[Dims]:
        with_rank(op.inputs[1]._dims, 0)
        return []

    @op(
        f"{prefix}AccumulatorTakeGradient",
        f"{subject}, num_required: int32 -> average: dtype",
        stateful=is_resource,
        may_wait=True,
        dtype=_NUMBERS,
    )
    def take_gradient_op(xp, handle, num_required):
        return handle.take(_checked_scalar(num_required, "num_required"))

    @take_gradient_op.infer
    def _(op) -> Dims:
        with_rank(op.inputs[1]._dims, 0)
        return None


_declare_makers("ConditionalAccumulator", "Ref(string)", DenseAccumulator)
_declare_makers("ResourceConditionalAccumulator", "resource", DenseAccumulator)
_declare_makers("SparseConditionalAccumulator", "Ref(string)", SparseAccumulator)
_declare_uses("", "Ref(string)")
_declare_uses("Resource", "resource")


@op(
    "SparseAccumulatorApplyGradient",
    "handle: Ref(string), local_step: int64, gradient_indices: int64, gradient_values: dtype, "
    "gradient_shape: int64 ->",
    infer=checked_ranks(None, 0, result=[]),
    dtype=_NUMBERS,
    has_known_shape=Attr("bool"),
)
def sparse_apply_gradient_op(
    xp, handle, local_step, gradient_indices, gradient_values, gradient_shape, *, has_known_shape
):
    shape = gradient_shape if has_known_shape else None
    handle.apply(
        _checked_scalar(local_step, "local_step"), gradient_indices, gradient_values, shape
    )
    return ()


@op(
    "SparseAccumulatorTakeGradient",
    "handle: Ref(string), num_required: int32 -> indices: int64, values: dtype, shape: int64",
    infer=checked_ranks(None, 0, result=[None, None, None]),
    may_wait=True,
    dtype=_NUMBERS,
)
def sparse_take_gradient_op(xp, handle, num_required):
    return handle.take(_checked_scalar(num_required, "num_required"))
