"""Input functions over numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.inputs.enqueue_rows import check_shuffle, dequeue, enqueue_rows


def numpy_input_fn(
    x: TensorLike,
    y: TensorLike | None = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int = 1000,
    num_threads: int = 1,
) -> Callable[[], Any]:
    """Returns an input function over arrays: threads enqueue rows, and each step dequeues a batch.

    Args:
      x: an array [rows, ...], or a dict of arrays by feature name.
      y: labels: None, an array or a dict of arrays with the same number of rows.
      batch_size: rows per batch.
      num_epochs: number of epochs; None to repeat forever.
      shuffle: whether to shuffle rows; required.
      queue_capacity: capacity of the queue in rows.
      num_threads: number of enqueuing threads; a single thread without `shuffle` preserves the order.

    Returns:
      A function that returns features (a tensor or a dict of tensors) or (features, labels).

    Raises:
      ValueError: if `shuffle` is missing; on call, for arrays of different lengths, no arrays, or a common
        name of `x` and `y`.
      TypeError: on call, if `x` is neither an array nor a dict.

    Example: `tf.estimator.inputs.numpy_input_fn({"x": images}, labels, num_epochs=None, shuffle=True)`.
    """
    check_shuffle(shuffle)

    def input_fn() -> Any:
        features, labels = _features(x), _labels(y)
        both = set(features) & set(labels) if isinstance(y, dict) else set()
        if both:
            raise ValueError(f"{len(both)} duplicate keys are found in both x and y: {both}")
        arrays = [*features.values(), *labels.values()]
        if len({array.shape[0] for array in arrays}) != 1:
            raise ValueError(_mismatch(features, y))
        queue = enqueue_rows(
            [dtypes.int64, *(array.dtype for array in arrays)],
            [(), *(array.shape[1:] for array in arrays)],
            arrays[0].shape[0],
            lambda rows: [rows, *(array[rows] for array in arrays)],
            queue_capacity,
            bool(shuffle),
            num_threads,
            batch_size,
            num_epochs,
        )
        batch = dequeue(queue, batch_size, num_epochs)[1:]  # without the row indices
        x_values = dict(zip(features, batch)) if isinstance(x, dict) else batch[0]
        if y is None:
            return x_values
        y_values = batch[len(features) :]
        return x_values, dict(zip(labels, y_values)) if isinstance(y, dict) else y_values[0]

    return input_fn


def _features(x: Any) -> dict[str, Any]:
    """Returns the arrays by name, in order."""
    if isinstance(x, dict):
        if not x:
            raise ValueError("x cannot be an empty dict")
        return dict(sorted(x.items()))
    if not isinstance(x, np.ndarray):
        raise TypeError(f"x must be a dict or array; got {type(x).__name__}")
    if x.size == 0:
        raise ValueError("x cannot be an empty array")
    return {"": x}


def _labels(y: Any) -> dict[str, Any]:
    if y is None:
        return {}
    if not isinstance(y, dict):
        return {"": y}
    if not y:
        raise ValueError("y cannot be empty dict, use None instead.")
    return dict(sorted(y.items()))


def _mismatch(features: dict[str, Any], y: Any) -> str:
    # A single array has the name that TensorFlow gives it.
    in_x = {name or "__direct_np_input__": array.shape for name, array in features.items()}
    in_y = (
        {name: y[name].shape for name in sorted(y)}
        if isinstance(y, dict)
        else getattr(y, "shape", None)
    )
    return (
        "Length of tensors in x and y is mismatched. All elements in x and y must have the same length.\n"
        f"Shapes in x: {in_x}\nShapes in y: {in_y}\n"
    )
