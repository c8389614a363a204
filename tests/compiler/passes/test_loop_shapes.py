"""loop_shapes: loops and their gradients contain no sums over axes that were not broadcast."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.programs import kinds, lowered


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as new_graph:
        yield new_graph


def numbers(*shape):
    return np.sin(np.arange(np.prod(shape, dtype=int)) + 1.0).reshape(shape).astype("f")


def bodies(*fetches, feeds=()):
    """The nodes of a program's loops, in order, and the program."""
    program = lowered(*fetches, feeds=feeds)
    loops = [node for node in program.nodes if node.kind == "while"]
    result = [
        [m.opdef.name for n in loop.loop.program.nodes for m in (n, *n.members) if m.kind == "op"]
        for loop in loops
    ]
    return result, kinds(program)


def recurrent(x, w, state):
    """tanh(x[i] * w + state) * state over the rows of x [time, batch, 3], through a TensorArray."""
    steps = tf.shape(x)[0]
    rows = tf.TensorArray(tf.float32, steps).unstack(x)

    def body(i, h):
        return i + 1, tf.tanh(rows.read(i) * w + h) * h

    return tf.while_loop(lambda i, _: i < steps, body, [0, state])[1]


def by_numpy(x, w, state):
    for row in x:
        state = np.tanh(row * w + state) * state
    return state


def slope(function, value, step=1e-3):
    """The gradient of the sum of a function's values, numerically."""
    result = np.zeros(value.shape)
    for index in np.ndindex(*value.shape):
        up, down = value.astype(np.float64), value.astype(np.float64)
        up[index] += step
        down[index] -= step
        result[index] = (function(up).sum() - function(down).sum()) / (2 * step)
    return result


def test_equal_batches_are_not_summed():
    x = tf.placeholder(tf.float32, [None, None, 3])
    w = tf.placeholder(tf.float32, [3])
    state = tf.fill(tf.stack([tf.shape(x)[1], 3]), 0.5)
    grads = tf.gradients(recurrent(x, w, state), [x, w])
    (forward, backward), _ = bodies(*grads, feeds=[x, w])
    assert forward.count("Shape") == 1 and forward.count("StackPushV2") < 7
    assert backward.count("Reshape") == 1  # of the gradient of w, which is summed over the rows
    values, factors = numbers(4, 2, 3), numbers(3)
    with tf.Session() as session:
        got = session.run(grads, {x: values, w: factors})
    start = np.full((2, 3), 0.5)
    np.testing.assert_allclose(
        got[0], slope(lambda v: by_numpy(v, factors, start), values), atol=1e-4
    )
    np.testing.assert_allclose(
        got[1], slope(lambda v: by_numpy(values, v, start), factors), atol=1e-4
    )


@pytest.mark.parametrize("batch", [1, 2])
def test_state_of_other_batch_broadcasts(batch):
    x, state = (
        tf.placeholder(tf.float32, [None, None, 3]),
        tf.placeholder(tf.float32, [None, 3]),
    )
    w = tf.constant(numbers(3))
    steps = tf.shape(x)[0]

    def body(i, h):
        return i + 1, tf.tanh(x[i] * w + h)

    shapes = [tf.TensorShape([]), tf.TensorShape([None, 3])]
    last = tf.while_loop(lambda i, _: i < steps, body, [0, state], shape_invariants=shapes)[1]
    grads = tf.gradients(last, [x, state])
    values, start = numbers(3, 2, 3), numbers(batch, 3)

    def wanted(x, state):
        for row in x:
            state = np.tanh(row * numbers(3) + state)
        return state

    with tf.Session() as session:
        got = session.run(grads, {x: values, state: start})
    np.testing.assert_allclose(got[0], slope(lambda v: wanted(v, start), values), atol=1e-4)
    np.testing.assert_allclose(got[1], slope(lambda v: wanted(values, v), start), atol=1e-4)


def test_growing_loop_variable():
    x = tf.placeholder(tf.float32, [None, 2])

    def body(i, a):
        return i + 1, tf.concat([a, a * a], 0)

    shapes = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    whole = tf.while_loop(lambda i, _: i < 3, body, [0, x], shape_invariants=shapes)[1]
    grad = tf.gradients(whole, x)[0]
    value = numbers(2, 2) / 2

    def wanted(a):
        for _ in range(3):
            a = np.concatenate([a, a * a])
        return a

    with tf.Session() as session:
        got = session.run(grad, {x: value})
    np.testing.assert_allclose(got, slope(wanted, value), atol=1e-4)


def test_remembered_conds_are_kept():
    x = tf.placeholder(tf.float32, [None, 2])

    def body(i, a):
        return i + 1, tf.cond(tf.equal(i % 2, 0), lambda: a * a, lambda: a + a)

    last = tf.while_loop(lambda i, _: i < 3, body, [0, x])[1]
    grad = tf.gradients(last, x)[0]
    with tf.Session() as session:
        got = session.run(grad, {x: [[2.0, 3.0]]})
    np.testing.assert_allclose(got, [[128.0, 432.0]])  # of (2 x^2)^2


def test_stack_of_predicates_is_kept():
    """Popped values are read only by the guard of a fetch."""
    raw = tf.raw_ops
    said = tf.placeholder(tf.bool, [])
    stack = raw.StackV2(max_size=-1, elem_type=tf.bool)
    with tf.control_dependencies([raw.StackPushV2(handle=stack, elem=said)]):
        popped = raw.StackPopV2(handle=stack, elem_type=tf.bool)
    value = raw.Switch(data=tf.constant(3.0), pred=popped).output_true
    program = lowered(value, feeds=[said])
    assert "StackPopV2" in kinds(program)
    with tf.Session() as session:
        assert session.run(value, {said: True}) == 3.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not have value"):
            session.run(value, {said: False})


@pytest.mark.parametrize("batch", [1, 2])
@pytest.mark.parametrize("is_last", [False, True])
def test_only_invariant_variable_keeps_shape(batch, is_last):
    """Regardless of their order."""
    x, state = (
        tf.placeholder(tf.float32, [None, None, 3]),
        tf.placeholder(tf.float32, [None, 3]),
    )
    steps = tf.shape(x)[0]
    invariants = [tf.TensorShape([]), tf.TensorShape([None, 3]), tf.TensorShape([2])]

    def body(i, h, c):
        h, c = (h, c) if is_last else (c, h)
        result = tf.tanh(x[i] * h), tf.sin(c) * c
        return (i + 1, *result) if is_last else (i + 1, *result[::-1])

    start = [state, tf.constant([0.5, 0.25])]
    shapes = invariants[1:]
    if not is_last:
        start, shapes = start[::-1], shapes[::-1]
    last = tf.while_loop(
        lambda i, *_: i < steps, body, [0, *start], shape_invariants=[invariants[0], *shapes]
    )
    changed = last[1] if is_last else last[2]
    grads = tf.gradients(changed, [x, state])
    values, begin = numbers(3, 2, 3), numbers(batch, 3)

    def wanted(x, state):
        for row in x:
            state = np.tanh(row * state)
        return state

    with tf.Session() as session:
        got = session.run(grads, {x: values, state: begin})
    np.testing.assert_allclose(got[0], slope(lambda v: wanted(v, begin), values), atol=1e-4)
    np.testing.assert_allclose(got[1], slope(lambda v: wanted(values, v), begin), atol=1e-4)
