"""Graph rewrites for 8-bit quantization: for training, and for evaluation and export."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.quantize.fold_fused_batch_norm import fold_fused_norms
from tfmini._src.contrib.quantize.fold_unfused_batch_norm import fold_plain_norms
from tfmini._src.contrib.quantize.quantize import quantize
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph

_DENSE_UPDATES = (
    *("Adagrad", "AdagradDA", "Adam", "AddSign", "CenteredRMSProp", "Ftrl", "FtrlV2"),
    *("GradientDescent", "Momentum", "PowerSign", "ProximalAdagrad", "ProximalGradientDescent"),
    "RMSProp",
)
_SPARSE_UPDATES = (
    "Adadelta",
    *(name for name in _DENSE_UPDATES if name not in ("Adam", "AddSign", "PowerSign")),
)
_TRAINING_OPS = {
    *(f"Apply{name}" for name in _DENSE_UPDATES),
    *(f"ResourceApply{name}" for name in (*_DENSE_UPDATES, "Adadelta")),
    *(f"{kind}Apply{name}" for kind in ("Sparse", "ResourceSparse") for name in _SPARSE_UPDATES),
} - {"SparseApplyGradientDescent", "ResourceSparseApplyGradientDescent"}


def create_training_graph(input_graph: Graph | None = None, quant_delay: int = 0) -> None:
    """Rewrites a graph in place for quantization-aware training of 8-bit weights and activations.

    Call it after building the model and its loss, before an optimizer. Weight ranges are the current ones, activation
    ranges are moving averages.

    Args:
      input_graph: the graph, by default the default graph.
      quant_delay: number of training steps before quantization.

    Raises:
      ValueError: if the graph contains an optimizer or cannot be rewritten.

    Example:
      tf.contrib.quantize.create_training_graph(quant_delay=2000000)
      train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    """
    _rewrite(input_graph, training=True, quant_delay=quant_delay)


def create_eval_graph(input_graph: Graph | None = None) -> None:
    """Rewrites a graph in place for evaluation and export, with the ranges learned in training.

    Args:
      input_graph: the graph, by default the default graph.

    Raises:
      ValueError: if the graph contains an optimizer or cannot be rewritten.
    """
    _rewrite(input_graph, training=False)


def experimental_create_training_graph(
    input_graph: Graph | None = None,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    quant_delay: int | None = 0,
    freeze_bn_delay: int | None = None,
    scope: str | None = None,
) -> None:
    """Calls `create_training_graph` with more options.

    Args:
      input_graph: the graph, by default the default graph.
      weight_bits: number of bits for weights.
      activation_bits: number of bits for activations.
      symmetric: whether ranges are symmetric about 0.
      quant_delay: number of training steps before quantization, or None.
      freeze_bn_delay: number of steps before batch normalization uses moving averages; None for never.
      scope: name scope to rewrite; None for the whole graph.

    Raises:
      ValueError: if the graph contains an optimizer or cannot be rewritten.
    """
    _rewrite(
        input_graph,
        True,
        weight_bits,
        activation_bits,
        symmetric,
        quant_delay,
        freeze_bn_delay,
        scope,
    )


@arguments_of(experimental_create_training_graph, "freeze_bn_delay", quant_delay=None)
def experimental_create_eval_graph(input_graph: Graph | None, **kwargs: Any) -> None:
    """Calls `create_eval_graph` with more options; takes the arguments of `experimental_create_training_graph`.

    Raises:
      ValueError: if the graph contains an optimizer or cannot be rewritten.
    """
    _rewrite(input_graph, False, **kwargs)


def _rewrite(
    graph: Graph | None,
    training: bool,
    weight_bits: int = 8,
    activation_bits: int = 8,
    symmetric: bool = False,
    quant_delay: int | None = None,
    freeze_bn_delay: int | None = None,
    scope: str | None = None,
) -> None:
    graph = get_default_graph() if graph is None else graph
    training_ops = {op.type for op in graph.get_operations()} & _TRAINING_OPS
    if training_ops:
        raise ValueError(f"Training op found in graph, exiting {training_ops}")
    with graph.as_default():
        fold_fused_norms(graph, freeze_bn_delay)
        fold_plain_norms(graph, training, freeze_bn_delay)
        quantize(graph, training, weight_bits, activation_bits, symmetric, quant_delay, scope)
