"""Full batches, sliding windows, and shape assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated, deprecated_args
from tfmini._src.contrib.framework.with_shape import with_shape
from tfmini._src.data import dataset_nest
from tfmini._src.data.dataset import DatasetV2
from tfmini._src.data.element_spec import from_legacy, legacy_classes, legacy_shapes, legacy_types
from tfmini._src.data.unary_datasets import RestructuringDataset, int64
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import raw

_Applied = Callable[[DatasetV2], Any]


@deprecated(None, "Use `tf.data.Dataset.batch(..., drop_remainder=True)`.")
def batch_and_drop_remainder(batch_size: TensorLike) -> _Applied:
    """Combines elements into batches of equal size, like `dataset.batch(batch_size, drop_remainder=True)`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@deprecated(None, "Use `tf.data.Dataset.padded_batch(..., drop_remainder=True)`.")
def padded_batch_and_drop_remainder(
    batch_size: TensorLike, padded_shapes: object, padding_values: object = None
) -> _Applied:
    """Combines elements into padded batches of equal size.

    Args:
      batch_size, padded_shapes, padding_values: as in `Dataset.padded_batch`.

    Returns:
      A transformation for `Dataset.apply`.
    """
    return lambda dataset: dataset.padded_batch(
        batch_size, padded_shapes, padding_values, drop_remainder=True
    )


@deprecated_args(None, "stride is deprecated, use window_shift instead", "stride")
@deprecated(
    None,
    "Use `tf.data.Dataset.window(size=window_size, shift=window_shift, stride=window_stride).flat_map(lambda x: "
    "x.batch(window_size))` instead.",
)
def sliding_window_batch(
    window_size: TensorLike,
    stride: int | Sequence[int] | None = None,
    window_shift: TensorLike | None = None,
    window_stride: TensorLike = 1,
) -> _Applied:
    """Combines elements into batches by a sliding window; drops incomplete batches.

    Args:
      window_size: number of elements per batch, an int64 scalar.
      stride: older name of `window_shift`.
      window_shift: distance between the starts of windows; by default 1.
      window_stride: distance between the elements of a window.

    Returns:
      A transformation for `Dataset.apply`.

    Raises:
      ValueError: if both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = (1 if stride is None else stride) if window_shift is None else window_shift
    return lambda dataset: _SlidingWindowDataset(dataset, window_size, shift, window_stride)


class _SlidingWindowDataset(RestructuringDataset):
    def __init__(self, input_dataset: DatasetV2, size: Any, shift: Any, stride: Any):
        window_size = int64(size, "window_stride")
        window_stride = int64(stride, "window_stride")
        window_shift = int64(shift, "window_shift")
        self._spec = dataset_nest.map_structure(
            lambda leaf: leaf._batch(None), input_dataset.element_spec
        )
        handle = raw.SlidingWindowDataset(
            input_dataset._variant_tensor,
            window_size,
            window_shift,
            window_stride,
            **self._flat_structure,
        )
        super().__init__(input_dataset, self._spec, handle)


def assert_element_shape(expected_shapes: object) -> _Applied:
    """Checks the shapes of elements: known ones during graph construction, others at run time.

    Args:
      expected_shapes: shapes in the structure of an element; unknown dimensions match any size.

    Returns:
      A transformation for `Dataset.apply`, whose result has these static shapes.

    Raises:
      ValueError: when applied, for incompatible static shapes.
      InvalidArgumentError (at run time): for incompatible shapes.
    """

    def _check_shape(*elements: Any) -> Any:
        pairs = zip(dataset_nest.flatten(expected_shapes), dataset_nest.flatten(elements))
        checked_tensors = [
            with_shape(shape, tensor) if shape else tensor for shape, tensor in pairs
        ]
        return dataset_nest.pack_sequence_as(elements, checked_tensors)

    def _apply_fn(dataset: DatasetV2) -> Any:
        spec = dataset.element_spec
        shapes = legacy_shapes(spec)
        pairs = zip(
            dataset_nest.flatten(shapes), dataset_nest.flatten_up_to(shapes, expected_shapes)
        )
        merged = [shape.merge_with(expected) for shape, expected in pairs]
        merged_spec = from_legacy(
            legacy_types(spec), dataset_nest.pack_sequence_as(shapes, merged), legacy_classes(spec)
        )
        checked_tensors = dataset.map(_check_shape)
        return RestructuringDataset(checked_tensors, merged_spec, checked_tensors._variant_tensor)

    return _apply_fn
