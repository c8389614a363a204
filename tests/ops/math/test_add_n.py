"""Sums of lists, and running ones."""

import numpy as np

import tfmini as tf


def run(fetch):
    with tf.Session() as session:
        return session.run(fetch)


def test_one_tensor_is_returned_itself():
    x = tf.constant([1.0])
    assert tf.add_n([x]) is x
    assert tf.add_n([x], name="named").op.type == "Identity"
    assert tf.accumulate_n([x]) is x


def test_slices_become_dense():
    slices = tf.IndexedSlices(tf.constant([1.0]), tf.constant([1]), tf.constant([3]))
    assert run(tf.add_n([slices, tf.constant([1.0, 1.0, 1.0])])).tolist() == [1, 2, 1]


def test_inputs_are_not_changed():
    fed = [np.ones(2, "f"), np.ones(2, "f"), np.ones(2, "f")]
    tensors = [tf.placeholder(tf.float32, [2]) for _ in fed]
    with tf.Session() as session:
        total = session.run(tf.add_n(tensors), dict(zip(tensors, fed)))
    assert total.tolist() == [3, 3]
    assert all(x.tolist() == [1, 1] for x in fed)


def test_cumsum_forms():
    x = [1, 2, 3]
    assert run(tf.cumsum(x)).tolist() == [1, 3, 6]
    assert run(tf.cumsum(x, exclusive=True)).tolist() == [0, 1, 3]
    assert run(tf.cumsum(x, reverse=True)).tolist() == [6, 5, 3]
    assert run(tf.cumsum(x, exclusive=True, reverse=True)).tolist() == [5, 3, 0]
    assert run(tf.cumprod(x, exclusive=True)).tolist() == [1, 1, 2]


def test_bincount():
    assert run(tf.bincount([1, 2, 2])).tolist() == [0, 1, 2]
    assert run(tf.bincount(np.zeros(0, "i4"))).tolist() == []
    assert run(tf.bincount([1, 5], minlength=3, maxlength=4)).tolist() == [0, 1, 0, 0]
    assert run(tf.bincount([1, 1], weights=[0.5, 2.0])).tolist() == [0, 2.5]
