"""Nodes of graphs that releases of TensorFlow after 1.15.5 wrote, as 1.15.5 would have written them.

`newer_attrs.txt` has the attrs that TensorFlow 2.21 added to ops of 1.15.5, with their defaults: one that has its
default is dropped, as TensorFlow drops what is newer than itself; others are refused when the node is made, by name.
"""

from __future__ import annotations

import functools
import os
from typing import NamedTuple

from tfmini._src.base import dtypes, proto
from tfmini._src.graph.opdef import OpDef

# A case without effects may be run as one with them.
_RENAMED = {"StatelessCase": "Case"}
_ANY = "*"


class _OtherOp(NamedTuple):
    """An op that does what a newer one does where it has this attr; `dropped` are the attrs that it has not."""

    attr: str
    value: int
    name: str
    dropped: tuple[str, ...]


_RAGGED = ("input_ragged_rank", "output_ragged_rank", "RAGGED_RANK", "Tsplits")
_OTHER_OPS = {
    "TensorListSetItem": _OtherOp(
        "resize_if_index_out_of_bounds",
        1,
        "_TensorListSetItemResizing",
        ("resize_if_index_out_of_bounds",),
    ),
    "RaggedTensorFromVariant": _OtherOp(
        "output_ragged_rank", 0, "_RaggedTensorFromVariantRank0", _RAGGED
    ),
    "RaggedTensorToVariant": _OtherOp("RAGGED_RANK", 0, "_RaggedTensorToVariantRank0", _RAGGED),
}


def rename_newer(node: proto.NodeDef) -> None:
    """Gives a node of an op that is here by another name, or with attrs that are another op here, that op."""
    node.op = _RENAMED.get(node.op, node.op)
    other = _OTHER_OPS.get(node.op)
    if other is None:
        return
    if other.attr in node.attr and other.value == (
        node.attr[other.attr].b or node.attr[other.attr].i
    ):
        node.op = other.name
        for attr in other.dropped:
            node.attr.pop(attr, None)
    elif "ragged_rank" in other.attr.lower() and "Tsplits" not in node.attr:
        node.attr["Tsplits"].type = dtypes.int64.as_datatype_enum  # which has this default since


def drop_newer_attrs(node: proto.NodeDef, opdef: OpDef) -> None:
    """Drops the attrs of a node that are newer than 1.15.5 and have their defaults."""
    if len(node.attr) <= len(opdef.attrs):
        return  # all of the op's own are there
    for key in [key for key in node.attr if key not in opdef.attrs]:
        default = _defaults().get((node.op, key))
        if default is not None and default in (_ANY, node.attr[key]):
            del node.attr[key]


@functools.cache
def _defaults() -> dict[tuple[str, str], proto.AttrValue | str]:
    """By op and attr the default, or `*`."""
    found: dict[tuple[str, str], proto.AttrValue | str] = {}
    with open(f"{os.path.dirname(__file__)}/newer_attrs.txt", encoding="ascii") as table:
        for line in table:
            if not line.startswith("#"):
                attr, default, ops = (part.strip() for part in line.split("|"))
                value = _ANY if default == _ANY else proto.parse_text(default, proto.AttrValue())
                found.update(dict.fromkeys(((op_type, attr) for op_type in ops.split()), value))
    return found
