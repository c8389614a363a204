"""Feature crosses of `tf.contrib.layers`: one like `SparseCross`, and an older one with a different hash."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.graph.opdef import op
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.sparse.sparse_cross import (
    COUNTS,
    DEFAULT_KEY,
    HASH_KEY,
    SIGNATURE,
    TYPES,
    combine_fingerprints,
    cross,
)

_SIGNATURE = SIGNATURE.replace("dense_inputs", "dense")
_GOLDEN = np.uint64(0x9E3779B97F4A7800)
_LEFT_SHIFT, _RIGHT_SHIFT = np.uint64(10), np.int64(4)


def _combine_hashes(a: Any, b: Any) -> Any:
    """Combines two hashes elementwise like boost's hash_combine, but with an arithmetic right shift."""
    shifted_right = (a.view(np.int64) >> _RIGHT_SHIFT).view(np.uint64)
    return a ^ (b + _GOLDEN + (a << _LEFT_SHIFT) + shifted_right)


@op("SparseFeatureCross", _SIGNATURE, static_inputs=("indices", "shapes"), **COUNTS, **TYPES)
def sparse_feature_cross_op(xp, positions, values, shapes, dense, *, hashed_output, num_buckets):
    columns = (positions, values, shapes, dense)
    return cross(*columns, hashed_output, num_buckets, DEFAULT_KEY, _combine_hashes)


@op(
    "SparseFeatureCrossV2",
    _SIGNATURE,
    static_inputs=("indices", "shapes"),
    **COUNTS,
    **HASH_KEY,
    **TYPES,
)
def sparse_feature_cross_v2_op(
    xp, positions, values, shapes, dense, *, hashed_output, num_buckets, hash_key
):
    columns = (positions, values, shapes, dense)
    return cross(*columns, hashed_output, num_buckets, hash_key, combine_fingerprints)


def _sparse_dims(op: Any) -> list[Dims]:
    return [(None, 2), (None,), (2,)]


for _declared in (sparse_feature_cross_op, sparse_feature_cross_v2_op):
    _declared.infer(_sparse_dims)
    _declared.differentiable = False
