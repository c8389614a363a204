"""Building blocks of residual networks: unit stacks, convolutions with explicit padding, arg scopes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tfmini._src.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.initializers import variance_scaling_initializer
from tfmini._src.contrib.layers.layer_sizes import last_dimension
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
    convert_collection_to_dict,
)
from tfmini._src.contrib.layers.parameterless_layers import softmax
from tfmini._src.contrib.layers.pooling_layers import max_pool2d
from tfmini._src.contrib.layers.regularizers import l2_regularizer
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


class Block(NamedTuple):
    """A block of a residual network: a scope, a unit function, and a dict of arguments per unit."""

    scope: str
    unit_fn: Callable
    args: list


def subsample(inputs: TensorLike, factor: int, scope: str | VariableScope | None = None) -> Any:
    """Returns every `factor`-th pixel along rows and columns."""
    return inputs if factor == 1 else max_pool2d(inputs, [1, 1], stride=factor, scope=scope)


def conv2d_same(
    inputs: TensorLike,
    num_outputs: int,
    kernel_size: int,
    stride: int,
    rate: int = 1,
    scope: Any = None,
) -> Any:
    """Applies a convolution with explicit padding independent of the image size.

    Args:
      inputs: [batch, rows, columns, channels].
      num_outputs: number of output channels.
      kernel_size, stride, rate: filter size, stride, and dilation rate.
      scope: variable scope name.
    """
    conv_options = {"stride": stride, "rate": rate, "scope": scope}
    if stride == 1:
        return conv2d(inputs, num_outputs, kernel_size, padding="SAME", **conv_options)
    around = kernel_size + (kernel_size - 1) * (rate - 1) - 1
    pads = [around // 2, around - around // 2]
    inputs = ops.pad(inputs, [[0, 0], pads, pads, [0, 0]])
    return conv2d(inputs, num_outputs, kernel_size, padding="VALID", **conv_options)


@add_arg_scope
def stack_blocks_dense(
    net: Any,
    blocks: Sequence[Any],
    output_stride: int | None = None,
    outputs_collections: Any = None,
) -> Any:
    """Stacks blocks, dilating filters instead of striding once the requested output stride is reached.

    Args:
      net: [batch, rows, columns, channels].
      blocks: a list of Blocks.
      output_stride: target ratio of input to output size; None to apply all strides.
      outputs_collections: keys of collections for block outputs.

    Raises:
      ValueError: if the output stride cannot be reached.
    """
    stride, rate = 1, 1
    for block in blocks:
        with variable_scope(block.scope, "block", [net]) as sc:
            for index, unit in enumerate(block.args, 1):
                if output_stride is not None and stride > output_stride:
                    raise ValueError("The target output_stride cannot be reached.")
                with variable_scope(f"unit_{index}", values=[net]):
                    if output_stride is not None and stride == output_stride:
                        net = block.unit_fn(net, rate=rate, **{**unit, "stride": 1})
                        rate *= unit.get("stride", 1)
                    else:
                        net = block.unit_fn(net, rate=1, **unit)
                        stride *= unit.get("stride", 1)
            net = collect_named_outputs(outputs_collections, sc.name, net)
    if output_stride is not None and stride != output_stride:
        raise ValueError("The target output_stride cannot be reached.")
    return net


def residual_unit(
    inputs: Any,
    preactivation: Any,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int,
    **last: Any,
) -> Any:
    """Adds three convolutions of `preactivation` to `inputs`, subsampled or projected; `last` makes the last one."""
    if depth == last_dimension(inputs.shape, min_rank=4):
        shortcut = subsample(inputs, stride, "shortcut")
    else:
        shortcut = conv2d(preactivation, depth, [1, 1], stride=stride, scope="shortcut", **last)
    residual = conv2d(preactivation, depth_bottleneck, [1, 1], stride=1, scope="conv1")
    residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
    residual = conv2d(residual, depth, [1, 1], stride=1, scope="conv3", **last)
    return shortcut + residual


def residual_network(
    default: str,
    unit: Callable,
    root: Callable,
    end: Callable,
    inputs: Any,
    blocks: Any,
    num_classes: int | None,
    is_training: Any,
    global_pool: bool,
    output_stride: Any,
    include_root_block: bool,
    reuse: Any,
    scope: Any,
) -> tuple:
    """Returns the outputs of a network and a dict of layer outputs; arguments from `inputs` on as in `resnet_v1`."""
    with variable_scope(scope, default, [inputs], reuse=reuse) as sc:
        collection = sc.original_name_scope + "_end_points"
        with (
            arg_scope([conv2d, unit, stack_blocks_dense], outputs_collections=collection),
            arg_scope([batch_norm], is_training=is_training),
        ):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride /= 4
                net = max_pool2d(root(net), [3, 3], stride=2, scope="pool1")
            net = end(stack_blocks_dense(net, blocks, output_stride))
            if global_pool:
                net = ops.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                plain: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
                net = conv2d(net, num_classes, [1, 1], scope="logits", **plain)
            end_points = convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = softmax(net, scope="predictions")
            return net, end_points


def make_block(unit: Callable, scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """Returns a block of `num_units` units with 4 * base_depth output channels; the last unit applies the stride."""
    unit_options = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    strides = [1] * (num_units - 1) + [stride]
    return Block(scope, unit, [{**unit_options, "stride": unit_stride} for unit_stride in strides])


def four_blocks(unit: Callable, counts: tuple[int, ...]) -> list[Block]:
    """Returns the four blocks of the standard networks, with the given unit counts."""
    depths, strides = (64, 128, 256, 512), (2, 2, 2, 1)
    return [
        make_block(unit, f"block{index}", depth, count, stride)
        for index, (depth, count, stride) in enumerate(zip(depths, counts, strides), 1)
    ]


def resnet_arg_scope(
    weight_decay: float = 0.0001,
    batch_norm_decay: float = 0.997,
    batch_norm_epsilon: float = 1e-5,
    batch_norm_scale: bool = True,
) -> dict[Any, Any]:
    """Returns the default argument scope of residual networks.

    Args:
      weight_decay: scale of the weight regularization.
      batch_norm_decay, batch_norm_epsilon, batch_norm_scale: arguments of `batch_norm`.
    """
    norm = {
        "decay": batch_norm_decay,
        "epsilon": batch_norm_epsilon,
        "scale": batch_norm_scale,
        "updates_collections": GraphKeys.UPDATE_OPS,
    }
    with arg_scope(
        [conv2d],
        weights_regularizer=l2_regularizer(weight_decay),
        weights_initializer=variance_scaling_initializer(),
        activation_fn=relu,
        normalizer_fn=batch_norm,
        normalizer_params=norm,
    ):
        with arg_scope([batch_norm], **norm):
            with arg_scope([max_pool2d], padding="SAME") as scope:
                return scope
