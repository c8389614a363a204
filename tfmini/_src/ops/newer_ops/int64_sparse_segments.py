"""SparseSegmentSum and related ops with int64 segment ids, as in embedding lookups of TensorFlow 2.4 and later."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import OpDef, op
from tfmini._src.ops.operands import INDEX32
from tfmini._src.ops.sparse import sparse_segment_sum as int32

_INPUTS = "indices: Tidx, segment_ids: int64"


def _declare(base: OpDef, signature: str, **attrs: Any) -> None:
    opdef = op(f"_{base.name}OfInt64", signature, T=base.attrs["T"], Tidx=INDEX32, **attrs)
    opdef(base.kernel).shape_rule = base.shape_rule


for _base in (int32.sum_op, int32.mean_op, int32.sqrt_n_op):
    _declare(_base, f"data: T, {_INPUTS} -> output: T")
for _base in (int32.counted_sum_op, int32.counted_mean_op, int32.counted_sqrt_n_op):
    _declare(
        _base,
        f"data: T, {_INPUTS}, num_segments: Tnumsegments -> output: T",
        static_inputs=("num_segments",),
        Tnumsegments=INDEX32,
    )
for _base in (int32.mean_grad_op, int32.sqrt_n_grad_op):
    _declare(
        _base,
        f"grad: T, {_INPUTS}, output_dim0: int32 -> output: T",
        static_inputs=("output_dim0",),
    )
