"""Inception, version 3: with factorized convolutions (https://arxiv.org/abs/1512.00567)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.parameterless_layers import dropout
from tfmini._src.contrib.layers.pooling_layers import avg_pool2d, max_pool2d
from tfmini._src.contrib.slim.nets.branch_builder import (
    add_logits,
    build_block,
    depth_scaler,
    inception_arg_scope,
    parse_table,
    reduced_kernel_size,
    trunc_normal,
)
from tfmini._src.contrib.slim.nets.inception_v2 import inception_v2
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable_scope import variable_scope

_LAYERS = """
Conv2d_1a_3x3 32 /2
Conv2d_2a_3x3 32
Conv2d_2b_3x3 64 same
MaxPool_3a_3x3 /2
Conv2d_3b_1x1 80
Conv2d_4a_3x3 192
MaxPool_5a_3x3 /2
Mixed_5b:
    Conv2d_0a_1x1 64
    Conv2d_0a_1x1 48, Conv2d_0b_5x5 64
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96
    AvgPool_0a_3x3, Conv2d_0b_1x1 32
Mixed_5c:
    Conv2d_0a_1x1 64
    Conv2d_0b_1x1 48, Conv_1_0c_5x5 64
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96
    AvgPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_5d:
    Conv2d_0a_1x1 64
    Conv2d_0a_1x1 48, Conv2d_0b_5x5 64
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_0c_3x3 96
    AvgPool_0a_3x3, Conv2d_0b_1x1 64
Mixed_6a:
    Conv2d_1a_1x1(3x3) 384 /2 valid
    Conv2d_0a_1x1 64, Conv2d_0b_3x3 96, Conv2d_1a_1x1(3x3) 96 /2 valid
    MaxPool_1a_3x3 /2 valid
Mixed_6b:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 128, Conv2d_0b_1x7 128, Conv2d_0c_7x1 192
    Conv2d_0a_1x1 128, Conv2d_0b_7x1 128, Conv2d_0c_1x7 128, Conv2d_0d_7x1 128, Conv2d_0e_1x7 192
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6c:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 160, Conv2d_0b_1x7 160, Conv2d_0c_7x1 192
    Conv2d_0a_1x1 160, Conv2d_0b_7x1 160, Conv2d_0c_1x7 160, Conv2d_0d_7x1 160, Conv2d_0e_1x7 192
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6d:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 160, Conv2d_0b_1x7 160, Conv2d_0c_7x1 192
    Conv2d_0a_1x1 160, Conv2d_0b_7x1 160, Conv2d_0c_1x7 160, Conv2d_0d_7x1 160, Conv2d_0e_1x7 192
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_6e:
    Conv2d_0a_1x1 192
    Conv2d_0a_1x1 192, Conv2d_0b_1x7 192, Conv2d_0c_7x1 192
    Conv2d_0a_1x1 192, Conv2d_0b_7x1 192, Conv2d_0c_1x7 192, Conv2d_0d_7x1 192, Conv2d_0e_1x7 192
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_7a:
    Conv2d_0a_1x1 192, Conv2d_1a_3x3 320 /2 valid
    Conv2d_0a_1x1 192, Conv2d_0b_1x7 192, Conv2d_0c_7x1 192, Conv2d_1a_3x3 192 /2 valid
    MaxPool_1a_3x3 /2 valid
Mixed_7b:
    Conv2d_0a_1x1 320
    Conv2d_0a_1x1 384, Conv2d_0b_1x3 384 + Conv2d_0b_3x1 384
    Conv2d_0a_1x1 448, Conv2d_0b_3x3 384, Conv2d_0c_1x3 384 + Conv2d_0d_3x1 384
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
Mixed_7c:
    Conv2d_0a_1x1 320
    Conv2d_0a_1x1 384, Conv2d_0b_1x3 384 + Conv2d_0c_3x1 384
    Conv2d_0a_1x1 448, Conv2d_0b_3x3 384, Conv2d_0c_1x3 384 + Conv2d_0d_3x1 384
    AvgPool_0a_3x3, Conv2d_0b_1x1 192
"""


def inception_v3_base(
    inputs: TensorLike,
    final_endpoint: str = "Mixed_7c",
    min_depth: int = 16,
    depth_multiplier: float = 1.0,
    scope: str | VariableScope | None = None,
) -> tuple[Any, ...]:
    """Builds Inception v3 without logits; arguments, results and errors as in `inception_v2_base`."""
    depth = depth_scaler(depth_multiplier, min_depth)
    end_points = {}
    functions = [conv2d, max_pool2d, avg_pool2d]
    net = inputs
    with variable_scope(scope, "InceptionV3", [inputs]):
        for block, branches in parse_table(_LAYERS):
            name = block.split()[0]
            with arg_scope(functions, stride=1, padding="SAME" if branches else "VALID"):
                end_points[name] = net = build_block(net, block, branches, depth)
            if name == final_endpoint:
                return net, end_points
    raise ValueError(f"Unknown final endpoint {final_endpoint}")


@arguments_of(inception_v2, scope="InceptionV3")
def inception_v3(
    inputs: Any,
    num_classes: Any,
    is_training: TensorLike,
    dropout_keep_prob: Any,
    min_depth: Any,
    depth_multiplier: Any,
    prediction_fn: Any,
    spatial_squeeze: Any,
    reuse: bool | None,
    scope: str | VariableScope | None,
) -> tuple:
    """Builds Inception v3; arguments and results as in `inception_v2`, for images [batch, 299, 299, channels]."""
    depth = depth_scaler(depth_multiplier, min_depth)
    with (
        variable_scope(scope, "InceptionV3", [inputs, num_classes], reuse=reuse) as scope,
        arg_scope([batch_norm, dropout], is_training=is_training),
    ):
        net, end_points = inception_v3_base(
            inputs, scope=scope, min_depth=min_depth, depth_multiplier=depth_multiplier
        )
        aux = end_points["Mixed_6e"]
        end_points["AuxLogits"] = _aux_logits(aux, num_classes, depth, spatial_squeeze)
        options = (num_classes, dropout_keep_prob, prediction_fn, spatial_squeeze)
        logits = add_logits(net, end_points, [8, 8], *options, "PreLogits")
    return logits, end_points


inception_v3.default_image_size = 299  # type: ignore[attr-defined]


def _aux_logits(
    net: Any, num_classes: int, depth: Callable[[int], int], spatial_squeeze: bool
) -> Any:
    """Returns the auxiliary logits from an intermediate layer, which help training."""
    with (
        arg_scope([conv2d, max_pool2d, avg_pool2d], stride=1, padding="SAME"),
        variable_scope("AuxLogits"),
    ):
        net = avg_pool2d(net, [5, 5], stride=3, padding="VALID", scope="AvgPool_1a_5x5")
        net = conv2d(net, depth(128), [1, 1], scope="Conv2d_1b_1x1")
        rows, columns = reduced_kernel_size(net, [5, 5])
        net = conv2d(
            *(net, depth(768), [rows, columns]),
            weights_initializer=trunc_normal(0.01),
            padding="VALID",
            scope=f"Conv2d_2a_{rows}x{columns}",
        )
        net = conv2d(
            *(net, num_classes, [1, 1]),
            activation_fn=None,
            normalizer_fn=None,
            weights_initializer=trunc_normal(0.001),
            scope="Conv2d_2b_1x1",
        )
        return ops.squeeze(net, [1, 2], name="SpatialSqueeze") if spatial_squeeze else net


def inception_v3_arg_scope(
    weight_decay: float = 0.00004,
    batch_norm_var_collection: str = "moving_vars",
    batch_norm_decay: float = 0.9997,
    batch_norm_epsilon: float = 0.001,
    updates_collections: Sequence[str] = GraphKeys.UPDATE_OPS,
    use_fused_batchnorm: bool = True,
) -> dict[Any, Any]:
    """Returns the default argument scope of Inception v3.

    Args:
      weight_decay: scale of the weight regularization.
      batch_norm_var_collection: collection of the moving averages.
      batch_norm_decay, batch_norm_epsilon, updates_collections, use_fused_batchnorm: arguments of `batch_norm`.
    """
    return inception_arg_scope(
        weight_decay,
        batch_norm_var_collection,
        decay=batch_norm_decay,
        epsilon=batch_norm_epsilon,
        updates_collections=updates_collections,
        fused=use_fused_batchnorm,
    )
