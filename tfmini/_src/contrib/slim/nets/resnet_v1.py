"""Residual networks, version 1: normalization and activation after each convolution (https://arxiv.org/abs/1512.03385)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.conv2d_and_transpose import convolution2d as conv2d
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
    convert_collection_to_dict,
    last_dimension,
)
from tfmini._src.contrib.layers.pool_flatten_dropout import max_pool2d, softmax
from tfmini._src.contrib.slim.nets.resnet_utils import (
    Block,
    conv2d_same,
    stack_blocks_dense,
    subsample,
)
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.variable_scope import variable_scope


@add_arg_scope
def bottleneck(
    inputs: Any,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int = 1,
    outputs_collections: Any = None,
    scope: Any = None,
) -> Any:
    """A residual unit of three convolutions: their output plus the inputs.

    Args:
      inputs: [batch, rows, columns, channels].
      depth: how many channels the outputs have, depth_bottleneck: those between.
      stride, rate: of the convolution in the middle.
      outputs_collections: keys of collections for the outputs.
      scope: the variable scope's name.
    """
    with variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        depth_in = last_dimension(inputs.shape, min_rank=4)
        before = inputs
        last: dict[str, Any] = {"stride": 1, "activation_fn": None}
        if depth == depth_in:
            shortcut = subsample(inputs, stride, "shortcut")
        else:
            how: dict[str, Any] = {**last, "stride": stride}
            shortcut = conv2d(before, depth, [1, 1], scope="shortcut", **how)
        residual = conv2d(before, depth_bottleneck, [1, 1], stride=1, scope="conv1")
        residual = conv2d_same(residual, depth_bottleneck, 3, stride, rate=rate, scope="conv2")
        residual = conv2d(residual, depth, [1, 1], scope="conv3", **last)
        output = relu(shortcut + residual)
        return collect_named_outputs(outputs_collections, sc.name, output)


def resnet_v1(
    inputs: Any,
    blocks: Any,
    num_classes: int | None = None,
    is_training: Any = True,
    global_pool: bool = True,
    output_stride: Any = None,
    include_root_block: bool = True,
    reuse: Any = None,
    scope: Any = None,
) -> tuple:
    """A residual network with the given blocks.

    Args:
      inputs: images, [batch, rows, columns, channels].
      blocks: a list of `resnet_utils.Block`.
      num_classes: how many classes there are; None for the network without logits.
      is_training: whether batches are normalized by their own statistics.
      global_pool: whether the mean over rows and columns is taken.
      output_stride: how much smaller the outputs shall be, before the mean; None for all strides.
      include_root_block: whether there are the first convolution and pool.
      reuse: whether to use the variables of that scope.
      scope: the variable scope's name.

    Returns:
      (the outputs, [batch, 1, 1, classes or channels]; a dict of the outputs of all layers by name).

    Raises:
      ValueError: for a stride that cannot be reached.
    """
    with variable_scope(scope, "resnet_v1", [inputs], reuse=reuse) as sc:
        collection = sc.original_name_scope + "_end_points"
        functions = [conv2d, bottleneck, stack_blocks_dense]
        with (
            arg_scope(functions, outputs_collections=collection),
            arg_scope([batch_norm], is_training=is_training),
        ):
            net = inputs
            if include_root_block:
                if output_stride is not None:
                    if output_stride % 4 != 0:
                        raise ValueError("The output_stride needs to be a multiple of 4.")
                    output_stride /= 4
                net = conv2d_same(net, 64, 7, stride=2, scope="conv1")
                net = max_pool2d(net, [3, 3], stride=2, scope="pool1")
            net = stack_blocks_dense(net, blocks, output_stride)
            if global_pool:
                net = ops.reduce_mean(net, [1, 2], name="pool5", keepdims=True)
            if num_classes is not None:
                plain: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
                net = conv2d(net, num_classes, [1, 1], scope="logits", **plain)
            end_points = convert_collection_to_dict(collection)
            if num_classes is not None:
                end_points["predictions"] = softmax(net, scope="predictions")
            return net, end_points


resnet_v1.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """A block of `num_units` units, the last of which has the stride; outputs have 4 * base_depth channels."""
    unit = {"depth": base_depth * 4, "depth_bottleneck": base_depth}
    strides = [1] * (num_units - 1) + [stride]
    return Block(scope, bottleneck, [{**unit, "stride": each} for each in strides])


def _of_blocks(counts: tuple[int, ...], inputs: Any, *options: Any) -> tuple:
    """`resnet_v1` with four blocks; `counts` are their numbers of units."""
    num_classes, is_training, global_pool, output_stride, reuse, scope = options
    depths, strides = (64, 128, 256, 512), (2, 2, 2, 1)
    blocks = [
        resnet_v1_block(f"block{number}", depth, count, stride)
        for number, (depth, count, stride) in enumerate(zip(depths, counts, strides), 1)
    ]
    how = (num_classes, is_training, global_pool, output_stride, True)
    return resnet_v1(inputs, blocks, *how, reuse, scope)


def resnet_v1_50(
    inputs: Any,
    num_classes: int | None = None,
    is_training: Any = True,
    global_pool: bool = True,
    output_stride: Any = None,
    reuse: Any = None,
    scope: Any = "resnet_v1_50",
) -> tuple:
    """`resnet_v1` with 50 layers; same arguments."""
    how = (num_classes, is_training, global_pool, output_stride, reuse, scope)
    return _of_blocks((3, 4, 6, 3), inputs, *how)


@arguments_of(resnet_v1_50, scope="resnet_v1_101")
def resnet_v1_101(*given: Any) -> tuple:
    """`resnet_v1` with 101 layers; same arguments."""
    return _of_blocks((3, 4, 23, 3), *given)


@arguments_of(resnet_v1_50, scope="resnet_v1_152")
def resnet_v1_152(*given: Any) -> tuple:
    """`resnet_v1` with 152 layers; same arguments."""
    return _of_blocks((3, 8, 36, 3), *given)


@arguments_of(resnet_v1_50, scope="resnet_v1_200")
def resnet_v1_200(*given: Any) -> tuple:
    """`resnet_v1` with 200 layers; same arguments."""
    return _of_blocks((3, 24, 36, 3), *given)
