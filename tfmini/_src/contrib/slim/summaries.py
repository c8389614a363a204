"""Summaries of tensors, named after the operations that produce them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfmini._src.graph.collections import add_to_collection
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.ops.checks.printing import Print
from tfmini._src.ops.summaries.image_summary import image
from tfmini._src.ops.summaries.scalar_histogram_summary import histogram, scalar


def _name(tensor: Tensor, name: str | None, prefix: str | None, postfix: str | None = None) -> str:
    parts = (prefix, name or tensor.op.name, postfix)
    return "/".join(part for part in parts if part)


def _print_summary(summary: Any, tensor: Tensor, name: str) -> Any:
    """Returns the summary, which also prints its tensor when evaluated."""
    printed = Print(summary, [tensor], name)
    add_to_collection(GraphKeys.SUMMARIES, printed)
    return printed


def add_histogram_summary(
    tensor: Tensor, name: str | None = None, prefix: str | None = None
) -> Any:
    """Returns a histogram summary of a tensor, named `prefix/name`, by default after its operation."""
    return histogram(_name(tensor, name, prefix), tensor)


def add_image_summary(
    tensor: Tensor, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns a summary of images [batch, height, width, channels], named `prefix/name`, optionally printed."""
    summary_name = _name(tensor, name, prefix)
    summary = image(name=summary_name, tensor=tensor, collections=[] if print_summary else None)
    return _print_summary(summary, tensor, summary_name) if print_summary else summary


def add_scalar_summary(
    tensor: Tensor, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns a scalar summary, named `prefix/name`, optionally printed."""
    summary_name = _name(tensor, name, prefix)
    summary = scalar(name=summary_name, tensor=tensor, collections=[] if print_summary else None)
    return _print_summary(summary, tensor, summary_name) if print_summary else summary


def add_zero_fraction_summary(
    tensor: Tensor, name: str | None = None, prefix: str | None = None, print_summary: bool = False
) -> Any:
    """Returns a summary of the fraction of zeros in a tensor, named `prefix/name/Fraction_of_Zero_Values`."""
    name = _name(tensor, name, prefix, "Fraction_of_Zero_Values")
    return add_scalar_summary(ops.zero_fraction(tensor), name, print_summary=print_summary)


def add_histogram_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds a histogram summary of each tensor; returns the list of summaries."""
    return [add_histogram_summary(tensor, prefix=prefix) for tensor in tensors]


def add_image_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds an image summary of each tensor; returns the list of summaries."""
    return [add_image_summary(tensor, prefix=prefix) for tensor in tensors]


def add_scalar_summaries(
    tensors: Iterable[Any], prefix: str | None = None, print_summary: bool = False
) -> list[Any]:
    """Adds a scalar summary of each tensor; returns the list of summaries."""
    return [
        add_scalar_summary(tensor, prefix=prefix, print_summary=print_summary) for tensor in tensors
    ]


def add_zero_fraction_summaries(tensors: Iterable[Any], prefix: str | None = None) -> list[Any]:
    """Adds a zero fraction summary of each tensor; returns the list of summaries."""
    return [add_zero_fraction_summary(tensor, prefix=prefix) for tensor in tensors]
