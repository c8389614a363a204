"""Feeds: validates a feed_dict and converts its values to arrays of the tensors' dtypes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.dtypes import DType, as_dtype
from tfmini._src.base.error_hints import add_hint, copy_hint
from tfmini._src.base.errors import InternalError, invalid
from tfmini._src.base.nest.shallow import flatten_dict_items
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops.operands import PLACES, c_name
from tfmini._src.ops.state.session_handle_ops import stored_tensors
from tfmini._src.session.device_feeds import DeviceFeed, is_on_device
from tfmini._src.session.fetches import find_conversion
from tfmini._src.session.tensor_handles import TensorHandle

if TYPE_CHECKING:
    from tfmini._src.executor.state.resources import Resources

_NESTED_TYPES = (tuple, list, dict)


def raise_shape_error(tensor: Tensor, array: np.ndarray) -> None:
    """Raises ValueError for an array whose shape does not match the fed tensor's."""
    feed_error = ValueError(
        f"Cannot feed value of shape {array.shape!r} for Tensor {tensor.name!r}, which has shape "
        f"{str(tensor.shape)!r}"
    )
    if _reshapes_to(array.shape, tensor._dims or ()):
        dims = [-1 if dim is None else dim for dim in tensor._dims or ()]
        add_hint(feed_error, f"np.reshape(value, {dims}) has that shape.")
    raise feed_error


def _reshapes_to(fed_dims: tuple[int, ...], dims: tuple[int | None, ...]) -> bool:
    """Whether a reshape would make the feed fit: the same examples with a different rank, or one example as a batch."""
    same_rank = len(fed_dims) == len(dims)  # the dimensions may only be permuted
    if dims.count(None) > 1 or same_rank and fed_dims[:1] in ((1,), dims[:1]):
        return False
    size = math.prod(dim for dim in dims if dim is not None)
    if None not in dims:
        return not same_rank and math.prod(fed_dims) == size
    if not size or math.prod(fed_dims) % size:
        return False
    batch = math.prod(fed_dims) // size if dims[0] is None else dims[0]
    return batch == 1 or not same_rank and batch == fed_dims[0]


def feed_pairs(
    graph: Graph,
    feed_dict: FeedDict,
    resources: Resources,
    on_shape_mismatch: Callable[[Tensor, np.ndarray], None] = raise_shape_error,
) -> list[tuple[Tensor, Any]]:
    """Returns (tensor, array) for each feed.

    Args:
      graph: the session's graph.
      feed_dict: values keyed by tensor, name, or structure of these.
      resources: the session's resources, which resolve fed tensor handles.
      on_shape_mismatch: called with a tensor and an array of a different shape.

    Raises:
      TypeError: for a key that is not a tensor, or a value that is a Tensor or has the wrong type.
      ValueError: for a value with the wrong shape, or a tensor that cannot be fed.
    """
    pairs: list[tuple[Tensor, Any]] = []
    for key, value in (feed_dict if _is_flat(feed_dict) else flatten_dict_items(feed_dict)).items():
        if key.__class__ is Tensor:
            array = _array(graph, key, value, key, value, len(pairs), resources, on_shape_mismatch)
            pairs.append((key, array))
            continue
        feed = find_conversion(key)[2]
        if feed is None:
            raise TypeError(f"Feed argument {key!r} has invalid type {type(key)!r}")
        for part, part_value in feed(key, value):
            try:
                tensor = graph.as_graph_element(part, allow_tensor=True, allow_operation=False)
            except (TypeError, ValueError, KeyError) as error:
                feed_error = TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}")
                raise copy_hint(feed_error, error) from None
            array = _array(
                graph, tensor, part_value, key, value, len(pairs), resources, on_shape_mismatch
            )
            pairs.append((tensor, array))
    return pairs


def _is_flat(feed_dict: FeedDict) -> bool:
    if not isinstance(feed_dict, dict):
        return False
    for key in feed_dict:
        if key.__class__ is not Tensor and isinstance(key, _NESTED_TYPES):
            return False
    return True


def _array(
    graph: Graph,
    tensor: Tensor,
    value: Any,
    key: object,
    original: object,
    position: int,
    resources: Resources,
    on_shape_mismatch: Callable[[Tensor, np.ndarray], None],
) -> Any:
    """Converts a value to an array of the tensor's dtype and checks its shape."""
    if tensor.op.graph is not graph:
        raise TypeError(
            f"Cannot interpret feed_dict key as Tensor: Tensor {tensor} is not an element of this graph."
        )
    dtype = tensor._dtype.base_dtype
    if value.__class__ is not np.ndarray:
        if isinstance(value, Tensor):
            raise TypeError(
                "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include Python "
                "scalars, strings, lists, numpy ndarrays, or TensorHandles. For reference, the tensor object was "
                f"{original} which was passed to the feed with key {key}."
            )
        if is_on_device(value):
            return DeviceFeed(value)
        if value.__class__ is TensorHandle:
            return _handle_value(graph, tensor, value, position, resources)
        array = _convert(tensor, dtype, value)
    elif dtype.is_floating and value.dtype is dtype.numpy and value.flags.aligned:
        array = value
    else:
        array = _convert(tensor, dtype, value)
    dims = tensor._dims
    if dims is not None and array.shape != dims and not _fits(dims, array.shape):
        on_shape_mismatch(tensor, array)
    if dtype is dtypes.string:
        array = _encode_strings(array)
    if graph._unfeedable and not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return array[()] if array.ndim == 0 else array


def _convert(tensor: Tensor, dtype: DType, value: object) -> np.ndarray:
    """Converts a value to an array of a dtype; for strings, to an object array."""
    numpy_dtype = dtype.as_numpy_dtype
    if isinstance(value, int):
        _check_int(value, object if dtype is dtypes.string else numpy_dtype)
    if dtype is dtypes.string:
        return np.asarray(value, object)
    try:
        array = (
            np.array(value, numpy_dtype)
            if numpy_dtype in PLACES
            else np.asarray(value, numpy_dtype)
        )
        # Kernels read only complete elements.
        return array if array.flags.aligned else array.copy()
    except ValueError as error:
        if "inhomogeneous" in str(error):
            add_hint(
                error,
                f"the value fed to '{tensor.name}' has rows of different lengths. Pad them to equal length.",
            )
        raise
    except OverflowError:
        integers = np.asarray(value)
        if integers.dtype.kind != "i":
            raise OverflowError("Python int too large to convert to C long") from None
        return integers.astype(numpy_dtype)  # wraps around


def _handle_value(
    graph: Graph, tensor: Tensor, handle: TensorHandle, position: int, resources: Resources
) -> Any:
    """Returns the tensor behind a fed handle, without a shape check."""
    if handle._session._remote is None:
        stored = stored_tensors(resources).find(handle.handle.encode())
    else:
        stored = handle.eval()  # round trip through the client
    actual, expected = as_dtype(stored.dtype), tensor.dtype.base_dtype
    if actual is not expected:
        invalid(
            f"Expects arg[{position}] to be {c_name(expected)} but {c_name(actual)} is provided"
        )
    if graph._unfeedable and not graph.is_feedable(tensor):
        raise ValueError(f"Tensor {tensor} may not be fed.")
    return DeviceFeed(stored, any_shape=True) if is_on_device(stored) else stored


def _check_int(value: int, numpy_type: type) -> None:
    python_type = float if numpy_type is not object and issubclass(numpy_type, np.floating) else int
    try:
        fits = numpy_type is not object and python_type(numpy_type(value)) == python_type(value)
    except OverflowError:
        if python_type is float:
            raise
        if not -(2**63) <= value < (2**64 if numpy_type in (np.uint32, np.uint64) else 2**63):
            raise OverflowError("Python int too large to convert to C long") from None
        fits = False
    if not fits:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor type "
            f"{numpy_type}. Try explicitly setting the type of the feed tensor to a larger type (e.g. int64)."
        )


def _encode_strings(array: np.ndarray) -> np.ndarray:
    """Converts an object array to an object array of bytes."""
    items = array.reshape(-1).tolist()
    types = set(map(type, items))
    if types == {bytes}:
        return array.copy()
    for item in () if types == {str} else items:
        if not isinstance(item, str | bytes):
            type_name = type(item).__name__
            raise InternalError(None, None, f"Unsupported object type {type_name}")
    result = np.empty(array.shape, object)
    result.reshape(-1)[:] = [v.encode() if isinstance(v, str) else bytes(v) for v in items]
    return result


def _fits(dims: tuple[int | None, ...], shape: tuple[int, ...]) -> bool:
    if len(dims) != len(shape):
        return False
    for dim, size in zip(dims, shape):
        if dim != size and dim is not None:
            return False
    return True


def fed_value(
    tensor: Tensor, value: Any, pairs: Sequence[tuple[Tensor, Any]], feed_dict: FeedDict | None
) -> Any:
    """Returns the fetched value of a fed tensor: the fed array, with strings in their original form."""
    original = next(
        (v for key, v in (feed_dict or {}).items() if key is tensor or key == tensor.name), None
    )
    if original.__class__ is np.ndarray and original.dtype == tensor.dtype.as_numpy_dtype:
        return original
    array = next(array for fed, array in reversed(pairs) if fed is tensor)
    if isinstance(array, np.ndarray) and array.dtype != object:
        return array
    if original.__class__ is TensorHandle:
        return value
    if original is not None and (value.__class__ is bytes or value.dtype == object):
        return np.array(original, object)
    return np.asarray(value)
