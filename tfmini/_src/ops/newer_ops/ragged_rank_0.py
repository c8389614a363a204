"""Conversions of ragged tensors with ragged rank 0; 1.15.5 requires at least 1."""

from __future__ import annotations

import numpy as np

from tfmini._src.base.errors import invalid
from tfmini._src.graph.opdef import Attr, op
from tfmini._src.graph.shape_inference import Dims
from tfmini._src.ops.ragged.ragged_conversions import RaggedVariant


@op(
    "_RaggedTensorFromVariantRank0",
    "encoded_ragged: variant -> output_dense_values: Tvalues",
    infer=lambda op: None,
    Tvalues=Attr("type"),
)
def from_variant_op(xp, encoded, *, Tvalues):
    (row,) = np.asarray(encoded, object).ravel().tolist()
    if not isinstance(row, RaggedVariant) or row.splits:
        invalid("Input element is not a dense row encoded as a RaggedTensor of ragged rank 0")
    if row.values.dtype != Tvalues.as_numpy_dtype:
        invalid(f"Expected values Tensor dtype: {Tvalues.name}, found: {row.values.dtype}")
    return row.values


@op(
    "_RaggedTensorToVariantRank0",
    "rt_dense_values: Tvalues -> encoded_ragged: variant",
    Tvalues=Attr("type"),
    batched_input=Attr("bool"),
)
def to_variant_op(xp, values, *, batched_input):
    if not batched_input:
        return RaggedVariant([], values.copy())
    rows = np.empty(len(values), object)
    for index, row in enumerate(values.copy()):
        rows[index] = RaggedVariant([], row)
    return rows


@to_variant_op.infer
def _(op) -> Dims:
    dims = op.inputs[0]._dims
    return () if not op.attrs["batched_input"] else None if dims is None else dims[:1]
