"""Batches of an epoch in eager mode: their number, sizes and indices, and the printed sample counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.type_spec import TensorSpec

NO_MORE_DATA = (
    "Your input ran out of data; interrupting training. Make sure that your dataset or generator can generate at least "
    "`steps_per_epoch * epochs` batches (in this case, {} batches). You may need to use the repeat() function when "
    "building your dataset."
)


@dataclass(frozen=True)
class BatchShapes:
    """Batch shapes of a step function.

    any_size: whether batches differ only in size; a single function, with one random sequence, then accepts
      all batches.
    columns: number of vectors in a batch that are converted to columns.
    example_shapes: example shapes of such a function.
    """

    any_size: bool = False
    columns: int = 0
    example_shapes: tuple = ()

    @staticmethod
    def dataset_shapes(spec: Any) -> BatchShapes:
        """Returns the batch shapes of a dataset's elements: inputs, targets and sample weights."""
        parts = spec if isinstance(spec, tuple) else (spec,)
        shapes = [part.shape if isinstance(part, TensorSpec) else None for part in flatten(parts)]
        vectors = sum(
            isinstance(part, TensorSpec) and part.shape.ndims == 1 for part in flatten(parts[:2])
        )
        dims = [shape.as_list() for shape in shapes if shape is not None and shape.ndims]
        differs = len(dims) == len(shapes) and all(None not in row[1:] for row in dims)
        if differs and any(row[0] is None for row in dims):
            return BatchShapes(True, vectors, tuple([tuple(row[1:]) for row in dims]))
        return BatchShapes(columns=vectors)


FIXED_SHAPES = BatchShapes()


def array_batches(
    count: int, batch_size: Any, steps: Any, full_batches: bool = False
) -> tuple[int, int]:
    """Completes the number and size of batches for `count` examples.

    full_batches: whether the last batch must be full.
    """
    if steps is None and batch_size is None:
        raise ValueError("`batch_size` or `steps` is required for `Tensor` or `NumPy` input data.")
    if steps is None:
        return math.ceil(count / float(batch_size)), batch_size
    if batch_size is None:
        if count % steps:
            raise ValueError(
                f"The number of samples {count} is not divisible by steps {steps}. Please change the number of steps "
                "to a value that can consume all the samples"
            )
        return steps, count // steps
    min_samples = batch_size * steps if full_batches else batch_size * (steps - 1) + 1
    if count < min_samples and (full_batches or steps > 1):
        raise ValueError(
            f"Number of samples {count} is less than samples required for specified batch_size {batch_size} and steps "
            f"{steps}"
        )
    return steps, batch_size


def rows_of_batches(count: int, batch_size: int, shuffle: Any) -> Iterator[np.ndarray]:
    """Yields the indices of each batch endlessly; `shuffle` shuffles examples or entire batches in each epoch."""
    while True:
        order = np.arange(count)
        if shuffle == "batch":
            order = _shuffled_batches(order, batch_size)
        elif shuffle:
            np.random.shuffle(order)
        for start in range(0, count, batch_size):
            yield order[start : start + batch_size]


def _shuffled_batches(order: np.ndarray, batch_size: int) -> np.ndarray:
    """Returns the indices with the order of full batches shuffled; a partial batch stays last."""
    count = len(order) // batch_size
    batches = order[: count * batch_size].reshape((count, batch_size))
    np.random.shuffle(batches)
    return np.append(batches.flatten(), order[count * batch_size :])


def print_sizes(samples: Any, steps: Any, validation_samples: Any, validation_steps: Any) -> None:
    """Prints the number of training and validation examples or steps, if known."""
    sizes = [(samples, steps), (validation_samples, validation_steps)]
    parts = [f"on {n} samples" if n else f"for {count} steps" for n, count in sizes if n or count]
    if samples or steps:
        print("Train " + ", validate ".join(parts))
