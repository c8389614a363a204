"""Input functions over pandas data frames; tfmini itself never imports pandas."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from typing import Any

import numpy as np

from tfmini._src.models.estimator.inputs.enqueue_rows import check_shuffle, dequeue, enqueue_rows


def pandas_input_fn(
    x: Any,
    y: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool | None = None,
    queue_capacity: int | None = 1000,
    num_threads: int = 1,
    target_column: str = "target",
) -> Callable[[], Any]:
    """Returns an input function over a DataFrame: threads enqueue rows, and each step dequeues a batch.

    Args:
      x: a DataFrame with one column per feature.
      y: labels with the index of `x`: None, a Series, or a DataFrame for several labels.
      batch_size: rows per batch.
      num_epochs: number of epochs; None to repeat forever.
      shuffle: whether to shuffle rows; required.
      queue_capacity: capacity of the queue in rows; None for about the size of `x`.
      num_threads: number of enqueuing threads.
      target_column: column name of a Series `y`.

    Returns:
      A function that returns a dict of features, or (features, labels); labels are a tensor, or a dict if `y`
      is a DataFrame.

    Raises:
      ValueError: if `shuffle` is missing, a column of `x` has the name of the labels, or the indexes differ.
      TypeError: if pandas has not been imported, or `target_column` is not a string.

    Example: `tf.estimator.inputs.pandas_input_fn(frame, frame.pop("price"), shuffle=True)`.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        raise TypeError("pandas_input_fn should not be called without pandas installed")
    check_shuffle(shuffle)
    if not isinstance(target_column, str):
        raise TypeError("target_column must be a string type")
    frame, labels = x.copy(), {}
    if y is not None:
        if target_column in frame:
            raise ValueError(
                f"Cannot use name {target_column} for target column: DataFrame already has a column with that name: "
                f"{frame.columns}"
            )
        if not np.array_equal(frame.index, y.index):
            raise ValueError(
                "Index for x and y are mismatched.\n"
                f"Index for x: {frame.index}\nIndex for y: {y.index}\n"
            )
        is_frame = isinstance(y, pandas.DataFrame)
        columns = {name: y[name] for name in y} if is_frame else {target_column: y}
        labels = {name: f"{name}_{uuid.uuid4()}" if name in x else name for name in columns}
        for name, column in columns.items():
            frame[labels[name]] = column
    capacity = queue_capacity or len(frame) * (4 if shuffle else 1)

    def input_fn() -> Any:
        def frame_rows(indices: list[int]) -> list[Any]:
            part = frame.iloc[indices]
            return [part.index.values, *(part[name].values for name in part.columns)]

        types = [frame.index.dtype, *frame.dtypes]
        queue = enqueue_rows(
            types,
            [()] * len(types),
            len(frame),
            frame_rows,
            capacity,
            bool(shuffle),
            num_threads,
            batch_size,
            num_epochs,
            max(capacity / 4, 1),
        )
        features = dict(zip(frame.columns, dequeue(queue, batch_size, num_epochs)[1:]))
        if y is None:
            return features
        label_columns = {name: features.pop(column) for name, column in labels.items()}
        return features, label_columns if is_frame else label_columns[target_column]

    return input_fn
