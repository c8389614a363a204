"""Input functions over generators, which yield one example at a time."""

from __future__ import annotations

from collections.abc import Callable, Container
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.models.estimator.inputs.enqueue_rows import dequeue, enqueue_fed


@deprecated(None, "Please use tf.data.")
def generator_input_fn(
    x: Any,
    target_key: Any = None,
    batch_size: int = 128,
    num_epochs: int | None = 1,
    shuffle: bool = True,
    queue_capacity: int = 1000,
    num_threads: int = 1,
    pad_value: Any = None,
) -> Callable[[], Any]:
    """Returns an input function over the examples yielded by a generator.

    Args:
      x: function without arguments that returns a generator of examples, dicts from name to array.
      target_key: label name, or a list of them; None for no labels.
      batch_size: number of examples per batch.
      num_epochs: number of generator runs; None for no limit. The last feed may extend into another run.
      shuffle: whether to shuffle examples.
      queue_capacity: queue capacity.
      num_threads: number of enqueuing threads.
      pad_value: padding value for arrays whose last axes differ; None for no padding.

    Returns:
      `input_fn()`, which returns a dict of features, or features and labels: a Tensor, or a dict for several.

    Raises:
      TypeError: for arguments of the wrong type.
      KeyError: if examples lack the labels.
      NotImplementedError: on call, for a `pad_value` with `shuffle`.

    Example:
      def rows():
          for i in range(10):
              yield {"height": np.float32([i]), "age": np.float32([2 * i])}

      input_fn = generator_input_fn(rows, target_key="age", batch_size=2)
    """
    first = _first_element(x)
    names = sorted(first)
    expected = _labels(target_key, names)

    def input_fn() -> Any:
        if shuffle and pad_value is not None:
            raise NotImplementedError(
                "padding and shuffling data at the same time is not implemented"
            )
        shapes = [first[name].shape for name in names]
        if pad_value is not None:
            shapes = [(*shape[:-1], None) if shape else shape for shape in shapes]

        def feeder(placeholders: list) -> Callable[[], dict]:
            return _Feed(x, dict(zip(names, placeholders)), batch_size, num_epochs, pad_value)

        queue = enqueue_fed(
            [first[name].dtype for name in names],
            shapes,
            feeder,
            queue_capacity,
            shuffle,
            num_threads,
            num_epochs,
            padded=pad_value is not None,
        )
        batch = dequeue(queue, batch_size, num_epochs)
        features = dict(zip(names, batch if isinstance(batch, list) else [batch]))
        if expected is None:
            return features
        labels = {name: features.pop(name) for name in expected}
        return features, labels if len(labels) > 1 else labels[expected[0]]

    return input_fn


def _first_element(x: Any) -> dict:
    if not isinstance(x, FunctionType):
        raise TypeError(f"x must be generator function; got {type(x).__name__}")
    generator = x()
    if not isinstance(generator, GeneratorType):
        raise TypeError(f"x() must be generator; got {type(generator).__name__}")
    first = next(generator)
    if not isinstance(first, dict):
        raise TypeError(f"x() must yield dict; got {type(first).__name__}")
    return first


def _labels(target_key: Any, names: list[str]) -> Any:
    """Returns the label names as a list; raises TypeError for other objects, KeyError for a missing name."""
    if target_key is None or isinstance(target_key, str):
        return target_key and [target_key]
    if not isinstance(target_key, Container):
        raise TypeError(
            f"target_key must be str or Container of str; got {type(target_key).__name__}"
        )
    for name in target_key:  # type: ignore[attr-defined]  # usually lists or tuples
        if not isinstance(name, str):
            raise TypeError(
                f"target_key must be str or Container of str; got {type(name).__name__}"
            )
        if name not in names:
            raise KeyError(f"target_key not in yielded dict. Expected {names} keys; got {name}")
    return target_key


class _Feed:
    """Callable that returns a feed dict of enough examples for `size` arrays in total over all features."""

    def __init__(
        self, generate: Any, placeholders: dict[str, Any], size: int, epochs: Any, pad_value: Any
    ):
        self._generate, self._placeholders, self._size = generate, placeholders, size
        self._epochs, self._pad_value, self._done = epochs, pad_value, 0
        self._rows = generate()

    def __call__(self) -> dict:
        if self._epochs and self._done >= self._epochs:
            raise OutOfRangeError(None, None, f"Already emitted {self._done} epochs.")
        columns: dict[str, list] = {name: [] for name in self._placeholders}
        count = 0
        while count < self._size:
            row = self._next()
            for name, column in columns.items():
                if name not in row:
                    raise KeyError(
                        "key mismatch between dicts emitted by GenFun "
                        f"Expected {list(columns)} keys; got {row.keys()}"
                    )
                column.append(row[name])
                count += 1
        return {
            self._placeholders[name]: np.asarray(self._pad_column(column))
            for name, column in columns.items()
        }

    def _next(self) -> dict:
        try:
            return next(self._rows)
        except StopIteration:
            self._done += 1
            self._rows = self._generate()
            return next(self._rows)

    def _pad_column(self, column: list) -> Any:
        if self._pad_value is None:
            return column
        if len({array.shape[:-1] if array.shape else -1 for array in column}) > 1:
            raise ValueError("Array shapes must match.")
        lengths = {array.shape[-1] if array.shape else 0 for array in column}
        if len(lengths) == 1:
            return column
        shape = (len(column), *column[0].shape[:-1], max(lengths))
        padded = np.full(shape, self._pad_value, column[0].dtype)
        for position, array in zip(padded, column):
            position[..., : array.shape[-1]] = array
        return padded
