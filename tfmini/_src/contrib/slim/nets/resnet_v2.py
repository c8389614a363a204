"""Residual networks, version 2: normalization and activation before each convolution (https://arxiv.org/abs/1603.05027)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import add_arg_scope, arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.named_outputs import (
    collect_named_outputs,
)
from tfmini._src.contrib.slim.nets import resnet_v1
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
@arguments_of(resnet_v1.bottleneck)
def bottleneck(
    inputs: TensorLike,
    outputs_collections: Sequence[str],
    scope: str | VariableScope | None,
    **sizes: Any,
) -> Any:
    with variable_scope(scope, "bottleneck_v2", [inputs]) as sc:
        preactivation = batch_norm(inputs, activation_fn=relu, scope="preact")
        sizes |= {"normalizer_fn": None, "activation_fn": None}
        output = residual_unit(inputs, preactivation, **sizes)
        return collect_named_outputs(outputs_collections, sc.name, output)


def _root_convolution(net: Any) -> Any:
    with arg_scope([conv2d], activation_fn=None, normalizer_fn=None):
        return conv2d_same(net, 64, 7, stride=2, scope="conv1")


def _postnorm(net: Any) -> Any:
    return batch_norm(net, activation_fn=relu, scope="postnorm")


@arguments_of(resnet_v1.resnet_v1)
def resnet_v2(*args: Any) -> tuple:
    return residual_network("resnet_v2", bottleneck, _root_convolution, _postnorm, *args)


resnet_v2.default_image_size = 224  # type: ignore[attr-defined]


def resnet_v2_block(scope: str, base_depth: int, num_units: int, stride: int) -> Block:
    """Returns a block of `num_units` units with 4 * base_depth output channels; the last unit applies the stride."""
    return make_block(bottleneck, scope, base_depth, num_units, stride)


def _build_from_counts(counts: tuple[int, ...], inputs: Any, *options: Any) -> tuple:
    """Builds a `resnet_v2` with four blocks of `counts` units."""
    num_classes, is_training, global_pool, output_stride, reuse, scope = options
    net_args = (num_classes, is_training, global_pool, output_stride, True, reuse, scope)
    return resnet_v2(inputs, four_blocks(bottleneck, counts), *net_args)


@arguments_of(resnet_v1.resnet_v1_50, scope="resnet_v2_50")
def resnet_v2_50(*args: Any) -> tuple:
    """Builds a `resnet_v2` with 50 layers; takes the same arguments."""
    return _build_from_counts((3, 4, 6, 3), *args)


@arguments_of(resnet_v2_50, scope="resnet_v2_101")
def resnet_v2_101(*args: Any) -> tuple:
    """Builds a `resnet_v2` with 101 layers; takes the same arguments."""
    return _build_from_counts((3, 4, 23, 3), *args)


@arguments_of(resnet_v2_50, scope="resnet_v2_152")
def resnet_v2_152(*args: Any) -> tuple:
    """Builds a `resnet_v2` with 152 layers; takes the same arguments."""
    return _build_from_counts((3, 8, 36, 3), *args)


@arguments_of(resnet_v2_50, scope="resnet_v2_200")
def resnet_v2_200(*args: Any) -> tuple:
    """Builds a `resnet_v2` with 200 layers; takes the same arguments."""
    return _build_from_counts((3, 24, 36, 3), *args)
