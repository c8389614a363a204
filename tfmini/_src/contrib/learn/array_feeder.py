"""Feeds arrays in batches to a `tf.contrib.learn` Estimator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import undecorated
from tfmini._src.contrib.learn.pandas_io import extract_pandas_data, extract_pandas_labels
from tfmini._src.ops import ops


class ArrayFeeder:
    """Placeholders for arrays, and a function that feeds them in batches.

    Args:
      x: an array, or a dict of arrays.
      y: an array, a dict of arrays, or None.
      batch_size: number of rows per batch; by default all.
      shuffle: whether to shuffle rows in each epoch.
      epochs: number of epochs, unlimited if None.
    """

    def __init__(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None):
        x = undecorated(extract_pandas_data)(x)
        y = None if y is None else undecorated(extract_pandas_labels)(y)
        self._is_single = not isinstance(x, dict), not isinstance(y, dict)
        self._x = {k: np.asarray(v) for k, v in (x if isinstance(x, dict) else {"": x}).items()}
        self._y = None
        if y is not None:
            labels = y if isinstance(y, dict) else {"": y}
            self._y = {k: np.asarray(v) for k, v in labels.items()}
        if batch_size is not None and batch_size <= 0:
            raise ValueError(f"Invalid batch_size {batch_size}.")
        self._count = len(next(iter(self._x.values())))
        self._batch_size = self._count if batch_size is None else batch_size
        self._shuffle, self._epochs = shuffle, epochs
        self._random = np.random.RandomState(42)
        self._offset = self._epoch = 0
        self._rows = self._order()

    def _order(self) -> Any:
        return self._random.permutation(self._count) if self._shuffle else np.arange(self._count)

    def input_fn(self) -> tuple[Any, Any]:
        """Returns placeholders for features and labels."""
        self._fed_x = {k: _placeholder(v, "input", k, [1]) for k, v in self._x.items()}
        self._fed_y = None
        if self._y is not None:
            self._fed_y = {k: _placeholder(v, "output", k, []) for k, v in self._y.items()}
        x = self._fed_x[""] if self._is_single[0] else self._fed_x
        if self._fed_y is None:
            return x, None
        return x, self._fed_y[""] if self._is_single[1] else self._fed_y

    def feed_fn(self) -> dict[Any, Any]:
        """Returns the feed dict of the next batch; raises StopIteration after the last epoch."""
        if self._epochs is not None and self._epoch + 1 > self._epochs:
            raise StopIteration
        rows = self._rows[self._offset : self._offset + self._batch_size]
        feed = {
            self._fed_x[key].name: v[rows].reshape(-1, 1) if v.ndim == 1 else v[rows]
            for key, v in self._x.items()
        }
        self._offset += self._batch_size
        if self._offset >= self._count:
            self._rows, self._offset = self._order(), 0
            self._epoch += 1
        for key, tensor in (self._fed_y or {}).items():
            values: Any = self._y
            shape = [len(rows), *tensor.shape.as_list()[1:]]
            feed[tensor.name] = values[key][rows].reshape(shape)
        return feed


def _placeholder(array: Any, name: str, key: str, default_shape: list) -> Any:
    dtype = dtypes.as_dtype(array.dtype)
    if dtype == dtypes.float64:
        logs.warn("float64 is not supported by many models, consider casting to float32.")
    shape = list(array.shape[1:]) or default_shape
    if name == "output" and shape and shape[0] == 1:
        shape = shape[1:]
    return ops.placeholder(dtype, [None, *shape], name=f"{name}_{key}" if key else name)


def check_inputs(x: Any, y: Any, input_fn: Any, feed_fn: Any, batch_size: Any) -> None:
    """Raises ValueError unless either arrays or an input function are given."""
    if input_fn is not None:
        if x is not None or y is not None:
            raise ValueError("Can not provide both input_fn and x or y.")
        if batch_size is not None:
            raise ValueError("Can not provide both input_fn and batch_size.")
        return
    if x is None:
        raise ValueError("Either x or input_fn must be provided.")
    if hasattr(x, "graph") or hasattr(y, "graph"):
        raise ValueError("Inputs cannot be tensors. Please provide input_fn.")
    if feed_fn is not None:
        raise ValueError("Can not provide both feed_fn and x or y.")


def input_functions(
    x: Any,
    y: Any,
    input_fn: Any,
    feed_fn: Any,
    batch_size: int | None,
    shuffle: bool = False,
    epochs: int | None = 1,
) -> tuple[Callable, Any]:
    """Validates a method's input arguments; returns an input function and a feed function."""
    check_inputs(x, y, input_fn, feed_fn, batch_size)
    if input_fn is not None:
        return input_fn, feed_fn
    feeder = ArrayFeeder(x, y, batch_size, shuffle, epochs)
    return feeder.input_fn, feeder.feed_fn
