"""assert_shapes: sizes matched by symbol, by number, from the end."""

import pytest

import tfmini as tf
from tfmini.debugging import assert_shapes


@pytest.fixture
def x():
    return tf.placeholder(tf.float32, [4, 2], name="x")


@pytest.fixture
def y():
    return tf.placeholder(tf.float32, [None, 2], name="y")


def test_static_agreement(x, y):
    z = tf.constant(1.0)
    assert assert_shapes([(x, ("N", "D")), (z, ()), (x, (4, "2"))]).type == "NoOp"
    assert assert_shapes({x: ("*", "D"), z: [...]}).type == "NoOp"


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (("N", "N"), "Specified by tensor x:0 dimension 0.  Tensor x:0 dimension 1 must have "),
        ((3, "N"), "^hint.  Specified explicitly.  Tensor x:0 dimension 0 must have size 3.  "),
    ],
)
def test_static_disagreement(x, shape, text):
    with pytest.raises(ValueError, match=text):
        assert_shapes([(x, shape)], message="hint")


def test_run_time_disagreement(x, y):
    op = assert_shapes([(x, ("N", "D")), (y, ("N", "D"))])
    feed = [[1.0, 2.0]] * 4
    text = (
        r"Specified by tensor x:0 dimension 0\] \[Tensor y:0 dimension\] \[0\] \[must have size\]"
    )
    with tf.Session() as session:
        session.run(op, {x: feed, y: feed})
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(op, {x: feed, y: feed[:3]})


def test_unknown_rank():
    u = tf.placeholder(tf.float32)
    op = assert_shapes([(u, ("...", 2)), (u, ("N", 2))])
    with tf.Session() as session:
        session.run(op, {u: [[1.0, 2.0]]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="must have size"):
            session.run(op, {u: [[1.0, 2.0, 3.0]]})
