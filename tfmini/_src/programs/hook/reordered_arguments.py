"""Argument orders from before TensorFlow 1.0, recognized by a call's arguments.

Each function takes a call's arguments and returns them by their current names, or None if the call is, or may be, in
1.15's order.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

import numpy as np

Arguments = dict[str, Any]


def _argument_rank(value: Any) -> int | None:
    """Returns the rank of a tensor argument, at least 1 for a list; None if unknown."""
    if isinstance(value, (bool, numbers.Number, np.generic)):
        return 0
    if isinstance(value, (list, tuple)):
        return 1
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return len(shape)
    return getattr(shape, "ndims", None)


def _bind(names: str, args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """Binds arguments to these names, in order; None if the call does not fit."""
    order = Signature([Parameter(n, Parameter.POSITIONAL_OR_KEYWORD) for n in names.split()])
    try:
        return dict(order.bind_partial(*args, **kwargs).arguments)
    except TypeError:
        return None


def concat(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`tf.concat(concat_dim, values)`: the axis is a scalar, the values are a list or have a rank."""
    bound = _bind("concat_dim values name", args, kwargs)
    if bound is None or not {"concat_dim", "values"} <= bound.keys():
        return None
    if "concat_dim" not in kwargs and (
        _argument_rank(bound["concat_dim"]) != 0 or not _argument_rank(bound["values"])
    ):
        return None
    return {"axis": bound.pop("concat_dim"), **bound}


def split(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`tf.split(split_dim, num_split, value)`: a scalar cannot be split, and a tensor cannot be an axis."""
    bound = _bind("split_dim num_split value name", args, kwargs)
    if bound is None or not {"split_dim", "num_split", "value"} <= bound.keys():
        return None
    by_name = not {"split_dim", "num_split"}.isdisjoint(kwargs)
    if not by_name and (
        _argument_rank(bound["split_dim"]) != 0 or _argument_rank(bound["value"]) == 0
    ):
        return None
    return {
        "axis": bound.pop("split_dim"),
        "num_or_size_splits": bound.pop("num_split"),
        **bound,
    }


def reverse(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`tf.reverse(tensor, dims)`: one bool per axis; 1.15 takes axis indices."""
    bound = _bind("tensor dims name", args, kwargs)
    if bound is None or "dims" not in bound:
        return None
    dims = bound.pop("dims")
    if not isinstance(dims, (list, tuple, np.ndarray)):
        return None
    if not len(dims) or not all(isinstance(dim, (bool, np.bool_)) for dim in dims):
        return None
    return {**bound, "axis": [axis for axis, is_reversed in enumerate(dims) if is_reversed]}


def _logits_first(parameters: str) -> Callable[[tuple, Mapping[str, Any]], Arguments | None]:
    """`f(logits, labels)`: a positional call uses the old order, since 1.15 accepts neither by position."""

    def bound_arguments(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
        bound = _bind(f"logits labels {parameters}", args, kwargs) if args else None
        return bound if bound is not None and {"logits", "labels"} <= bound.keys() else None

    return bound_arguments


def sigmoid(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`sigmoid_cross_entropy_with_logits(logits, targets)`; also accepts `targets` by its old name."""
    if "targets" in kwargs:
        bound = _bind("logits targets name", args, kwargs)
        return bound and {"labels": bound.pop("targets"), **bound}
    return _logits_first("name")(args, kwargs)


def nce_loss(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`nce_loss(weights, biases, inputs, labels, ...)`: labels are integers, inputs are not."""
    if len(args) < 4 or not (_has_integer_dtype(args[3]) and _has_integer_dtype(args[2]) is False):
        return None
    names = "weights biases inputs labels num_sampled num_classes num_true sampled_values"
    return _bind(f"{names} remove_accidental_hits partition_strategy name", args, kwargs)


def _has_integer_dtype(value: Any) -> bool | None:
    """Whether a tensor or array has an integer dtype; None without a dtype."""
    dtype = getattr(value, "dtype", None)
    if isinstance(dtype, np.dtype):
        return dtype.kind in "iu"
    return getattr(dtype, "is_integer", None)


def resize_images(args: tuple, kwargs: Mapping[str, Any]) -> Arguments | None:
    """`resize_images(images, new_height, new_width)`: in 1.15, size is a list or a vector."""
    bound = _bind("images new_height new_width method align_corners", args, kwargs)
    if bound is None or not {"new_height", "new_width"} <= bound.keys():
        return None
    if "new_height" not in kwargs and _argument_rank(bound["new_height"]) != 0:
        return None
    return {"size": [bound.pop("new_height"), bound.pop("new_width")], **bound}


ORDERS = {
    "concat": concat,
    "split": split,
    "reverse": reverse,
    "image.resize_images": resize_images,
    "nn.nce_loss": nce_loss,
    "nn.sampled_softmax_loss": nce_loss,
    "nn.sigmoid_cross_entropy_with_logits": sigmoid,
    "nn.softmax_cross_entropy_with_logits": _logits_first("dim name"),
    "nn.sparse_softmax_cross_entropy_with_logits": _logits_first("name"),
}
