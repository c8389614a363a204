"""Datasets of reference variables: their elements follow assignments as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf

Dataset = tf.data.Dataset


@pytest.mark.filterwarnings("ignore:tf.data static optimizations")
@pytest.mark.parametrize(
    "change, values",
    [
        (lambda v: v.assign([100, 200]), [[101, 201], [100, 200], [100, 200], 200]),
        (lambda v: v.assign_add([1, 1]), [[7, 8], [6, 7], [6, 7], 7]),
        (lambda v: tf.assign(v, [7, 8, 9], validate_shape=False), [[6, 7], [5, 6], [5, 6], 6]),
    ],
)
def test_elements_after_assignment(session, change, values):
    v = tf.Variable([5, 6], validate_shape=False, use_resource=False)
    datasets = [
        Dataset.range(4).map(lambda x: tf.cast(x, tf.int32) + v[:2]),
        Dataset.from_tensors(v).repeat(4),
        Dataset.from_tensors(v.read_value()).repeat(4),
        Dataset.from_tensor_slices(v).repeat(4),
    ]
    iterators = [tf.data.make_initializable_iterator(dataset) for dataset in datasets]
    elements, changed = [each.get_next() for each in iterators], change(v)
    session.run(v.initializer)
    session.run([each.initializer for each in iterators])
    first = session.run(elements)
    session.run(changed)
    assert [each.tolist() for each in session.run(elements)] == values
    assert [each.tolist() for each in first] == [[5, 6], [5, 6], [5, 6], 5]


@pytest.mark.filterwarnings("ignore:tf.data static optimizations")
def test_scalar_variable_with_equal_constant(session):
    v, five = tf.Variable(5, use_resource=False), tf.constant(5) * 1
    numbers = Dataset.range(2).map(lambda _: tf.stack([five, v]))
    iterator = tf.data.make_initializable_iterator(numbers)
    element, changed = iterator.get_next(), v.assign(7)
    session.run(v.initializer)
    session.run(iterator.initializer)
    assert session.run(element).tolist() == [5, 5]
    session.run(changed)
    assert session.run(element).tolist() == [5, 7]
