"""tf.data: uninitialized iterators, mismatched sizes and shapes, failing elements, invalid functions."""

import numpy as np


def following(tf, dataset):
    return tf.data.make_one_shot_iterator(dataset).get_next()


def start(tf, dataset):
    return tf.data.make_initializable_iterator(dataset).initializer


def rows_that_differ_when_run(tf):
    rows = [tf.placeholder_with_default(np.zeros(n), [None], name=f"rows{n}") for n in (2, 3)]
    return start(tf, tf.data.Dataset.from_tensor_slices(tuple(rows)))
