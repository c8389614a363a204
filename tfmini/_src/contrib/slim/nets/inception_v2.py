"""Inception, version 2: with batch normalization (https://arxiv.org/abs/1502.03167)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.channelwise_convolution import (
    separable_convolution2d as separable_conv2d,
)
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.parameterless_layers import dropout, softmax
from tfmini._src.contrib.layers.pooling_layers import avg_pool2d, max_pool2d
from tfmini._src.contrib.slim.nets.branch_builder import (
    add_logits,
    build_block,
    depth_scaler,
    inception_arg_scope,
    parse_table,
    trunc_normal,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope

_LAYERS = """
MaxPool_2a_3x3 /2
Conv2d_2b_1x1 64 ~0.1
Conv2d_2c_3x3 192
MaxPool_3a_3x3 /2
Mixed_3b:
    Conv2d_0a_1x1 64
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 64
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96
    AvgPool_0a_3x3, Conv2d_0b_1x1 32 ~0.1
Mixed_3c:
    Conv2d_0a_1x1 64
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 96
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96
    AvgPool_0a_3x3, Conv2d_0b_1x1 64 ~0.1
Mixed_4a:
    Conv2d_0a_1x1 128 ~0.09, Conv2d_1a_3x3 160 /2
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 96, Conv2d_1a_3x3 96 /2
    MaxPool_1a_3x3 /2
Mixed_4b:
    Conv2d_0a_1x1 224
    Conv2d_0a_1x1 64 ~0.09, Conv2d_0b_3x3 96
    Conv2d_0a_1x1 96 ~0.09, Conv2d_0b_3x3 128, Conv2d_0c_3x3 128
    AvgPool_0a_3x3, Conv2d_0b_1x1 128 ~0.1
Mixed_4c:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 96 ~0.09, Conv2d_0b_3x3 128
    Conv2d_0a_1x1 96 ~0.09, Conv2d_0b_3x3 128, Conv2d_0c_3x3 128
    AvgPool_0a_3x3, Conv2d_0b_1x1 128 ~0.1
Mixed_4d:
    Conv2d_0a_1x1 160
    Conv2d_0a_1x1 128 ~0.09, Conv2d_0b_3x3 160
    Conv2d_0a_1x1 128 ~0.09, Conv2d_0b_3x3 160, Conv2d_0c_3x3 160
    AvgPool_0a_3x3, Conv2d_0b_1x1 96 ~0.1
Mixed_4e:
    Conv2d_0a_1x1 96
    Conv2d_0a_1x1 128 ~0.09, Conv2d_0b_3x3 192
    Conv2d_0a_1x1 160 ~0.09, Conv2d_0b_3x3 192, Conv2d_0c_3x3 192
    AvgPool_0a_3x3, Conv2d_0b_1x1 96 ~0.1
Mixed_5a:
    Conv2d_0a_1x1 128 ~0.09, Conv2d_1a_3x3 192 /2
    Conv2d_0a_1x1 192 ~0.09, Conv2d_0b_3x3 256, Conv2d_1a_3x3 256 /2
    MaxPool_1a_3x3 /2
Mixed_5b:
    Conv2d_0a_1x1 352
    Conv2d_0a_1x1 192 ~0.09, Conv2d_0b_3x3 320
    Conv2d_0a_1x1 160 ~0.09, Conv2d_0b_3x3 224, Conv2d_0c_3x3 224
    AvgPool_0a_3x3, Conv2d_0b_1x1 128 ~0.1
Mixed_5c:
    Conv2d_0a_1x1 352
    Conv2d_0a_1x1 192 ~0.09, Conv2d_0b_3x3 320
    Conv2d_0a_1x1 192 ~0.09, Conv2d_0b_3x3 224, Conv2d_0c_3x3 224
    MaxPool_0a_3x3, Conv2d_0b_1x1 128 ~0.1
"""


def inception_v2_base(
    inputs: TensorLike,
    final_endpoint: str = "Mixed_5c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: str | VariableScope | None = None,
) -> tuple[Any, ...]:
    """Builds Inception v2 without logits.

    Args:
      inputs: images, [batch, rows, columns, channels].
      final_endpoint: name of the last layer.
      min_depth, depth_multiplier, scope: as in `inception_v2`.

    Returns:
      (the outputs, a dict of layer outputs by name).

    Raises:
      ValueError: for an unknown layer name.
    """
    depth = depth_scaler(depth_multiplier, min_depth)
    end_points = {}
    with (
        variable_scope(scope, "InceptionV2", [inputs]),
        arg_scope([conv2d, max_pool2d, avg_pool2d, separable_conv2d], stride=1, padding="SAME"),
    ):
        name = "Conv2d_1a_7x7"
        end_points[name] = net = separable_conv2d(
            *(inputs, depth(64), [7, 7]),
            depth_multiplier=min(int(depth(64) / 3), 8),
            stride=2,
            weights_initializer=trunc_normal(1.0),
            scope=name,
        )
        if name == final_endpoint:
            return net, end_points
        for block, branches in parse_table(_LAYERS):
            name = block.split()[0]
            end_points[name] = net = build_block(net, block, branches, depth)
            if name == final_endpoint:
                return net, end_points
    raise ValueError(f"Unknown final endpoint {final_endpoint}")


def inception_v2(
    inputs: TensorLike,
    num_classes: int = 1000,
    is_training: TensorLike = True,
    dropout_keep_prob: TensorLike = 0.8,
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: bool | None = None,
    scope: str | VariableScope | None = "InceptionV2",
) -> tuple[Any, ...]:
    """Builds Inception v2.

    Args:
      inputs: images, [batch, 224, 224, channels].
      num_classes: number of classes.
      is_training: whether to apply dropout and use batch statistics.
      dropout_keep_prob: fraction of elements kept by dropout.
      min_depth: minimum number of channels.
      depth_multiplier: factor for channel numbers.
      prediction_fn: a function from logits to predictions.
      spatial_squeeze: whether to drop the logits' axes of size 1.
      reuse: whether to reuse the variables of `scope`.
      scope: variable scope name.

    Returns:
      (the logits, [batch, num_classes]; a dict of layer outputs by name).

    Raises:
      ValueError: if `depth_multiplier` is not positive.
    """
    with (
        variable_scope(scope, "InceptionV2", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v2_base(
            inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        options = (num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze)
        logits = add_logits(net, end_points, [7, 7], *options)
    return logits, end_points


inception_v2.default_image_size = 224  # type: ignore[attr-defined]


def inception_v2_arg_scope(
    weight_decay: float = 0.00004, batch_norm_var_collection: str = "moving_vars"
) -> dict[Any, Any]:
    """Returns the default argument scope of Inception v2.

    Args:
      weight_decay: scale of the weight regularization.
      batch_norm_var_collection: collection of the moving averages.
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection)
