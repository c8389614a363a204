"""Nested loops in pfor, compared with row-by-row calls and with NumPy."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run
from tfmini._src.functions.parallel_for.jacobians import jacobian
from tfmini._src.functions.parallel_for.pfor import for_loop, pfor

X = np.cos(np.arange(15, dtype="f")).reshape(3, 5)
LENGTHS = np.array([4, 0, 2], "i")


def checked_pfor(function, dtypes, count=3):
    """The vectorized values of all iterations, after comparing them with sequential ones."""
    result, expected = run([pfor(function, count), for_loop(function, dtypes, count)])
    for created, right in zip(tf.nest.flatten(result), tf.nest.flatten(expected)):
        np.testing.assert_allclose(created, right, rtol=1e-6)
        assert created.shape == right.shape
    return result


def test_loop_variables_become_per_iteration():
    def function(i):
        return tf.while_loop(lambda j, _: j < 4, lambda j, total: (j + 1, total + i * j), [0, 1])

    count, total = checked_pfor(function, [tf.int32, tf.int32])
    assert count.tolist() == [4, 4, 4] and total.tolist() == [1, 7, 13]


def test_iterations_end_independently():
    lengths, x = tf.constant(LENGTHS), tf.constant(X)

    def function(i):
        row, length = tf.gather(x, i), tf.gather(lengths, i)
        return tf.while_loop(
            lambda j, _, __: j < length,
            lambda j, total, ends: (j + 1, total + row[j], tf.as_string(j)),
            [0, 0.0, "none"],
        )

    result = pfor(function, 3)
    count, total, ends = run(result)
    assert count.tolist() == LENGTHS.tolist() and ends.tolist() == [b"3", b"none", b"1"]
    np.testing.assert_allclose(total, [X[0, :4].sum(), 0, X[2, :2].sum()], rtol=1e-6)


def test_nested_loops():
    def function(i):
        def outer(j, total):
            _, inner = tf.while_loop(lambda k, _: k < i + j, lambda k, n: (k + 1, n + k), [0, 0])
            return j + 1, total + inner

        return tf.while_loop(lambda j, _: j < 2 * i, outer, [0, 0])[1]

    sums = [sum(k for j in range(2 * i) for k in range(i + j)) for i in range(4)]
    assert checked_pfor(function, tf.int32, 4).tolist() == sums


def test_tensor_arrays_in_body():
    def written(i):
        def body(j, array):
            return j + 1, array.write(j, i + j * j)

        start = tf.TensorArray(tf.int32, size=4)
        return tf.while_loop(lambda j, _: j < 4, body, (0, start))[1].stack()

    assert checked_pfor(written, tf.int32).tolist() == [
        [i + j * j for j in range(4)] for i in range(3)
    ]

    def read(i):
        array = tf.TensorArray(tf.int32, size=5).unstack(i + tf.range(5))
        return tf.while_loop(lambda j, _: j < i, lambda j, n: (j + 1, n + array.read(j)), [0, 0])[1]

    assert checked_pfor(read, tf.int32).tolist() == [0, 1, 5]


def test_tensor_arrays_with_independent_iteration_counts():
    def function(i):
        def body(j, array, pairs):
            return j + 1, array.write(j, i + j), pairs.scatter([2 * j, 2 * j + 1], [i, j])

        start = tf.TensorArray(tf.int32, size=3, element_shape=[])
        pairs = tf.TensorArray(tf.int32, size=6, element_shape=[])
        _, array, pairs = tf.while_loop(lambda j, *_: j < i, body, (0, start, pairs))
        return array.stack(), pairs.stack()

    numbers, pairs = checked_pfor(function, [tf.int32, tf.int32], 4)
    assert numbers.tolist() == [[0, 0, 0], [1, 0, 0], [2, 3, 0], [3, 4, 5]]
    assert pairs[2].tolist() == [2, 0, 2, 1, 0, 0]


def test_gradients_of_loops_in_body():
    x = tf.constant(X)

    def function(i):
        row = tf.gather(x, i)
        power = tf.while_loop(lambda j, _: j < 3, lambda j, y: (j + 1, y * row), [0, row])[1]
        return tf.gradients(power, row)[0]

    np.testing.assert_allclose(run(pfor(function, 3)), 4 * X**3, rtol=1e-5)

    def of_its_own_length(i):
        row = tf.gather(x, i)
        power = tf.while_loop(lambda j, _: j < i, lambda j, y: (j + 1, y * row), [0, row])[1]
        return tf.gradients(power, row)[0]

    with pytest.raises(ValueError, match="cannot convert the gradient of a loop whose condition"):
        pfor(of_its_own_length, 3)


def test_loop_jacobians():
    x, y = tf.constant(X[:1, :3]), tf.constant(X[:, :3])
    power = tf.while_loop(lambda j, _: j < 3, lambda j, out: (j + 1, tf.matmul(out, y)), [0, x])[1]
    result = run(jacobian(power, x))
    np.testing.assert_allclose(
        result[0, :, 0], np.linalg.matrix_power(X[:, :3], 3).T, rtol=1e-5, atol=1e-6
    )
    # Gradients add nodes to the loop outside its body: the stack belongs to the loop.
    squares = tf.while_loop(lambda j, _: j < 2, lambda j, out: (j + 1, out * out), [0, x])[1]
    np.testing.assert_allclose(
        run(jacobian(squares, x))[0, :, 0], np.diag(4 * X[0, :3] ** 3), rtol=1e-5
    )


def test_recurrent_networks():
    inputs, lengths = (
        tf.constant(np.sin(np.arange(24, dtype="f")).reshape(3, 4, 2)),
        tf.constant(LENGTHS),
    )
    cell = tf.nn.rnn_cell.BasicLSTMCell(3)
    initial = cell.zero_state(1, tf.float32)
    tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32)

    def function(i):
        with tf.variable_scope(tf.get_variable_scope(), reuse=True):
            row, length = tf.gather(inputs, [i]), tf.gather(lengths, [i])
            outputs, state = tf.nn.dynamic_rnn(cell, row, length, initial_state=initial)
        return outputs, state.h

    result = pfor(function, 3)
    whole = tf.nn.dynamic_rnn(cell, inputs, lengths, dtype=tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        (outputs, last), (expected, state) = session.run([result, whole])
    np.testing.assert_allclose(outputs[:, 0], expected, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(last[:, 0], state.h, rtol=1e-6, atol=1e-7)


def test_random_numbers_and_control_dependencies():
    def function(i):
        with tf.control_dependencies([i]):
            _, total = tf.while_loop(
                lambda j, _: j < 4, lambda j, x: (j + 1, x + tf.random_uniform([])), [0, 0.0]
            )
            return total, tf.while_loop(lambda j: j < 4, lambda j: j + 1, [0])

    totals, counts = run(pfor(function, 5))
    assert len(set(totals.tolist())) == 5 and counts.tolist() == [4] * 5
