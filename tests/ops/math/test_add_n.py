"""add_n and accumulated sums."""

import numpy as np

import tfmini as tf


def test_single_tensor_is_returned_unchanged():
    x = tf.constant([1.0])
    assert tf.add_n([x]) is x
    assert tf.add_n([x], name="named").op.type == "Identity"
    assert tf.accumulate_n([x]) is x


def test_inputs_are_not_modified():
    fed = [np.ones(2, "f"), np.ones(2, "f"), np.ones(2, "f")]
    tensors = [tf.placeholder(tf.float32, [2]) for _ in fed]
    with tf.Session() as session:
        total = session.run(tf.add_n(tensors), dict(zip(tensors, fed)))
    assert total.tolist() == [3, 3]
    assert all(x.tolist() == [1, 1] for x in fed)
