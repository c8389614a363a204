"""Dense tables with keys that stand for something else, sizes and shapes that do not fit; fingerprints."""

import numpy as np


def _table(tf, **settings):
    given = {"default_value": -1, "empty_key": 0, "deleted_key": -5, **settings}
    return tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, **given)


def _keys(tf, *keys):
    return tf.constant(keys, tf.int64)


def a_scalar_for_a_vector_key(tf):
    keys = tf.placeholder_with_default(np.array([1]), None)
    return _table(tf, empty_key=[0, 0], deleted_key=[1, 1]).lookup(keys)


def a_fingerprint_of_a_scalar_when_run(tf):
    return tf.fingerprint(tf.placeholder_with_default(1.0, None))


def no_such_fingerprint_when_run(tf):
    return tf.fingerprint([1.0], tf.placeholder_with_default("md5", []))


def two_methods(tf):
    return tf.fingerprint([1.0], tf.placeholder_with_default(["md5", "farmhash64"], None))


CASES = {
    "keys_of_two_axes": lambda tf: _table(tf, empty_key=[[0]], deleted_key=[[1]]),
    "remove_empty": lambda tf: _table(tf).remove(_keys(tf, 0)),
    "keys_of_another_dtype": lambda tf: _table(tf).lookup(tf.constant([1])),
    "remove_of_another_dtype": lambda tf: _table(tf).remove(tf.constant([1])),
    "a_fingerprint_of_a_scalar": lambda tf: tf.fingerprint(tf.constant(1.0)),
    "no_such_fingerprint": lambda tf: tf.fingerprint([1.0], "md5"),
}
