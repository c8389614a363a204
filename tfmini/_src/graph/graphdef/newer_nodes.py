"""Conversion of nodes written by TensorFlow releases after 1.15.5 to 1.15.5's form.

`newer_attrs.txt` lists the attrs that TensorFlow 2.21 added to 1.15.5's ops, with their defaults: an attr with its
default value is dropped, as in TensorFlow; others are rejected by name when the node is created.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import NamedTuple

from tfmini._src.base import dtypes, proto
from tfmini._src.graph.opdef import OpDef

# A stateless case may run as a stateful one.
_RENAMED_OPS = {"StatelessCase": "Case"}
_ANY_VALUE = "*"


class _ReplacementOp(NamedTuple):
    """A replacement for a newer op if an attr matches; `dropped_attrs` lists the attrs that the replacement lacks.

    A newer op may have several replacements, each for a different attr.
    """

    attr: str
    matches_attr: Callable[[proto.AttrValue], bool]
    name: str
    dropped_attrs: tuple[str, ...] = ()


_RAGGED_ATTRS = ("input_ragged_rank", "output_ragged_rank", "RAGGED_RANK", "Tsplits")
_SEGMENTS = ("Sum", "SumWithNumSegments", "Mean", "MeanWithNumSegments", "MeanGrad") + (
    *("SqrtN", "SqrtNWithNumSegments", "SqrtNGrad"),
)
_PADDED_OPS = ("MaxPool", "MaxPoolGrad", "DepthwiseConv2dNative") + (
    *("DepthwiseConv2dNativeBackpropInput", "DepthwiseConv2dNativeBackpropFilter"),
)
_POINTS = ("GatherNd", "ScatterNd", "TensorScatterAdd", "TensorScatterSub", "TensorScatterUpdate")
_QUANTIZATION_OPS = (
    "QuantizeAndDequantizeV2",
    "QuantizeAndDequantizeV3",
    "QuantizeV2",
    "Dequantize",
)
_AXIS_ATTRS = {
    "axis": _QUANTIZATION_OPS,
    "narrow_range": _QUANTIZATION_OPS[2:],
    "ensure_minimum_range": ("QuantizeV2",),
    "dtype": ("Dequantize",),
}
_INT32, _INT64 = dtypes.int32.as_datatype_enum, dtypes.int64.as_datatype_enum
_DOUBLE = dtypes.float64.as_datatype_enum


def _other_ops() -> Iterator[tuple[str, _ReplacementOp]]:
    attr = "resize_if_index_out_of_bounds"
    yield (
        "TensorListSetItem",
        _ReplacementOp(attr, lambda value: value.b, "_TensorListSetItemResizing", (attr,)),
    )
    for kind, attr in (("FromVariant", "output_ragged_rank"), ("ToVariant", "RAGGED_RANK")):
        name = f"_RaggedTensor{kind}Rank0"
        yield (
            f"RaggedTensor{kind}",
            _ReplacementOp(attr, lambda value: not value.i, name, _RAGGED_ATTRS),
        )
    for kind in _SEGMENTS:
        name, dropped = f"_SparseSegment{kind}OfInt64", ("Tsegmentids", "sparse_gradient")
        yield (
            f"SparseSegment{kind}",
            _ReplacementOp("Tsegmentids", lambda value: value.type == _INT64, name, dropped),
        )
    for version in ("", "V2", "V3"):
        op = f"FusedBatchNorm{version}"
        yield (
            op,
            _ReplacementOp(
                "exponential_avg_factor", lambda value: value.f != 1.0, f"_{op}Averaging"
            ),
        )
    for op in _PADDED_OPS:
        yield op, _ReplacementOp("padding", lambda value: value.s == b"EXPLICIT", f"_{op}Explicit")
    for op in _POINTS:
        attr = "bad_indices_policy"
        yield (
            op,
            _ReplacementOp(attr, lambda value: value.s == b"IGNORE", f"_{op}Ignoring", (attr,)),
        )
    for rank in ("", "2D", "3D"):
        for op in (f"RFFT{rank}", f"IRFFT{rank}"):
            dropped = ("Treal", "Tcomplex")
            yield (
                op,
                _ReplacementOp(
                    "Treal", lambda value: value.type == _DOUBLE, f"_{op}Double", dropped
                ),
            )
    for attr, ops in _AXIS_ATTRS.items():
        for op in ops:
            yield op, _ReplacementOp(attr, _is_not(op, attr), f"_{op}AlongAxis")
    attr = "blank_index"
    op = "CTCGreedyDecoder"
    yield op, _ReplacementOp(attr, _is_not(op, attr), f"_{op}Blank")
    op, attr = "ImageProjectiveTransformV2", "fill_mode"
    yield op, _ReplacementOp(attr, _is_not(op, attr), f"_{op}Filling")


def _is_not(op: str, attr: str) -> Callable[[proto.AttrValue], bool]:
    """Whether an attr differs from its default."""
    return lambda value: value != _attr_defaults()[op, attr]


@functools.cache
def _other_ops_by_op() -> dict[str, list[_ReplacementOp]]:
    entries_by_op: dict[str, list[_ReplacementOp]] = {}
    for op, other in _other_ops():
        entries_by_op.setdefault(op, []).append(other)
    return entries_by_op


def rename_newer(node: proto.NodeDef) -> None:
    """Renames a node's op to its 1.15.5 equivalent if the names differ; the equivalent may depend on attrs."""
    node.op = _RENAMED_OPS.get(node.op, node.op)
    if node.op == "TopKV2" and any(
        node.attr[attr].type != _INT32 for attr in ("index_type", "Tk") if attr in node.attr
    ):
        node.op = "_TopKV2Typed"
    for other in _other_ops_by_op().get(node.op, ()):
        if other.attr in node.attr and other.matches_attr(node.attr[other.attr]):
            if _has_no_effect(node, other.attr):
                del node.attr[other.attr]
                return
            node.op = other.name
            for attr in other.dropped_attrs:
                node.attr.pop(attr, None)
            return
        if "ragged_rank" in other.attr.lower() and "Tsplits" not in node.attr:
            node.attr["Tsplits"].type = _INT64  # newer releases have this default


def _has_no_effect(node: proto.NodeDef, attr: str) -> bool:
    """Whether the node's other attrs make an attr irrelevant."""
    inference = "is_training" in node.attr and not node.attr["is_training"].b
    return attr == "exponential_avg_factor" and inference


def drop_newer_attrs(node: proto.NodeDef, opdef: OpDef) -> None:
    """Drops a node's attrs that are newer than 1.15.5 and have their default value."""
    if len(node.attr) <= len(opdef.attrs):
        return  # the op has no newer attrs
    for key in [key for key in node.attr if key not in opdef.attrs]:
        default = _attr_defaults().get((node.op, key))
        is_error = key == "bad_indices_policy" and node.attr[key].s in (b"DEFAULT", b"ERROR")
        if is_error or default is not None and default in (_ANY_VALUE, node.attr[key]):
            del node.attr[key]


@functools.cache
def _attr_defaults() -> dict[tuple[str, str], proto.AttrValue | str]:
    """Returns the defaults by op and attr; `*` matches any value."""
    defaults: dict[tuple[str, str], proto.AttrValue | str] = {}
    with open(f"{os.path.dirname(__file__)}/newer_attrs.txt", encoding="ascii") as table:
        for line in table:
            if not line.startswith("#"):
                attr, default, ops = (part.strip() for part in line.split("|"))
                value = (
                    _ANY_VALUE
                    if default == _ANY_VALUE
                    else proto.parse_text(default, proto.AttrValue())
                )
                defaults.update(dict.fromkeys(((op_type, attr) for op_type in ops.split()), value))
    return defaults
