"""Inception, version 1 (GoogLeNet, https://arxiv.org/abs/1409.4842)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.parameterless_layers import dropout, softmax
from tfmini._src.contrib.layers.pooling_layers import avg_pool2d, max_pool2d
from tfmini._src.contrib.slim.nets.branch_builder import (
    build_block,
    inception_arg_scope,
    parse_table,
    trunc_normal,
)
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope

_LAYERS = """
Conv2d_1a_7x7 64 /2
MaxPool_2a_3x3 /2
Conv2d_2b_1x1 64
Conv2d_2c_3x3 192
MaxPool_3a_3x3 /2
Mixed_3b:
    Conv2d_0a_1x1 64
    Conv2d_0a_1x1 96, Conv2d_0b_3x3 128
    Conv2d_0a_1x1 16, Conv2d_0b_3x3 32
    MaxPool_0a_3x3, Conv2d_0b_1x1 32
Mixed_3c:
    Conv2d_0a_1x1 128
    Conv2d_0a_1x1 128, Conv2d_0b_3x3 192
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 96
    MaxPool_0a_3x3, Conv2d_0b_1x1 64
MaxPool_4a_3x3 /2
Mixed_4b:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 96, Conv2d_0b_3x3 208
    Conv2d_0a_1x1 16, Conv2d_0b_3x3 48
    MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4c:
    Conv2d_0a_1x1 160
    Conv2d_0a_1x1 112, Conv2d_0b_3x3 224
    Conv2d_0a_1x1 24, Conv2d_0b_3x3 64
    MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4d:
    Conv2d_0a_1x1 128
    Conv2d_0a_1x1 128, Conv2d_0b_3x3 256
    Conv2d_0a_1x1 24, Conv2d_0b_3x3 64
    MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4e:
    Conv2d_0a_1x1 112
    Conv2d_0a_1x1 144, Conv2d_0b_3x3 288
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 64
    MaxPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_4f:
    Conv2d_0a_1x1 256
    Conv2d_0a_1x1 160, Conv2d_0b_3x3 320
    Conv2d_0a_1x1 32, Conv2d_0b_3x3 128
    MaxPool_0a_3x3, Conv2d_0b_1x1 128
MaxPool_5a_2x2 /2
Mixed_5b:
    Conv2d_0a_1x1 256
    Conv2d_0a_1x1 160, Conv2d_0b_3x3 320
    Conv2d_0a_1x1 32, Conv2d_0a_3x3 128
    MaxPool_0a_3x3, Conv2d_0b_1x1 128
Mixed_5c:
    Conv2d_0a_1x1 384
    Conv2d_0a_1x1 192, Conv2d_0b_3x3 384
    Conv2d_0a_1x1 48, Conv2d_0b_3x3 128
    MaxPool_0a_3x3, Conv2d_0b_1x1 128
"""


def inception_v1_base(
    inputs: TensorLike,
    final_endpoint: str = "Mixed_5c",
    scope: str | VariableScope | None = "InceptionV1",
) -> tuple[Any, ...]:
    """Builds Inception v1 without logits.

    Args:
      inputs: images, [batch, rows, columns, channels].
      final_endpoint: name of the last layer.
      scope: variable scope name.

    Returns:
      (the outputs, a dict of layer outputs by name).

    Raises:
      ValueError: for an unknown layer name.
    """
    end_points = {}
    with (
        variable_scope(scope, "InceptionV1", [inputs]),
        arg_scope([conv2d, fully_connected], weights_initializer=trunc_normal(0.01)),
        arg_scope([conv2d, max_pool2d], stride=1, padding="SAME"),
    ):
        net = inputs
        for block, branches in parse_table(_LAYERS):
            name = block.split()[0]
            end_points[name] = net = build_block(net, block, branches, int)
            if name == final_endpoint:
                return net, end_points
    raise ValueError(f"Unknown final endpoint {final_endpoint}")


def inception_v1(
    inputs: TensorLike,
    num_classes: int = 1000,
    is_training: TensorLike = True,
    dropout_keep_prob: Any = 0.8,
    prediction_fn: Callable[..., Any] = softmax,
    spatial_squeeze: bool = True,
    reuse: bool | None = None,
    scope: str | VariableScope | None = "InceptionV1",
) -> tuple[Any, ...]:
    """Builds Inception v1.

    Args:
      inputs: images, [batch, 224, 224, channels].
      Other arguments are as in `inception_v2`.

    Returns:
      (the logits, [batch, num_classes]; a dict of layer outputs by name).
    """
    with (
        variable_scope(scope, "InceptionV1", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v1_base(inputs, scope=scope)
        with variable_scope("Logits"):
            net = avg_pool2d(net, [7, 7], stride=1, scope="MaxPool_0a_7x7")
            net = dropout(net, dropout_keep_prob, scope="Dropout_0b")
            plain: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
            logits = conv2d(net, num_classes, [1, 1], scope="Conv2d_0c_1x1", **plain)
            if spatial_squeeze:
                logits = ops.squeeze(logits, [1, 2], name="SpatialSqueeze")
            end_points["Logits"] = logits
            end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits, end_points


inception_v1.default_image_size = 224  # type: ignore[attr-defined]


def inception_v1_arg_scope(
    weight_decay: float = 0.00004,
    use_batch_norm: bool = True,
    batch_norm_var_collection: str = "moving_vars",
) -> dict[Any, Any]:
    """Returns the default argument scope of Inception v1.

    Args:
      weight_decay: scale of the weight regularization.
      use_batch_norm: whether to apply batch normalization.
      batch_norm_var_collection: collection of the moving averages.
    """
    return inception_arg_scope(weight_decay, batch_norm_var_collection, use_batch_norm)
