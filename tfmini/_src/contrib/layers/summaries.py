"""Summaries of layers' collected outputs, tensors and variables."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram, scalar
from tfmini._src.variables.variable import Variable


def _scalar_summary(tensor: Any, tag: str | None = None) -> Tensor:
    tensor.shape.assert_has_rank(0)
    return scalar(tag or f"{tensor.op.name}_summary", tensor)


def _distribution(tensor: Any, tag: str | None = None) -> Tensor:
    return histogram(tag or f"{tensor.op.name}_summary", tensor)


def _summarize_fraction(compare: Callable, tensor: Tensor, limit: float, tag: str) -> None:
    """Adds a summary of the fraction of an activation's inputs beyond a limit."""
    op_input = tensor.op.inputs[0]
    is_beyond = compare(op_input, ops.cast(limit, op_input.dtype))
    _scalar_summary(ops.reduce_mean(ops.to_float(is_beyond)), f"{tensor.op.name}/{tag}")


def summarize_activation(op: Tensor) -> Tensor:
    """Adds summaries of an activation: a histogram, and for ReLU and softplus the fraction of inputs below 0.

    Args:
      op: a tensor; for the output of `tf.nn.relu6`, inputs above 6 are also summarized.

    Returns:
      The histogram's summary, a string tensor; other summaries are only in the collection SUMMARIES.

    Example:
      tf.contrib.layers.summarize_activation(tf.nn.relu(x))
    """
    if op.op.type in ("Relu", "Softplus", "Relu6"):
        _summarize_fraction(ops.less, op, 0.0, "zeros")
    if op.op.type == "Relu6":
        _summarize_fraction(ops.greater, op, 6.0, "sixes")
    return _distribution(op, f"{op.op.name}/activation")


def summarize_tensor(tensor: Tensor | Variable, tag: str | None = None) -> Tensor | None:
    """Summarizes a tensor: scalars by value, others by a histogram.

    Args:
      tensor: a tensor or variable.
      tag: summary name; by default the op name plus "_summary".

    Returns:
      A string tensor; None for strings and booleans.

    Example:
      tf.contrib.layers.summarize_tensor(loss)
    """
    if tensor.dtype.is_compatible_with(dtypes.string) or tensor.dtype.base_dtype == dtypes.bool:
        return None
    return _scalar_summary(tensor, tag) if tensor.shape.ndims == 0 else _distribution(tensor, tag)


def summarize_tensors(
    tensors: Iterable[Any], summarizer: Callable[..., Any] = summarize_tensor
) -> list[Any]:
    """Applies `summarizer` to each tensor; returns a list.

    Args:
      tensors: tensors or variables.
      summarizer: a function of a single tensor.
    """
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str,
    name_filter: str | None = None,
    summarizer: Callable[..., Any] = summarize_tensor,
) -> list[Any]:
    """Summarizes the tensors of a collection.

    Args:
      collection: the key of the collection.
      name_filter: a regular expression matched at the start of op names; None for all.
      summarizer: a function of a single tensor.

    Returns:
      A list of the results of `summarizer`.

    Example:
      tf.contrib.layers.summarize_collection("losses", "hidden.*")
    """
    tensors = get_collection(collection)
    if name_filter is not None:
        tensors = [tensor for tensor in tensors if re.match(name_filter, tensor.op.name)]
    return summarize_tensors(tensors, summarizer)


def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[..., Any] = summarize_activation
) -> list[Any]:
    """Summarizes the tensors of the collection ACTIVATIONS, the outputs of layers.

    Args:
      name_filter, summarizer: as in `summarize_collection`.

    Returns:
      A list of the results of `summarizer`.
    """
    return summarize_collection(GraphKeys.ACTIVATIONS, name_filter, summarizer)


summarize_variables = functools.partial(summarize_collection, GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, GraphKeys.BIASES)
