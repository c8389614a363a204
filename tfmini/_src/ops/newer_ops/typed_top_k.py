"""TopKV2 with indices or `k` of a different integer dtype."""

from __future__ import annotations

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.ops.math.top_k import top_k_op
from tfmini._src.ops.type_lists import REAL_NUMBERS

_INTEGERS = (dtypes.int16, dtypes.int32, dtypes.int64)


@op(
    "_TopKV2Typed",
    "input: T, k: Tk -> values: T, indices: index_type",
    static_inputs=("k",),
    sorted=True,
    T=REAL_NUMBERS,
    Tk=Attr("type", dtypes.int32, allowed=_INTEGERS),
    index_type=Attr("type", dtypes.int32, allowed=_INTEGERS),
)
def typed_top_k_op(xp, values, k, *, sorted, index_type):
    largest, positions = top_k_op.kernel(xp, values, k.astype(np.int32), sorted=sorted)
    return largest, positions.astype(index_type.as_numpy_dtype)


typed_top_k_op.shape_rule = top_k_op.shape_rule
