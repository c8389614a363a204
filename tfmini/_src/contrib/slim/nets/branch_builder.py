"""Branching networks built from tables: each entry is a layer, or a named group of branches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from tfmini._src.contrib.framework.arg_scope import arg_scope
from tfmini._src.contrib.layers.batch_norm import batch_norm
from tfmini._src.contrib.layers.convolution import convolution2d as conv2d
from tfmini._src.contrib.layers.fully_connected import fully_connected
from tfmini._src.contrib.layers.initializers import variance_scaling_initializer
from tfmini._src.contrib.layers.parameterless_layers import dropout
from tfmini._src.contrib.layers.pooling_layers import avg_pool2d, max_pool2d
from tfmini._src.contrib.layers.regularizers import l2_regularizer
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.ops import ops
from tfmini._src.ops.nn.activations import relu
from tfmini._src.variables.initializers import TruncatedNormal
from tfmini._src.variables.variable_scope import variable_scope

_LAYER = re.compile(
    r"(?P<name>\w+?_(?P<size>\d+x\d+))(\((?P<real>\d+x\d+)\))?( (?P<depth>\d+))?( /(?P<stride>\d))?"
    r"( (?P<padding>valid|same))?( ~(?P<deviation>[0-9.]+))?"
)


def trunc_normal(stddev: float) -> TruncatedNormal:
    """Returns a truncated normal initializer with mean 0, truncated at two standard deviations."""
    return TruncatedNormal(0.0, stddev)


def parse_table(table: str) -> Iterator[tuple[str, list[str]]]:
    """Parses a table into blocks: (a layer, []), or (a name, its branches).

    A layer is "Conv2d_0a_3x3 64 /2 valid ~0.1": its name, which ends with the window size (unless one follows in
    brackets), number of channels, stride, padding, and standard deviation of the initial weights. Commas separate the
    layers of a branch; a + separates layers with shared inputs and concatenated outputs.
    """
    name, branches = "", []
    for line in table.strip().splitlines():
        if line.startswith(" "):
            branches.append(line.strip())
            continue
        if name:
            yield name, branches
        name, branches = line.removesuffix(":"), []
    yield name, branches


def build_block(net: Any, block: str, branches: list[str], depth: Callable[[int], int]) -> Any:
    """Builds a block on the inputs `net`; `depth` maps channel numbers."""
    if not branches:
        return _layer(net, block, depth)
    with variable_scope(block):
        outputs = []
        for index, branch in enumerate(branches):
            with variable_scope(f"Branch_{index}"):
                outputs.append(_branch(net, branch, depth))
        return ops.concat(outputs, 3)


def _branch(net: Any, branch: str, depth: Callable[[int], int]) -> Any:
    for part in branch.split(", "):
        parallel_layers = [_layer(net, layer, depth) for layer in part.split(" + ")]
        net = parallel_layers[0] if len(parallel_layers) == 1 else ops.concat(parallel_layers, 3)
    return net


def _layer(net: Any, layer: str, depth: Callable[[int], int]) -> Any:
    match = _LAYER.fullmatch(layer)
    assert match, layer
    size = [int(side) for side in (match["real"] or match["size"]).split("x")]
    options: dict[str, Any] = {"scope": match["name"]}
    if match["stride"]:
        options["stride"] = int(match["stride"])
    if match["padding"]:
        options["padding"] = match["padding"].upper()
    if match["deviation"]:
        options["weights_initializer"] = trunc_normal(float(match["deviation"]))
    if match["depth"]:
        return conv2d(net, depth(int(match["depth"])), size, **options)
    return (max_pool2d if layer.startswith("Max") else avg_pool2d)(net, size, **options)


def reduced_kernel_size(net: Any, size: list[int]) -> list[int]:
    """Returns the kernel size, clipped to the static image size, if known."""
    rows, columns = net.shape.as_list()[1:3]
    return size if None in (rows, columns) else [min(rows, size[0]), min(columns, size[1])]


def depth_scaler(multiplier: float, minimum: int) -> Callable[[int], int]:
    """Returns a function that multiplies channel numbers by `multiplier`, but returns at least `minimum`."""
    if multiplier <= 0:
        raise ValueError("depth_multiplier is not greater than zero.")
    return lambda channels: max(int(channels * multiplier), minimum)


def add_logits(
    net: Any,
    end_points: dict,
    size: list[int],
    num_classes: int,
    keep_prob: Any,
    prediction_fn: Callable,
    spatial_squeeze: bool,
    features: str | None = None,
) -> Any:
    """Adds logits and predictions of averaged windows to `end_points`; `features` names their inputs there."""
    with variable_scope("Logits"):
        rows, columns = reduced_kernel_size(net, size)
        name = f"AvgPool_1a_{rows}x{columns}"
        net = avg_pool2d(net, [rows, columns], padding="VALID", scope=name)
        net = dropout(net, keep_prob=keep_prob, scope="Dropout_1b")
        if features is not None:
            end_points[features] = net
        plain: dict[str, Any] = {"activation_fn": None, "normalizer_fn": None}
        logits = conv2d(net, num_classes, [1, 1], scope="Conv2d_1c_1x1", **plain)
        if spatial_squeeze:
            logits = ops.squeeze(logits, [1, 2], name="SpatialSqueeze")
    end_points["Logits"] = logits
    end_points["Predictions"] = prediction_fn(logits, scope="Predictions")
    return logits


def inception_arg_scope(
    weight_decay: float, moving_averages: str, use_batch_norm: bool = True, **norm: Any
) -> dict:
    """Returns the argument scope of an Inception network; `norm` are additional arguments of `batch_norm`."""
    norm = {
        "decay": 0.9997,
        "epsilon": 0.001,
        "updates_collections": GraphKeys.UPDATE_OPS,
        "variables_collections": {
            "beta": None,
            "gamma": None,
            "moving_mean": [moving_averages],
            "moving_variance": [moving_averages],
        },
        **norm,
    }
    with arg_scope([conv2d, fully_connected], weights_regularizer=l2_regularizer(weight_decay)):
        with arg_scope(
            [conv2d],
            weights_initializer=variance_scaling_initializer(),
            activation_fn=relu,
            normalizer_fn=batch_norm if use_batch_norm else None,
            normalizer_params=norm if use_batch_norm else {},
        ) as scope:
            return scope
