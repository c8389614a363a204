"""Datasets as elements, and several in one tensor."""

import tfmini as tf

NUMBERS = tf.TensorSpec([], tf.int64)


def test_several_datasets_form_one_element():
    with tf.Graph().as_default(), tf.Session() as session:
        nested = tf.data.Dataset.range(6).window(2).batch(2).map(lambda each: each)
        spec = nested.element_spec
        assert isinstance(spec, tf.data.DatasetSpec)
        element, shape = spec._serialize()
        assert element == NUMBERS and shape.as_list() == [None]
        numbers = nested.unbatch().flat_map(lambda each: each.map(lambda x: x * 10))
        element = tf.data.make_one_shot_iterator(numbers).get_next()
        assert [session.run(element) for _ in range(6)] == [0, 10, 20, 30, 40, 50]


def test_dataset_spec():
    with tf.Graph().as_default():
        spec = tf.data.DatasetSpec.from_value(tf.data.Dataset.range(3))
    assert spec == tf.data.DatasetSpec(NUMBERS)
    assert spec != tf.data.DatasetSpec(tf.TensorSpec([], tf.int32))
