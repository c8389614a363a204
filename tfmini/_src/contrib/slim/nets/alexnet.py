"""AlexNet, version 2: five convolutions and three pooling layers (https://arxiv.org/abs/1404.5997)."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.pooling_layers import max_pool2d
from tfmini._src.contrib.layers.regularizers import l2_regularizer
from tfmini._src.contrib.slim.nets.branch_builder import trunc_normal
from tfmini._src.contrib.slim.nets.logits_layer import classify, network_outputs
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.initializers import Constant, Initializer, Zeros
from tfmini._src.variables.variable_scope import variable_scope


def alexnet_v2_arg_scope(weight_decay: float = 0.0005) -> dict[Any, Any]:
    """Returns the default argument scope of AlexNet.

    Args:
      weight_decay: scale of the weight regularization.
    """
    return argument_scope(weight_decay, Constant(0.1))


def argument_scope(weight_decay: float, biases_initializer: Initializer) -> dict:
    """Returns the argument scope with weight decay, ReLU, padded convolutions and unpadded pooling."""
    with arg_scope(
        [conv2d, fully_connected],
        activation_fn=relu,
        biases_initializer=biases_initializer,
        weights_regularizer=l2_regularizer(weight_decay),
    ):
        with arg_scope([conv2d], padding="SAME"):
            with arg_scope([max_pool2d], padding="VALID") as scope:
                return scope


def alexnet_v2(
    inputs: TensorLike,
    num_classes: int = 1000,
    is_training: TensorLike = True,
    dropout_keep_prob: TensorLike = 0.5,
    spatial_squeeze: bool = True,
    scope: str | VariableScope | None = "alexnet_v2",
) -> tuple[Any, ...]:
    """Builds AlexNet.

    Args:
      inputs: images, [batch, 224, 224, channels].
      num_classes: number of classes.
      is_training: whether to apply dropout.
      dropout_keep_prob: fraction of elements kept by dropout.
      spatial_squeeze: whether to drop the logits' axes of size 1; otherwise larger images yield a map of logits.
      scope: variable scope name.

    Returns:
      (the logits, [batch, num_classes]; a dict of layer outputs by name).
    """
    with variable_scope(scope, "alexnet_v2", [inputs]) as sc:
        collection = sc.original_name_scope + "_end_points"
        functions = [conv2d, fully_connected, max_pool2d]
        with arg_scope(functions, outputs_collections=[collection]):
            net = conv2d(inputs, 64, [11, 11], 4, padding="VALID", scope="conv1")
            net = max_pool2d(net, [3, 3], 2, scope="pool1")
            net = conv2d(net, 192, [5, 5], scope="conv2")
            net = max_pool2d(net, [3, 3], 2, scope="pool2")
            net = conv2d(net, 384, [3, 3], scope="conv3")
            net = conv2d(net, 384, [3, 3], scope="conv4")
            net = conv2d(net, 256, [3, 3], scope="conv5")
            net = max_pool2d(net, [3, 3], 2, scope="pool5")
            with arg_scope(
                [conv2d],
                weights_initializer=trunc_normal(0.005),
                biases_initializer=Constant(0.1),
            ):
                net = classify(
                    *(net, 5, 4096, num_classes, dropout_keep_prob, is_training),
                    biases_initializer=Zeros(),
                )
            return network_outputs(net, collection, sc.name, spatial_squeeze)


alexnet_v2.default_image_size = 224  # type: ignore[attr-defined]
