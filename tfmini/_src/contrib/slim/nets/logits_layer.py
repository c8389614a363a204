"""Final layers of ImageNet networks: fully connected layers as convolutions, dropout and end points."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.named_outputs import convert_collection_to_dict
from tfmini._src.contrib.layers.parameterless_layers import dropout
from tfmini._src.ops import ops


def classify(
    net: Any,
    window: int,
    units: int,
    num_classes: int,
    keep_prob: Any,
    is_training: Any,
    **last: Any,
) -> Any:
    """Returns logits [batch, 1, 1, num_classes] of feature maps with the size of the window."""
    net = conv2d(net, units, [window, window], padding="VALID", scope="fc6")
    net = dropout(net, keep_prob, is_training=is_training, scope="dropout6")
    net = conv2d(net, 4096, [1, 1], scope="fc7")
    net = dropout(net, keep_prob, is_training=is_training, scope="dropout7")
    return conv2d(
        *(net, num_classes, [1, 1]),
        activation_fn=None,
        normalizer_fn=None,
        scope="fc8",
        **last,
    )


def network_outputs(
    net: Any, collection: str, scope: str, spatial_squeeze: bool
) -> tuple[Any, OrderedDict]:
    """Returns (logits, squeezed if requested; a dict of layer outputs by name)."""
    end_points = convert_collection_to_dict(collection)
    if spatial_squeeze:
        net = ops.squeeze(net, [1, 2], name="fc8/squeezed")
        end_points[scope + "/fc8"] = net
    return net, end_points
