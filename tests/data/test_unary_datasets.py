"""padded_batch: valid padded shapes."""

import numpy as np
import pytest

import tfmini as tf


def batched(dataset, padded_shapes):
    """The static shape of the batches, and the first batch."""
    result = dataset.padded_batch(2, padded_shapes)
    element = tf.compat.v1.data.make_one_shot_iterator(result).get_next()
    with tf.Session() as session:
        return element.shape.as_list(), session.run(element)


@pytest.mark.parametrize(
    "padded, static", [([3, 2], [None, 3, 2]), ([4, 5], [None, 4, 5]), ([None, 3], [None, None, 3])]
)
@pytest.mark.parametrize(
    "made", [list, lambda sizes: tf.constant([n or -1 for n in sizes], tf.int64)]
)
def test_equal_or_larger_padded_shape(made, padded, static):
    elements = np.arange(1, 13, dtype="f").reshape(2, 3, 2)
    shape, result = batched(tf.data.Dataset.from_tensor_slices(elements), made(padded))
    expected = np.zeros([2, *(size or 3 for size in padded)])
    expected[:, :3, :2] = elements
    assert shape == static
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "shape, padded",
    [([3], [2]), ([3], [2, 2]), ([2, 3], [2, 2]), ([3, 3], [2, 4]), ([3], tf.TensorShape([2]))],
)
def test_smaller_padded_shape_is_refused(shape, padded):
    dataset = tf.data.Dataset.from_tensors(np.zeros(shape))
    sizes = [int(n) for n in padded]
    for inputs in (padded, tf.constant(sizes, tf.int64)):
        with pytest.raises(ValueError) as caught:
            dataset.padded_batch(2, inputs)
        assert str(caught.value) == (
            f"The padded shape {tf.TensorShape(sizes)} is not compatible with the corresponding input component "
            f"shape {tf.TensorShape(shape)}."
        )


def test_padded_size_below_minus_one_fails_at_run_time():
    dataset = tf.data.Dataset.from_tensors(np.zeros([3])).padded_batch(
        2, tf.constant([-5], tf.int64)
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dimension -5 must be >= -1"):
        with tf.Session() as session:
            session.run(tf.data.make_one_shot_iterator(dataset).get_next())


def test_scalar_strings_batch_as_bytes():
    elements = tf.data.Dataset.from_tensor_slices(([b"a", b"bc"], [[1], [2]]))
    element = tf.compat.v1.data.make_one_shot_iterator(
        elements.padded_batch(2, ([], [2]))
    ).get_next()
    with tf.Session() as session:
        names, numbers = session.run(element)
    assert [(type(name), name) for name in names] == [(bytes, b"a"), (bytes, b"bc")]
    assert numbers.tolist() == [[1, 0], [2, 0]]


def test_batches_span_unbatched_elements():
    sizes = tf.data.Dataset.from_tensor_slices([3, 0, 4, 1])
    rows = sizes.map(lambda n: (tf.range(n), tf.as_string(tf.range(n) + 10 * n))).unbatch()
    numbers, texts = tf.compat.v1.data.make_one_shot_iterator(rows.batch(3)).get_next()
    with tf.Session() as session:
        result = [session.run((numbers, texts)) for _ in range(3)]
    assert [each[0].tolist() for each in result] == [[0, 1, 2], [0, 1, 2], [3, 0]]
    assert [each[1].tolist() for each in result][1:] == [[b"40", b"41", b"42"], [b"43", b"10"]]
    wide = sizes.map(lambda n: tf.zeros([2, n])).unbatch().batch(4)
    with (
        tf.Session() as session,
        pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"component 0. First element had shape \[3\] and element 2 had shape \[0\]",
        ),
    ):
        session.run(tf.compat.v1.data.make_one_shot_iterator(wide).get_next())
