"""Python sequences as arrays; TensorFlow's recordings of pairs are in `tests/session/eager/programs/tensors.py`."""

from collections import UserList, deque

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.graph.eager.python_sequences import sequence_to_array


def test_first_element_determines_dtype():
    assert sequence_to_array([np.float64(1), 2]).dtype == np.float64
    assert sequence_to_array([1, np.float64(2)]).dtype == np.float32
    assert sequence_to_array([np.uint8(1), 2**31]).dtype == np.int64
    assert sequence_to_array([np.array(1.5), 2]).dtype == np.float64


def test_rows_are_sequences_or_arrays():
    np.testing.assert_array_equal(
        sequence_to_array([np.array([1, 2]), (3, 4), range(2)]), [[1, 2], [3, 4], [0, 1]]
    )
    assert sequence_to_array([[], []]).shape == (2, 0)


@pytest.mark.parametrize(
    "ragged", [[[1], [2, 3]], [[1], 2], [[1, 2], np.array([1])], [np.ones((1, 2)), [1]]]
)
def test_ragged_rows_are_rejected(ragged):
    with pytest.raises(ValueError, match="non-rectangular Python sequence"):
        sequence_to_array(ragged)


@pytest.mark.parametrize(
    "mixed", [[1, [2]], [1, "a"], ["a", 1], [True, 1], [1.5, None], [1.5, np.ones(1)], [[1], "a"]]
)
def test_mixed_types_are_rejected(mixed):
    with pytest.raises(ValueError, match="mixed types"):
        sequence_to_array(mixed)


class Items:
    """A sequence whose indices are not positions, like a pandas Series."""

    def __getitem__(self, key):
        return {1: 5, 3: 6}[key]

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([5, 6])


def test_custom_sequence_classes(eager):
    for sequence in (deque([5, 6]), UserList([5, 6]), Items()):
        np.testing.assert_array_equal(tf.constant(sequence), [5, 6])
        np.testing.assert_array_equal(tf.constant([sequence, [7, 8]], tf.float32), [[5, 6], [7, 8]])
        np.testing.assert_array_equal(tf.constant(1) + sequence, [6, 7])
    for other in ({0: 1}, {1, 2}, iter([1])):
        with pytest.raises(ValueError, match="unsupported type"):
            tf.constant(other)
