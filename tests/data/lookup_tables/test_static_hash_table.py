"""tf.contrib.lookup.HashTable."""

import numpy as np
import pytest

import tfmini as tf

lookup = tf.contrib.lookup


def run(*steps):
    """Step results, in one session."""
    with tf.Session() as session:
        return [session.run(step) for step in steps]


PAIRS = [
    (["a", "b"], [1, 2], ["b", "?"], -1, [2, -1]),
    ([1, 2], ["x", "y"], [[2], [5]], "none", [[b"y"], [b"none"]]),
    (np.array([1, 2]), [1.5, 2.5], np.array([2]), 0.0, [2.5]),
    (["a"], ["b"], ["a", "q"], "", [b"b", b""]),
    (["a"], [True], ["a", "b"], False, [True, False]),
]


@pytest.mark.parametrize("keys, values, asked, default, expected", PAIRS)
def test_lookup_of_every_dtype(keys, values, asked, default, expected):
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(keys, values), default)
    result = table.lookup(tf.constant(asked))
    assert result.shape == np.shape(asked)
    assert run(table.init, result)[1].tolist() == expected


def test_shared_name():
    pairs = lookup.KeyValueTensorInitializer
    first = lookup.HashTable(pairs(["a"], [1]), -1, shared_name="s")
    second = lookup.HashTable(pairs(["b"], [2]), -1, shared_name="s")
    asked = tf.constant(["a", "b"])
    # The table is full before the second would fill it.
    actual = run(first.init, second.lookup(asked), second.init, second.lookup(asked))
    assert [actual[1].tolist(), actual[3].tolist()] == [[1, -1], [1, -1]]


def test_use_before_initialization():
    table = lookup.HashTable(lookup.KeyValueTensorInitializer(["a"], [1]), -1)
    assert run(table.size()) == [0]
    with pytest.raises(tf.errors.AbortedError, match="HashTable is not initialized."):
        run(table.export())
