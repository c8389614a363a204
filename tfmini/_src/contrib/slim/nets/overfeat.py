"""OverFeat, fast version: five convolutions and three pooling layers (https://arxiv.org/abs/1312.6229)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.pooling_layers import max_pool2d
from tfmini._src.contrib.slim.nets.alexnet import alexnet_v2, argument_scope, trunc_normal
from tfmini._src.contrib.slim.nets.logits_layer import classify, network_outputs
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Constant, Zeros
from tfmini._src.variables.variable_scope import variable_scope


def overfeat_arg_scope(weight_decay: float = 0.0005) -> dict[Any, Any]:
    """Returns the default argument scope of OverFeat.

    Args:
      weight_decay: scale of the weight regularization.
    """
    return argument_scope(weight_decay, Zeros())


@arguments_of(alexnet_v2, scope="overfeat")
def overfeat(
    inputs: Any,
    num_classes: Any,
    is_training: TensorLike,
    dropout_keep_prob: Any,
    spatial_squeeze: Any,
    scope: str | VariableScope | None,
) -> tuple:
    """Builds OverFeat; arguments and results as in `alexnet_v2`, for images [batch, 231, 231, channels]."""
    with variable_scope(scope, "overfeat", [inputs]) as sc:
        collection = sc.name + "_end_points"
        functions = [conv2d, fully_connected, max_pool2d]
        with arg_scope(functions, outputs_collections=collection):
            net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = max_pool2d(net, [2, 2], scope="pool1")
            net = conv2d(net, 256, [5, 5], padding="VALID", scope="conv2")
            net = max_pool2d(net, [2, 2], scope="pool2")
            net = conv2d(net, 512, [3, 3], scope="conv3")
            net = conv2d(net, 1024, [3, 3], scope="conv4")
            net = conv2d(net, 1024, [3, 3], scope="conv5")
            net = max_pool2d(net, [2, 2], scope="pool5")
            with arg_scope(
                [conv2d],
                weights_initializer=trunc_normal(0.005),
                biases_initializer=Constant(0.1),
            ):
                net = classify(
                    *(net, 6, 3072, num_classes, dropout_keep_prob, is_training),
                    biases_initializer=Zeros(),
                )
            return network_outputs(net, collection, sc.name, spatial_squeeze)
