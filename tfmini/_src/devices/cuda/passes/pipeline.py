"""The passes of GPUs, each of which is inserted after a named compiler pass."""

from __future__ import annotations

from tfmini._src.compiler.pipeline import Pass
from tfmini._src.compiler.program.program import Node
from tfmini._src.devices.cuda.passes import (
    fuse_gpu,
    fuse_gpu_layers,
    fuse_gpu_matmul,
    fuse_rows,
    lay_out_filters,
    mixed_precision,
    turn_filter_gradients,
)


def _is_op(node: Node) -> bool:
    return node.kind == "op"


def _is_on_gpu(node: Node) -> bool:
    return "/device:GPU:" in node.device


def _is_normalization(node: Node) -> bool:
    return _is_on_gpu(node) and _is_op(node) and node.opdef.name.startswith("FusedBatchNorm")


def _is_convolution(node: Node) -> bool:
    return _is_on_gpu(node) and _is_op(node) and node.opdef.name.startswith("Conv")


PASSES = (
    Pass(
        mixed_precision,
        target_fields=("placement",),
        for_nodes=_is_on_gpu,
        covers_loops=True,
        structural=True,
        after="check_attrs",
    ),
    Pass(fuse_gpu_matmul, for_nodes=_is_on_gpu, after="fuse_matmul"),
    Pass(fuse_gpu_layers, for_nodes=_is_normalization, after="fuse_gpu_matmul"),
    Pass(fuse_rows, for_nodes=_is_on_gpu, in_parts=False, after="fuse_cpu"),
    Pass(fuse_gpu, for_nodes=_is_op, in_parts=False, after="fuse_rows"),
    Pass(lay_out_filters, for_nodes=_is_convolution, in_parts=False, after="fuse_gpu"),
    Pass(
        turn_filter_gradients,
        for_nodes=_is_convolution,
        in_parts=False,
        after="fuse_optimizer_updates",
    ),
)
