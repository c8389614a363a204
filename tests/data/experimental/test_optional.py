"""Optional values and their spec."""

import tfmini as tf


def test_optional_spec():
    with tf.Graph().as_default():
        iterator = tf.data.make_one_shot_iterator(tf.data.Dataset.range(3))
        result = tf.OptionalSpec.from_value(tf.data.experimental.get_next_as_optional(iterator))
    assert result == tf.OptionalSpec(tf.TensorSpec([], tf.int64))
    assert result != tf.OptionalSpec(tf.TensorSpec([], tf.int32))


def test_optional_elements():
    with tf.Graph().as_default():
        numbers = tf.data.Dataset.range(3)
        created = numbers.map(tf.data.experimental.Optional.from_value)
        spec = tf.OptionalSpec(tf.TensorSpec([], tf.int64))
        assert tf.data.get_output_types(created) == spec
        assert tf.data.get_output_shapes(created) == spec
        assert tf.data.get_output_classes(created) == spec
