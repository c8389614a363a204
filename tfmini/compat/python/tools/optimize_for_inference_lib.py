"""`tensorflow.python.tools.optimize_for_inference_lib`: optimization of frozen graphs.

Removes training nodes and nodes without outputs; folds normalizations into the weights of the convolutions before
them, and resizing and padding into the convolutions after them.
"""

from __future__ import annotations

import collections
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs, proto
from tfmini._src.graph.tensor_proto import MakeNdarray, make_tensor_proto
from tfmini._src.saved_model.graph_util.extract_sub_graph import remove_training_nodes
from tfmini.compat.python.tools.strip_unused_lib import strip_unused

__all__ = [
    "EPSILON_ATTR",
    "INPUT_ORDER",
    "ensure_graph_is_valid",
    "fold_batch_norms",
    "fuse_resize_and_conv",
    "node_from_map",
    "node_name_from_input",
    "optimize_for_inference",
    "scale_after_normalization",
    "values_from_const",
]

# By the type of a normalization: its inputs in their order, and the attr that has its epsilon.
INPUT_ORDER = {
    "BatchNormWithGlobalNormalization": ["conv_op", "mean_op", "var_op", "beta_op", "gamma_op"],
    "FusedBatchNorm": ["conv_op", "gamma_op", "beta_op", "mean_op", "var_op"],
}
EPSILON_ATTR = {
    "BatchNormWithGlobalNormalization": "variance_epsilon",
    "FusedBatchNorm": "epsilon",
}


def optimize_for_inference(
    input_graph_def: Any,
    input_node_names: Sequence[str],
    output_node_names: Sequence[str],
    placeholder_type_enum: Any,
    toco_compatible: bool = False,
) -> Any:
    """Optimizes a frozen GraphDef for inference.

    Args:
      input_graph_def: a GraphDef.
      input_node_names: node names; these nodes become placeholders.
      output_node_names: node names.
      placeholder_type_enum: the number of the placeholders' dtype, or a list with a number per input.
      toco_compatible: whether to leave resizing and padding before convolutions unchanged.

    Raises:
      ValueError: for duplicate node names, or missing inputs.
      KeyError: if an input is not in the graph.
    """
    ensure_graph_is_valid(input_graph_def)
    result = strip_unused(
        input_graph_def, input_node_names, output_node_names, placeholder_type_enum
    )
    result = remove_training_nodes(result, output_node_names)
    result = fold_batch_norms(result)
    if not toco_compatible:
        result = fuse_resize_and_conv(result, output_node_names)
    ensure_graph_is_valid(result)
    return result


def ensure_graph_is_valid(graph_def: Any) -> None:
    """Raises ValueError if node names are not unique, or the node of an input is missing."""
    nodes = _by_name(graph_def)
    for node in graph_def.node:
        for name in node.input:
            if node_name_from_input(name) not in nodes:
                raise ValueError("Input for ", node.name, " not found: ", name)


def node_name_from_input(node_name: str) -> str:
    """Returns the name of the node of an input: "x" for "x:1" and "^x"."""
    return re.sub(r":\d+$", "", node_name.removeprefix("^"))


def node_from_map(node_map: dict[str, Any], name: str) -> Any:
    """Returns the NodeDef of an input; raises ValueError if it is missing."""
    node = node_map.get(node_name_from_input(name))
    if node is None:
        raise ValueError(f"No node named '{name}' found in map.")
    return node


def values_from_const(node_def: Any) -> np.ndarray:
    """Returns the values of a Const node; raises ValueError for other nodes."""
    if node_def.op != "Const":
        raise ValueError(
            f"Node named '{node_def.name}' should be a Const op for values_from_const."
        )
    return MakeNdarray(node_def.attr["value"].tensor)


def scale_after_normalization(node: Any) -> bool:
    """Whether a normalization multiplies by gamma."""
    if node.op == "BatchNormWithGlobalNormalization":
        return node.attr["scale_after_normalization"].b
    return True


def fold_batch_norms(input_graph_def: Any) -> Any:
    """Folds batch normalizations into the weights of the convolutions before them, and a BiasAdd.

    Finds the same patterns as TensorFlow's tool: BatchNormWithGlobalNormalization and FusedBatchNorm directly after a
    Conv2D or DepthwiseConv2dNative, with constant parameters.

    Raises:
      ValueError: for duplicate node names.
    """
    nodes = _by_name(input_graph_def)
    removed: set[str] = set()
    added: list[Any] = []
    for node in input_graph_def.node:
        if node.op not in INPUT_ORDER:
            continue
        inputs = {
            part: node_from_map(nodes, name) for part, name in zip(INPUT_ORDER[node.op], node.input)
        }
        values = _values(node, inputs, nodes)
        if values is None:
            continue
        removed |= {node.name, node_from_map(nodes, inputs["conv_op"].input[1]).name}
        removed |= {part.name for part in inputs.values()}
        added += _fold(node, inputs, nodes, values)
    return _without(input_graph_def, removed, added)


def _values(
    node: Any, inputs: dict[str, Any], nodes: dict[str, Any]
) -> dict[str, np.ndarray] | None:
    """Returns convolution weights and normalization parameters; None, with a warning, if they cannot be folded."""
    convolution = inputs["conv_op"]
    if convolution.op not in ("Conv2D", "DepthwiseConv2dNative"):
        logs.warning(f"Didn't find expected Conv2D or DepthwiseConv2dNative input to '{node.name}'")
        return None
    weights = node_from_map(nodes, convolution.input[1])
    parameters = {}
    for part, constant, owner in (
        ("conv", weights, convolution),
        *((name.removesuffix("_op"), inputs[name], node) for name in ("mean_op", "var_op")),
        *((name.removesuffix("_op"), inputs[name], node) for name in ("beta_op", "gamma_op")),
    ):
        if constant.op != "Const":
            logs.warning(
                f"Didn't find expected {part} Constant input to '{owner.name}', found {constant} instead. Maybe "
                "because freeze_graph wasn't run first?"
            )
            return None
        parameters[part] = values_from_const(constant)
        shape = parameters["conv"].shape
        channels = shape[3] if convolution.op == "Conv2D" else shape[2] * shape[3]
        if part != "conv" and parameters[part].shape != (channels,):
            logs.warning(
                f"Incorrect shape for {part}, found {parameters[part].shape}, expected {(channels,)}, for node "
                f"{node.name}"
            )
            return None
    return parameters


def _fold(
    node: Any, inputs: dict[str, Any], nodes: dict[str, Any], values: dict[str, np.ndarray]
) -> list[Any]:
    """Returns the nodes that replace a convolution and its batch norm: weights, convolution, offset and sum."""
    convolution, weights = inputs["conv_op"], values["conv"]
    spread = (values["var"] + node.attr[EPSILON_ATTR[node.op]].f).astype(np.float64)
    scale = 1.0 / np.sqrt(spread)
    if scale_after_normalization(node):
        scale = scale * values["gamma"]
    offset = -values["mean"] * scale + values["beta"]
    by_channel = scale if convolution.op == "Conv2D" else scale.reshape(weights.shape[2:])
    old = node_from_map(nodes, convolution.input[1])
    scaled = (weights * by_channel).astype(weights.dtype)
    new_weights = _constant(old.name, scaled, old.attr["dtype"])
    mean = inputs["mean_op"].attr["dtype"]
    name = f"{convolution.name}_bn_offset"
    new_offset = _constant(name, offset.astype(values["mean"].dtype), mean)
    copied = proto.NodeDef()
    copied.CopyFrom(convolution)
    total = proto.NodeDef(op="BiasAdd", name=node.name, input=[convolution.name, name])
    for key in ("T", "data_format"):
        total.attr[key].CopyFrom(convolution.attr[key])
    return [new_weights, copied, new_offset, total]


def fuse_resize_and_conv(input_graph_def: Any, output_node_names: Sequence[str]) -> Any:
    """Fuses ResizeBilinear, MirrorPad and Conv2D into FusedResizeAndPadConv2D and FusedPadConv2D.

    Args:
      input_graph_def: a GraphDef.
      output_node_names: node names to keep.

    Raises:
      ValueError: for duplicate node names.
    """
    nodes = _by_name(input_graph_def)
    uses = collections.Counter(
        node_name_from_input(name) for node in input_graph_def.node for name in node.input
    )
    uses.update(output_node_names)
    added = []
    for node in input_graph_def.node:
        if node.op != "Conv2D":
            continue
        before = node_from_map(nodes, node.input[0])
        padding = before if before.op == "MirrorPad" else None
        if padding is not None:
            before = node_from_map(nodes, padding.input[0])
        resizing = before if before.op == "ResizeBilinear" else None
        replaced = [merged_node for merged_node in (padding, resizing) if merged_node is not None]
        if replaced:
            uses[node.name] = 0
            uses.subtract(merged_node.name for merged_node in replaced)
            added += _fuse(node, padding, resizing)
    removed = {node.name for node in input_graph_def.node if uses[node.name] < 1}
    return _without(input_graph_def, removed, added)


def _fuse(node: Any, padding: Any, resizing: Any) -> list[Any]:
    """Returns the nodes that replace a convolution and its predecessors."""
    op_type = "FusedPadConv2D" if resizing is None else "FusedResizeAndPadConv2D"
    fused = proto.NodeDef(op=op_type, name=node.name)
    replacements = [fused]
    if padding is None:
        none = _constant(f"{node.name}_dummy_paddings", np.zeros((4, 2), np.int32))
        replacements.insert(0, none)
        paddings, mode = none.name, proto.AttrValue(s=b"REFLECT")
    else:
        paddings, mode = padding.input[1], padding.attr["mode"]
    first = [padding.input[0]] if resizing is None else resizing.input[:2]
    fused.input.extend([*first, paddings, node.input[1]])
    if resizing is not None:
        fused.attr["resize_align_corners"].CopyFrom(resizing.attr["align_corners"])
    fused.attr["mode"].CopyFrom(mode)
    for key in ("T", "strides", "padding"):
        fused.attr[key].CopyFrom(node.attr[key])
    return replacements


def _constant(name: str, value: np.ndarray, dtype: Any = None) -> Any:
    node = proto.NodeDef(op="Const", name=name)
    if dtype is None:
        node.attr["dtype"].type = dtypes.as_dtype(value.dtype).as_datatype_enum
    else:
        node.attr["dtype"].CopyFrom(dtype)
    node.attr["value"].tensor.CopyFrom(make_tensor_proto(value))
    return node


def _by_name(graph_def: Any) -> dict[str, Any]:
    nodes: dict[str, Any] = {}
    for node in graph_def.node:
        if node.name in nodes:
            raise ValueError("Duplicate node names detected for ", node.name)
        nodes[node.name] = node
    return nodes


def _without(graph_def: Any, removed: set[str], added: list[Any]) -> Any:
    retained = [node for node in graph_def.node if node.name not in removed]
    return proto.GraphDef(node=[*retained, *added])
