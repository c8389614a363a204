"""`tensorflow.python.ops.distributions`: distribution helpers without public names."""

import numpy as np
import pytest

import tfmini as tf
from tfmini.compat.python.ops.distributions import special_math, util

pytestmark = pytest.mark.usefixtures("session")


def test_static_values_are_preferred():
    known, unknown = tf.zeros([2, 3]), tf.placeholder(tf.float32, [None, 3])
    assert util.prefer_static_shape(known).tolist() == [2, 3]
    assert util.prefer_static_shape(unknown).op.type == "Shape"
    assert util.prefer_static_rank(unknown) == 2
    assert util.prefer_static_rank(tf.placeholder(tf.float32)).op.type == "Rank"
    assert util.prefer_static_value(tf.constant(3)) == 3
    assert util.maybe_get_static_value(tf.constant(3), np.float64).dtype == np.float64
    assert util.maybe_get_static_value(None) is util.maybe_get_static_value(unknown) is None
    assert util.dimension_size(known, 1) == util.dimension_size(unknown, -1) == 3
    assert util.dimension_size(unknown, 0).op.type == "StridedSlice"
    arguments = (lambda a, *more, b=2, **options: util.parent_frame_arguments())(1, 5, c=3)
    assert arguments == {"a": 1, "b": 2, "c": 3}


def test_shape_helpers(session):
    known, given = tf.TensorShape([2, 1]), tf.placeholder(tf.int32, [2])
    assert util.prefer_static_broadcast_shape(known, [3]).as_list() == [2, 3]
    broadcast = util.prefer_static_broadcast_shape(known, given)
    assert session.run(broadcast, {given: [1, 4]}).tolist() == [2, 4]
    with pytest.raises(ValueError, match="Cannot broadcast from partially defined `TensorShape`"):
        util.prefer_static_broadcast_shape(tf.TensorShape([None]), given)
    a, b = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
    same = util.same_dynamic_shape(a, b)
    for shape, wanted in (([2, 3], True), ([3, 2], False), ([2], False)):
        assert session.run(same, {a: np.zeros([2, 3]), b: np.zeros(shape)}) == wanted


@pytest.mark.parametrize("shift", [-7, -2, -1, 0, 1, 2, 7])
def test_rotate_transpose_wraps_around(session, shift):
    x = np.zeros([1, 2, 3, 4])
    wanted = np.transpose(x, np.roll(np.arange(4), shift)).shape
    assert util.rotate_transpose(x, shift).shape.as_list() == list(wanted)
    given, moved = tf.placeholder(tf.float64), tf.placeholder(tf.int32)
    assert (
        session.run(util.rotate_transpose(given, moved), {given: x, moved: shift}).shape == wanted
    )


def test_embedded_checks(session):
    given = tf.placeholder(tf.float32)
    checked = util.embed_check_integer_casting_closed(given, tf.int32)
    assert session.run(checked, {given: [1, 2]}).tolist() == [1, 2]
    for value, text in ((1.5, "Elements must be int32-equivalent"), (-1, "must be non-negative")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(checked, {given: value})
    whole = tf.placeholder(tf.int32)
    checked = util.embed_check_integer_casting_closed(whole, tf.uint16, assert_nonnegative=False)
    for value, text in ((-1, "Elements cannot be smaller than 0"), (65536, "uint16-equivalent")):
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(checked, {whole: value})
    with pytest.raises(tf.errors.InvalidArgumentError, match="has non-integer components"):
        session.run(util.assert_integer_form(given), {given: 0.5})
    logits, probs = util.get_logits_and_probs(probs=[0.5])
    np.testing.assert_allclose(session.run([logits, probs]), [[0.0], [0.5]])


def test_inverse_error_function(session):
    x = tf.constant([-0.5, 0.0, 0.5], tf.float64)
    found = session.run([special_math.erfinv(x), tf.erf(special_math.erfinv(x))])
    np.testing.assert_allclose(found[0], [-0.4769362762, 0.0, 0.4769362762], rtol=1e-9)
    np.testing.assert_allclose(found[1], [-0.5, 0.0, 0.5])
    with pytest.raises(TypeError, match="is not handled"):
        special_math.erfinv([1, 2])
