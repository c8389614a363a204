"""CTC targets: label lists from a sparse tensor and their validation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base.errors import InvalidArgumentError, invalid
from tfmini._src.ops.operands import shape_text
from tfmini._src.ops.sparse.sparse_indices import check_order


def check_operands(inputs: Any, positions: Any, values: Any, lengths: Any) -> None:
    if inputs.ndim != 3:
        invalid("inputs is not a 3-Tensor")
    if lengths.ndim != 1:
        invalid("sequence_length is not a vector")
    if positions.ndim != 2:
        invalid("labels_indices is not a matrix")
    if values.ndim != 1:
        invalid("labels_values is not a vector")
    time, batch, classes = inputs.shape
    if batch != len(lengths):
        invalid(
            "len(sequence_length) != batch_size.  "
            f"len(sequence_length):  {len(lengths)} batch_size: {batch}"
        )
    if len(positions) != len(values):
        invalid(
            "labels_indices and labels_values must contain the same number of rows, but saw shapes: "
            f"{shape_text(positions.shape)} vs. {shape_text(values.shape)}"
        )
    if not batch:
        invalid("batch_size must not be 0")
    if positions.shape[1] != 2:
        invalid("Order length must be SparseTensor rank.")
    if not time or not classes:
        invalid("Max time and the number of classes of inputs cannot be 0.")


def check_lengths(time: int, lengths: list[int]) -> None:
    for b, length in enumerate(lengths):
        if length > time:
            invalid(f"sequence_length({b}) <= {time}")
    for b, length in enumerate(lengths):
        if length < 0:
            invalid(f"seq_len({b}) < 0")


def label_lists(positions: Any, values: Any, batch: int) -> list[list[int]]:
    """Returns the labels of each example in order."""
    max_length = int(positions[:, 1].max(initial=-1)) + 1
    try:
        check_order(np, positions, np.array([batch, max(0, max_length)]))
    except InvalidArgumentError as error:
        raise invalid(f"label SparseTensor is not valid: {error.message}") from None
    ends = np.searchsorted(positions[:, 0], np.arange(batch), side="right")
    return [part.tolist() for part in np.split(values, ends[:-1])]


def _join(labels: list[int]) -> str:
    return ",".join(map(str, labels))


def example_target(b: int, labels: list[int], blank: int, collapse: bool) -> list[int]:
    """Returns the labels of example `b` up to the first blank, optionally with repeats merged."""
    if not labels:
        invalid(f"Labels length is zero in batch {b}")
    result: list[int] = []
    is_ended = False
    for i, label in enumerate(labels):
        if collapse and i and label == labels[i - 1]:
            continue
        if label >= blank:
            is_ended = True
        elif is_ended:
            invalid(
                "Saw a non-null label (index >= num_classes - 1) following a null label, "
                f"batch: {b} num_classes: {blank + 1} labels: {_join(labels)} "
                f"labels seen so far: {_join(result)}"
            )
        else:
            result.append(label)
    if min(result, default=0) < 0:
        invalid(f"All labels must be nonnegative integers, batch: {b} labels: {_join(result)}")
    return result


def check_time(b: int, required: int, available: int) -> None:
    if required > available:
        invalid(
            f"Not enough time for target transition sequence (required: {required}, available: "
            f"{available}){b}You can turn this error into a warning by using the flag "
            "ignore_longer_outputs_than_inputs"
        )
