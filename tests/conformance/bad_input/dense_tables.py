"""Dense tables with reserved keys, mismatched sizes and shapes; fingerprints."""

import numpy as np


def _table(tf, **settings):
    given = {"default_value": -1, "empty_key": 0, "deleted_key": -5, **settings}
    return tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, **given)


def _keys(tf, *keys):
    return tf.constant(keys, tf.int64)


def a_scalar_for_a_vector_key(tf):
    keys = tf.placeholder_with_default(np.array([1]), None)
    return _table(tf, empty_key=[0, 0], deleted_key=[1, 1]).lookup(keys)
