"""Tensors collected under aliases; static sizes and tuples of sizes for layers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base.shapes import TensorShape
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.scopes import add_to_collections, get_collection
from tfmini._src.graph.static_values import get_static_value
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.variables.variable import Variable


class NamedOutputs(NamedTuple):
    """Outputs, and the alias they are known by."""

    name: str
    outputs: Any


def collect_named_outputs(collections: Any, alias: str, outputs: Any) -> Any:
    """`outputs`, put into collections under the name `alias`.

    Args:
      collections: a key or keys of collections; None for none.
      alias: a name; a slash at its end is left out.
      outputs: a tensor.

    Example:
      slim.utils.collect_named_outputs("end_points", "vgg/conv1", net)
    """
    if collections:
        append_tensor_alias(outputs, alias)
        add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """`tensor`, with `alias` appended to its list `aliases`."""
    tensor.aliases = [*getattr(tensor, "aliases", []), alias.removesuffix("/")]
    return tensor


def gather_tensors_aliases(tensors: Any) -> list[str]:
    """Aliases of all the tensors, in one list."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def get_tensor_aliases(tensor: Any) -> list[str]:
    """A tensor's `aliases`; else its name, without ":0"."""
    if hasattr(tensor, "aliases"):
        return tensor.aliases
    return [tensor.name.removesuffix(":0")]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> OrderedDict:
    """Tensors of a collection by alias, in insertion order.

    Args:
      collection: its key.
      clear_collection: whether to empty it.
    """
    found = get_collection(collection)
    result = OrderedDict((alias, x) for x in found for alias in get_tensor_aliases(x))
    if clear_collection:
        get_default_graph().clear_collection(collection)
    return result


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Static value of a tensor, None if unknown; a value that is no tensor or variable is returned as is.

    Raises:
      ValueError: for None, or a tensor of another dtype than `dtype`.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None")
    if not isinstance(value, (Tensor, Variable)):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"It has the wrong type {value.dtype} instead of {dtype}")
    return None if isinstance(value, Variable) else get_static_value(value)


def static_cond(pred: Any, fn1: Callable, fn2: Callable) -> Any:
    """`fn1()` if `pred` is true, else `fn2()`.

    Raises:
      TypeError: if one of them cannot be called.
    """
    if not callable(fn1):
        raise TypeError("fn1 must be callable.")
    if not callable(fn2):
        raise TypeError("fn2 must be callable.")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable, fn2: Callable, name: str | None = None) -> Any:
    """`fn1()` or `fn2()` if `pred` is statically known, else `tf.cond`."""
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return ops.cond(pred, fn1, fn2, name)  # type: ignore[arg-type]  # for `strict`, as TensorFlow


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """Collections for a variable: in a dict those under its name, else all."""
    if isinstance(variables_collections, dict):
        return variables_collections.get(name, None)
    return variables_collections


def channel_dimension(shape: TensorShape, data_format: str, min_rank: int = 1) -> int:
    """The number of channels; raises ValueError if it is unknown."""
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def last_dimension(shape: TensorShape, min_rank: int = 1) -> int:
    """The size of the last axis; raises ValueError if it is unknown."""
    return _dimension(shape, -1, min_rank)


def _dimension(shape: TensorShape, axis: int, min_rank: int) -> int:
    dims = shape.dims
    if dims is None:
        raise ValueError("dims of shape must be known but is None")
    if len(dims) < min_rank:
        raise ValueError(f"rank of shape must be at least {min_rank} not: {len(dims)}")
    value = dims[axis].value
    if value is None:
        raise ValueError(f"dimension {axis} of shape must be known but is None: {shape}")
    return value


def two_element_tuple(int_or_tuple: Any) -> tuple:
    """A pair of numbers, from one number or two; raises ValueError for anything else."""
    if isinstance(int_or_tuple, (list, tuple)):
        if len(int_or_tuple) != 2:
            raise ValueError(f"Must be a list with 2 elements: {int_or_tuple}")
        return int(int_or_tuple[0]), int(int_or_tuple[1])
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, TensorShape) and len(int_or_tuple) == 2:
        return int_or_tuple[0], int_or_tuple[1]
    raise ValueError("Must be an int, a list with 2 elements or a TensorShape of length 2")


def n_positive_integers(n: Any, value: Any) -> tuple[int, ...]:
    """n positive numbers, from one number or n; raises ValueError for anything else."""
    count = int(n)
    if count < 1 or count != n:
        raise ValueError("n must be a positive integer")
    try:
        values = (int(value),) * count
    except (TypeError, ValueError):
        text = f"Expected sequence of {count} positive integers, but received {value!r}"
        if len(value) != count:
            raise ValueError(text) from None
        try:
            values = tuple(int(x) for x in value)
        except (TypeError, ValueError):
            raise ValueError(text) from None
    for x in values:
        if x < 1:
            raise ValueError(f"expected positive integer, but received {x}")
    return values
