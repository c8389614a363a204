"""Space-to-batch, patches and distances: cases beyond the samples."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("session")


def test_space_to_batch_round_trip_with_required_paddings(session):
    images = np.arange(2 * 5 * 7 * 3, dtype="f").reshape(2, 5, 7, 3)
    paddings, crops = tf.required_space_to_batch_paddings([5, 7], [2, 3])
    assert session.run([paddings, crops])[0].tolist() == [[0, 1], [0, 2]]
    there = tf.space_to_batch_nd(images, [2, 3], paddings)
    back = tf.batch_to_space_nd(there, [2, 3], crops)
    assert (session.run(back) == images).all()


def test_empty_block_shape(session):
    none = tf.required_space_to_batch_paddings(np.zeros(0, "i4"), np.zeros(0, "i4"))
    assert [part.shape.as_list() for part in none] == [[0, 2], [0, 2]]
    same = tf.space_to_batch_nd([1, 2], np.zeros(0, "i4"), np.zeros((0, 2), "i4"))
    assert session.run(same).tolist() == [1, 2]


def test_empty_image(session):
    empty = tf.space_to_depth(tf.zeros([0, 4, 4, 3]), 2)
    assert empty.shape == [0, 2, 2, 12]
    assert session.run(empty).shape == (0, 2, 2, 12)
    assert session.run(tf.depth_to_space(tf.zeros([1, 2, 2, 0]), 2)).shape == (1, 4, 4, 0)


def test_other_layouts_have_static_shapes_only():
    image = tf.placeholder(tf.float32, [1, 3, 4, 6])
    assert tf.space_to_depth(image, 2, data_format="NCHW").shape == [1, 12, 2, 3]
    assert tf.depth_to_space(tf.zeros([1, 8, 2, 3]), 2, data_format="NCHW").shape == [1, 2, 4, 6]


def test_patches_larger_than_image_are_refused():
    ones = [1, 1, 1, 1]
    with pytest.raises(ValueError, match=r"Computed output size would be negative: -1 \[input"):
        tf.extract_image_patches(tf.zeros([1, 4, 4, 1]), [1, 6, 1, 1], ones, ones, "VALID")


def test_edit_distance_outside_output_shape_is_refused(session):
    one = tf.SparseTensor([[0, 0]], ["a"], [1, 1])
    far = tf.SparseTensor([[3, 0]], ["a"], [1, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="is outside the output shape"):
        session.run(tf.edit_distance(one, far))


def test_edit_distance_of_unsorted_sequences(session):
    hypothesis = tf.SparseTensor([[2, 3], [0, 1], [0, 1]], ["a", "b", "c"], [3, 4])
    truth = tf.SparseTensor([[0, 1], [2, 0], [2, 3]], ["b", "a", "a"], [3, 4])
    far = tf.edit_distance(hypothesis, truth), tf.edit_distance(hypothesis, truth, normalize=False)
    # The first sequences, [0] of the truth and [2] of the hypothesis, do not match.
    assert [each.tolist() for each in session.run(far)] == [[np.inf, 0, 0.5], [2, 0, 1]]


@pytest.mark.parametrize("move", [tf.space_to_batch_nd, tf.batch_to_space_nd])
@pytest.mark.parametrize(
    ("block", "text"),
    [
        ([-1, -1], r"block_shape\[0\] must be positive, but it was -1"),
        ([1, -1], "Product of block sizes must be positive, got -1"),
    ],
)
def test_invalid_block_shapes(session, move, block, text):
    fed = tf.placeholder(tf.int32, [2])
    moved = move(tf.zeros([1, 2, 2, 1]), fed, [[0, 0], [0, 0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        session.run(moved, {fed: block})
