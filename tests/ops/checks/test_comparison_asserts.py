"""assert_equal and related checks: immediate for constants, otherwise at run time."""

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize(
    ("check", "good", "bad", "symbol"),
    [
        (tf.assert_equal, 2.0, 3.0, "=="),
        (tf.assert_none_equal, 3.0, 2.0, "!="),
        (tf.assert_less, 1.0, 2.0, "<"),
        (tf.assert_less_equal, 2.0, 2.5, "<="),
        (tf.assert_greater, 3.0, 2.0, ">"),
        (tf.assert_greater_equal, 2.0, 1.0, ">="),
    ],
)
def test_comparisons(check, good, bad, symbol):
    x = tf.placeholder(tf.float32, [2], name="x")
    op = check(x, 2.0, message="hint")
    # assert_equal opens its scope twice.
    name = "assert_equal_1/y:0" if check is tf.assert_equal else f"{check.__name__}/y:0"
    text = (
        rf"^assertion failed: \[hint\] \[Condition x {symbol} y did not hold element-wise:\] "
        rf"\[x \(x:0\) = \] \[{good:g} {bad:g}\] \[y \({name}\) = \] \[2\]\n"
    )
    with tf.Session() as session:
        session.run(op, {x: [good, good]})
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(op, {x: [good, bad]})


def test_data_and_summarize():
    x = tf.placeholder(tf.int32, [3])
    op = tf.assert_equal(x, 0, data=["look:", x], summarize=2)
    with tf.Session() as session:
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"assertion failed: \[look:\] \[1 2...\]"
        ):
            session.run(op, {x: [1, 2, 3]})


def test_assert_near():
    x = tf.placeholder(tf.float64, [2])
    close, loose = tf.assert_near(x, [1.0, 2.0]), tf.assert_near(x, [1.0, 2.0], rtol=0.1)
    with tf.Session() as session:
        session.run([close, loose], {x: [1.0, 2.0 + 1e-15]})
        session.run(loose, {x: [1.05, 2.0]})
        with pytest.raises(tf.errors.InvalidArgumentError, match="x and y not equal to tolerance"):
            session.run(close, {x: [1.05, 2.0]})


@pytest.mark.parametrize(
    ("values", "rising", "strictly"),
    [
        ([], True, True),
        ([1], True, True),
        ([1, 2, 2], True, False),
        ([1, 2, 4], True, True),
        ([2, 1], False, False),
    ],
)
def test_monotonicity(values, rising, strictly):
    x = tf.placeholder(tf.int32, [None])
    results = [tf.is_non_decreasing(x), tf.is_strictly_increasing(x)]
    with tf.Session() as session:
        assert session.run(results, {x: np.array(values, "i4")}) == [rising, strictly]


def test_monotonicity_of_strings_is_refused():
    with pytest.raises(TypeError, match="Expected x to be numeric, instead found: Tensor"):
        tf.is_non_decreasing(["a"])
