"""A plan's function: returned and released arrays."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.codegen import emit
from tfmini._src.compiler.codegen.value_expressions import first_true


def test_predicate_of_unknown_shape_outlives_merge():
    with tf.Graph().as_default(), tf.Session() as session:
        p = tf.placeholder(tf.bool)
        x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
        result = tf.cond(tf.logical_not(p), lambda: x, lambda: y)
        assert session.run(result, {p: True, x: 1.0, y: 2.0}) == 2.0
        assert session.run(result, {p: False, x: 1.0, y: 2.0}) == 1.0


def leading(predicates):
    """The number of leading true conditions, evaluated in nested branches."""
    if not predicates:
        return tf.constant(0)
    return tf.cond(predicates[0], lambda: leading(predicates[1:]) + 1, lambda: tf.constant(0))


@pytest.mark.parametrize("blocks", [1, 2, 4, 80])
def test_conds_nest_deeper_than_block_limit(blocks, monkeypatch):
    monkeypatch.setattr(emit, "_BLOCKS", blocks)
    with tf.Graph().as_default(), tf.Session() as session:
        predicates = [tf.placeholder(tf.bool) for _ in range(6)]
        first, second = leading(predicates), leading(predicates[3:])
        for false in range(6):
            feed = {p: i != false for i, p in enumerate(predicates)}
            assert session.run([first, second], feed) == [false, 3 if false < 3 else false - 3]
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="must be a scalar, but it has shape"
        ):
            session.run(first, {**feed, predicates[5]: [True, False]})


def test_conds_nest_deeper_than_python_limit():
    def more(depth, value):
        if depth == 0:
            return value
        return tf.cond(value > depth, lambda: more(depth - 1, value + 2.0), lambda: value)

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [])
        y = more(105, x)
        assert session.run(y, {x: 200.0}) == 410.0
        assert session.run(y, {x: 50.0}) == 50.0


def test_equal_tensors_are_fetched_as_separate_arrays():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [3])
        once = x * 2
        one, two, three = session.run([once, x * 2, tf.identity(once)], {x: np.ones(3)})
        one[0] = two[1] = 7.0
        assert (list(one), list(two), list(three)) == ([7, 2, 2], [2, 7, 2], [2, 2, 2])


@pytest.mark.parametrize("dims", [[4, 5], None])
def test_arrays_are_passed_in_row_major_order(dims):
    seen = []

    def function(array):
        seen.append(array.flags.c_contiguous)
        return np.float32(0)

    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, dims)
        transposed = tf.transpose(x)
        doubled = transposed * 2
        calls = [tf.py_func(function, [t], tf.float32) for t in (transposed, doubled)]
        *results, _, _ = session.run([transposed, doubled, *calls], {x: np.ones((4, 5))})
    assert [r.flags.c_contiguous for r in results] == seen == [True, True]


def test_merge_of_many_branches():
    """TensorFlow selects any of several live inputs; here only one is live."""
    with tf.Graph().as_default(), tf.Session() as session:
        number = tf.placeholder(tf.int32, [])
        inputs = [
            tf.raw_ops.Switch(data=tf.constant(float(i)), pred=tf.equal(number, i)).output_true
            for i in range(300)
        ]
        merged = tf.raw_ops.Merge(inputs=inputs)
        for i in (0, 1, 39, 40, 149, 150, 298, 299):
            assert session.run(merged, {number: i}) == (float(i), i)
        alive = tf.raw_ops.Merge(inputs=[tf.constant(1.0)] * 3000)
        assert session.run(alive.output) == 1.0


@pytest.mark.parametrize("size", [1, 2, 40, 41, 1000, 5000])
def test_first_true_returns_first_match(size):
    text = first_true([str(i) for i in range(size)], [f"n == {i}" for i in range(size)])
    code = compile(text, "chosen", "eval")
    for index in {0, size // 2, size - 1}:
        assert eval(code, {"n": index}) == index
    both = first_true([str(i) for i in range(size)], [f"n <= {i}" for i in range(size)])
    assert eval(both, {"n": size // 3}) == size // 3
