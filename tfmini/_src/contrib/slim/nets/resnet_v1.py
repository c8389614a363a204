"""Residual networks, version 1: normalization and activation after each convolution (https://arxiv.org/abs/1512.03385)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
)
from tfmini._src.contrib.slim.nets.resnet_utils import (
    Block,
    conv2d_same,
    four_blocks,
    make_block,
    residual_network,
    residual_unit,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope


@add_arg_scope
def bottleneck(
    inputs: Any,
    depth: int,
    depth_bottleneck: int,
    stride: int,
    rate: int = 1,
    outputs_collections: Any = None,
    scope: str | VariableScope | None = None,
) -> Any:
    """Applies a residual unit: three convolutions, added to the inputs.

    Args:
      inputs: [batch, rows, columns, channels].
      depth: number of output channels; depth_bottleneck: number of intermediate channels.
      stride, rate: stride and dilation rate of the middle convolution.
      outputs_collections: keys of collections to add the outputs to.
      scope: variable scope name.
    """
    with variable_scope(scope, "bottleneck_v1", [inputs]) as sc:
        unit_args = (inputs, inputs, depth, depth_bottleneck, stride, rate)
        output = relu(residual_unit(*unit_args, activation_fn=None))
        return collect_named_outputs(outputs_collections, sc.name, output)


def _root_convolution(net: Any) -> Any:
    return conv2d_same(net, 64, 7, stride=2, scope="conv1")


def resnet_v1(
    inputs: TensorLike,
    blocks: Sequence[Any],
    num_classes: int | None = None,
    is_training: TensorLike = True,
    global_pool: bool = True,
    output_stride: int | None = None,
    include_root_block: bool = True,
    reuse: bool | None = None,
    scope: str | VariableScope | None = None,
) -> tuple[Any, ...]:
    """Builds a residual network with the given blocks.

    Args:
      inputs: images, [batch, rows, columns, channels].
      blocks: a list of `resnet_utils.Block`.
      num_classes: number of classes; None for the network without logits.
      is_training: whether to use batch statistics.
      global_pool: whether to average over rows and columns.
      output_stride: target ratio of input to output size, before the mean; None to apply all strides.
      include_root_block: whether to include the initial convolution and pooling.
      reuse: whether to reuse the variables of `scope`.
      scope: variable scope name.

    Returns:
      (the outputs, [batch, 1, 1, classes or channels]; a dict of layer outputs by name).

    Raises:
      ValueError: if `output_stride` cannot be reached.
    """
    return residual_network("resnet_v1", bottleneck, _root_convolution, lambda net: net, **locals())


resnet_v1.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v1_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """Returns a block of `num_units` units with 4 * base_depth output channels; the last unit applies the stride."""
    return make_block(bottleneck, scope, base_depth, num_units, stride)


def _build_from_counts(counts: tuple[int, ...], inputs: Any, *options: Any) -> tuple:
    """Builds a `resnet_v1` with four blocks of `counts` units."""
    num_classes, is_training, global_pool, output_stride, reuse, scope = options
    net_args = (num_classes, is_training, global_pool, output_stride, True, reuse, scope)
    return resnet_v1(inputs, four_blocks(bottleneck, counts), *net_args)


def resnet_v1_50(
    inputs: TensorLike,
    num_classes: int | None = None,
    is_training: TensorLike = True,
    global_pool: bool = True,
    output_stride: int | None = None,
    reuse: bool | None = None,
    scope: str | VariableScope | None = "resnet_v1_50",
) -> tuple[Any, ...]:
    """Builds a `resnet_v1` with 50 layers; takes the same arguments."""
    net_args = (num_classes, is_training, global_pool, output_stride, reuse, scope)
    return _build_from_counts((3, 4, 6, 3), inputs, *net_args)


@arguments_of(resnet_v1_50, scope="resnet_v1_101")
def resnet_v1_101(*args: Any) -> tuple:
    """Builds a `resnet_v1` with 101 layers; takes the same arguments."""
    return _build_from_counts((3, 4, 23, 3), *args)


@arguments_of(resnet_v1_50, scope="resnet_v1_152")
def resnet_v1_152(*args: Any) -> tuple:
    """Builds a `resnet_v1` with 152 layers; takes the same arguments."""
    return _build_from_counts((3, 8, 36, 3), *args)


@arguments_of(resnet_v1_50, scope="resnet_v1_200")
def resnet_v1_200(*args: Any) -> tuple:
    """Builds a `resnet_v1` with 200 layers; takes the same arguments."""
    return _build_from_counts((3, 24, 36, 3), *args)
