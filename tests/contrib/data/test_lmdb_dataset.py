"""A dataset with a graph node but without an implementation."""

import tfmini as tf


def test_element_types_and_shapes():
    with tf.Graph().as_default():
        dataset = tf.contrib.data.LMDBDataset("file")
        assert tf.data.get_output_types(dataset) == (tf.string, tf.string)
        assert tf.data.get_output_shapes(dataset) == (tf.TensorShape([]),) * 2
        assert dataset.element_spec == (tf.TensorSpec([], tf.string),) * 2
