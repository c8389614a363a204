"""Datasets of TensorFlow 1.2 and 1.3: `map` with `num_threads` and `output_buffer_size`, lists as structures."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import tfmini


@functools.lru_cache(maxsize=1)
def restore_arguments() -> None:
    """Makes `tf.data.Dataset` accept arguments of `tf.contrib.data.Dataset`."""
    dataset = tfmini.data.Dataset
    setattr(dataset, "map", _with_threads(dataset.map))  # noqa: B010
    for name in ("from_tensors", "from_tensor_slices"):
        setattr(dataset, name, staticmethod(_with_lists(getattr(dataset, name))))


def _with_threads(apply: Callable) -> Callable:
    @functools.wraps(apply)
    def map(
        self: Any,
        map_func: Callable,
        num_parallel_calls: int | None = None,
        output_buffer_size: int | None = None,
        num_threads: int | None = None,
    ) -> Any:
        calls = num_parallel_calls if num_threads is None else num_threads
        result = apply(self, map_func, num_parallel_calls=calls)
        return result if output_buffer_size is None else result.prefetch(output_buffer_size)

    return map


def _with_lists(create: Callable) -> Callable:
    """Treats a list of tensors that cannot be stacked, by their dtypes or ranks, as a structure."""

    @functools.wraps(create)
    def from_structure(tensors: Any) -> Any:
        if isinstance(tensors, list):
            kinds = {
                (tensor.dtype, tensor.shape.ndims)
                for tensor in tensors
                if isinstance(tensor, tfmini.Tensor)
            }
            tensors = tuple(tensors) if len(kinds) > 1 else tensors
        return create(tensors)

    return from_structure
