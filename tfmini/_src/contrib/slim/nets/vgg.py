"""VGG networks with 11, 16 and 19 layers of small filters (https://arxiv.org/abs/1409.1556)."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.layer_stacks import repeat
from tfmini._src.contrib.layers.pooling_layers import max_pool2d
from tfmini._src.contrib.layers.regularizers import l2_regularizer
from tfmini._src.contrib.slim.nets.alexnet import alexnet_v2
from tfmini._src.contrib.slim.nets.logits_layer import classify, network_outputs
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.initializers import Zeros
from tfmini._src.variables.variable_scope import variable_scope


def vgg_arg_scope(weight_decay: float = 0.0005) -> dict[Any, Any]:
    """Returns the default argument scope of VGG networks.

    Args:
      weight_decay: scale of the weight regularization.
    """
    with arg_scope(
        [conv2d, fully_connected],
        activation_fn=relu,
        weights_regularizer=l2_regularizer(weight_decay),
        biases_initializer=Zeros(),
    ):
        with arg_scope([conv2d], padding="SAME") as scope:
            return scope


def _vgg(
    repetitions: tuple[int, ...],
    default: str,
    functions: list,
    by_name: bool,
    inputs: Any,
    num_classes: int,
    is_training: Any,
    keep_prob: Any,
    spatial_squeeze: bool,
    scope: Any,
) -> tuple:
    with variable_scope(scope, default, [inputs]) as sc:
        collection = (sc.name if by_name else sc.original_name_scope) + "_end_points"
        with arg_scope(functions, outputs_collections=collection):
            net = inputs
            for index, (times, depth) in enumerate(zip(repetitions, (64, 128, 256, 512, 512)), 1):
                net = repeat(net, times, conv2d, depth, [3, 3], scope=f"conv{index}")
                net = max_pool2d(net, [2, 2], scope=f"pool{index}")
            net = classify(net, 7, 4096, num_classes, keep_prob, is_training)
            return network_outputs(net, collection, sc.name, spatial_squeeze)


@arguments_of(alexnet_v2, scope="vgg_16")
def vgg_16(*args: Any) -> tuple:
    """Builds a VGG network with 16 layers; arguments and results as in `alexnet_v2`.

    Example:
      with slim.arg_scope(vgg.vgg_arg_scope()):
          logits, end_points = vgg.vgg_16(images)
    """
    functions = [conv2d, fully_connected, max_pool2d]
    return _vgg((2, 2, 3, 3, 3), "vgg_16", functions, False, *args)


@arguments_of(vgg_16, scope="vgg_a")
def vgg_a(*args: Any) -> tuple:
    """Builds a VGG network with 11 layers; see `vgg_16`."""
    return _vgg((1, 1, 2, 2, 2), "vgg_a", [conv2d, max_pool2d], False, *args)


@arguments_of(vgg_16, scope="vgg_19")
def vgg_19(*args: Any) -> tuple:
    """Builds a VGG network with 19 layers; see `vgg_16`."""
    functions = [conv2d, fully_connected, max_pool2d]
    return _vgg((2, 2, 4, 4, 4), "vgg_19", functions, True, *args)


for _network in (vgg_a, vgg_16, vgg_19):
    _network.default_image_size = 224  # type: ignore[attr-defined]

vgg_d = vgg_16
vgg_e = vgg_19
