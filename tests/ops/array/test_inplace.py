"""Row updates: arrays are modified in place only if nothing else uses them."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini._src.graph.opdef import raw


@pytest.mark.parametrize("op", ["InplaceUpdate", "InplaceAdd", "InplaceSub"])
def test_fed_array_is_not_modified(op):
    x = tf.placeholder(tf.float32, [3, 2])
    fed = np.ones((3, 2), "f")
    run(getattr(raw, op)(x, [1], [[5.0, 6.0]]), {x: fed})
    assert (fed == 1).all()


def test_input_used_later_is_not_modified():
    x = tf.random_uniform([3, 2], seed=1) * 2.0
    changed = raw.InplaceUpdate(x, [0], [[5.0, 6.0]])
    before, after, both = run([x, changed, changed - x])
    np.testing.assert_array_equal(after[1:], before[1:])
    np.testing.assert_array_equal(after[0], [5, 6])
    np.testing.assert_allclose(both[0], [5, 6] - before[0])


def test_variable_is_not_modified():
    v = tf.Variable([[1.0], [2.0]])
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(raw.InplaceAdd(v, [1], [[5.0]])).tolist() == [[1], [7]]
        assert session.run(v).tolist() == [[1], [2]]


def test_indices_wrap_modulo_size():
    x = tf.placeholder_with_default(np.zeros((3, 1), "f"), None)
    actual = run(raw.InplaceUpdate(x, [-1, 4], [[1.0], [2.0]]))
    assert actual.tolist() == [[0], [2], [1]]
