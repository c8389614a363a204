"""tf.FixedLenFeature, VarLenFeature and SparseFeature."""

import tfmini as tf


def test_features_are_tuples():
    feature = tf.FixedLenFeature([2], tf.int64)
    assert feature == (feature.shape, feature.dtype, None)
    assert tf.io.VarLenFeature is tf.VarLenFeature
    assert repr(tf.VarLenFeature(tf.int64)) == "VarLenFeature(dtype=tf.int64)"
    assert tf.SparseFeature("i", "v", tf.int64, 4).already_sorted is False
