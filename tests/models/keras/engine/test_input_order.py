"""Datasets known to be unshuffled, or batched, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf
from tfmini._src.models.keras.engine.input_order import assert_not_batched, assert_not_shuffled

Dataset = tf.data.Dataset


@pytest.mark.parametrize(
    "make, in_order, unbatched",
    [
        (lambda: Dataset.range(5), True, True),
        (lambda: Dataset.range(5).map(lambda x: x).skip(1).take(2), True, True),
        (lambda: Dataset.range(5).batch(2), True, False),
        (lambda: Dataset.range(5).padded_batch(2, []).repeat(2), True, False),
        (lambda: Dataset.range(5).window(2), True, False),
        (lambda: Dataset.range(5).shuffle(3), False, True),
        (lambda: Dataset.range(5).shuffle(3).batch(2), False, False),
        (lambda: Dataset.range(5).flat_map(lambda x: Dataset.from_tensors(x)), False, False),
        (lambda: Dataset.zip((Dataset.range(5), Dataset.range(5).shuffle(3))), False, True),
        (lambda: tf.data.TFRecordDataset([]), True, True),
    ],
)
def test_dataset_order_and_batching_are_checked(make, in_order, unbatched):
    for check, holds, word in (
        (assert_not_shuffled, in_order, "shuffled"),
        (assert_not_batched, unbatched, "batched"),
    ):
        if holds:
            check(make())
        else:
            with pytest.raises(ValueError, match=f"^Could not assert that dataset is not {word}.$"):
                check(make())
