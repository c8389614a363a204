"""The element types of a dataset or an iterator: nested dtypes, shapes and classes."""

import tfmini as tf


def test_legacy_structures():
    with tf.Graph().as_default():
        sparse = tf.SparseTensor([[0, 0]], [1.0], [2, 3])
        element = {"b": tf.constant([1, 2]), "a": "x"}, sparse
        dataset = tf.data.Dataset.from_tensors(element)
        for each in (dataset, tf.data.make_one_shot_iterator(dataset)):
            dtypes = {"b": tf.int32, "a": tf.string}, tf.float32
            shapes = {"b": tf.TensorShape([2]), "a": tf.TensorShape([])}, tf.TensorShape([2, 3])
            classes = {"b": tf.Tensor, "a": tf.Tensor}, tf.SparseTensor
            assert tf.data.get_output_types(each) == dtypes
            assert tf.data.get_output_shapes(each) == shapes
            assert tf.data.get_output_classes(each) == classes
