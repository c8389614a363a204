"""pfor, compared with row-by-row calls of the same functions."""

import numpy as np
import pytest
from absl import flags

import tfmini as tf
from tfmini._src.functions.parallel_for.converters import converters
from tfmini._src.functions.parallel_for.jacobians import batch_jacobian, jacobian
from tfmini._src.functions.parallel_for.pfor import for_loop, pfor
from tfmini._src.graph.opdef import registry
from tfmini._src.session.eager.enable import eager_mode

X = np.arange(24, dtype="f").reshape(2, 3, 4) / 7 - 1.5
Y = np.cos(np.arange(24, dtype="f")).reshape(2, 3, 4)
KERNEL = np.sin(np.arange(18, dtype="f")).reshape(3, 3, 1, 2)

FUNCTIONS = {
    "broadcasting": lambda x, y: (x[:, :1] * y + x[0], tf.maximum(x, 0.5), tf.where(x > 0, x, y)),
    "reductions": lambda x, y: (
        tf.reduce_sum(x, -1),
        tf.reduce_max(x),
        tf.reduce_mean(x, [0], keepdims=True),
        tf.argmax(x, 0),
        tf.cumsum(x, 1),
    ),
    "products": lambda x, y: (
        tf.matmul(x, y, transpose_b=True),
        tf.matmul(x, y, transpose_a=True),
        tf.matmul(x, Y[0].T),
        tf.matmul(Y[0].T, x),
        tf.tensordot(x, y, [[1], [1]]),
    ),
    "pieces": lambda x, y: (
        x[1:, ::-1],
        x[..., None, 2],
        tf.slice(x, [1, 0], [2, -1]),
        tf.concat([x, y], 1),
        tf.concat([x, Y[0]], -1),
        tf.stack([x, y], 1),
        *tf.unstack(x, axis=-1),
        *tf.split(x, 2, 1),
    ),
    "places": lambda x, y: (
        tf.transpose(x),
        tf.reshape(x, [2, 6]),
        tf.squeeze(tf.expand_dims(x, -2), [1]),
        tf.tile(x, [2, 1]),
        tf.pad(x, [[1, 0], [0, 2]]),
        tf.reverse(x, [0]),
        tf.broadcast_to(x[0], [3, 4]),
    ),
    "gathers": lambda x, y: (
        tf.gather(x, [2, 0]),
        tf.gather(x, [1], axis=1),
        tf.gather(Y[0], tf.cast(x[0] > 0, tf.int32)),
        tf.gather(Y[0], tf.cast(x[0] > 0, tf.int32), axis=1),
        tf.gather(x, tf.cast(y[0] > 0, tf.int32), axis=1),
        tf.gather(x, tf.cast(y[0, 0] > 0, tf.int32)),
    ),
    "sizes": lambda x, y: (
        tf.shape(x),
        tf.shape(x, out_type=tf.int64),
        tf.size(x),
        tf.size(x, out_type=tf.int64),
        tf.rank(x),
        tf.zeros_like(x),
        tf.fill([2], 1),
    ),
    "networks": lambda x, y: (
        tf.nn.softmax(x),
        tf.nn.bias_add(x, Y[0, 0]),
        tf.nn.bias_add(x, y[0]),
        tf.nn.l2_loss(x),
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=Y[0], logits=x),
        tf.nn.conv2d(x[None, :, :, None], KERNEL, strides=[1, 1, 1, 1], padding="SAME"),
        tf.nn.conv2d(x[None, :, :, None], KERNEL + x[0, 0], strides=[1, 1, 1, 1], padding="SAME"),
        tf.nn.max_pool(x[None, :, :, None], [1, 2, 2, 1], [1, 1, 1, 1], "VALID"),
    ),
    "segments": lambda x, y: tf.unsorted_segment_sum(x, tf.cast(y[:, 0] > 0, tf.int32), 2),
    "matrices": lambda x, y: (
        tf.linalg.diag(x),
        tf.matrix_band_part(x, 1, 0),
        tf.cholesky(tf.matmul(x, x, transpose_b=True) + 3.0 * tf.eye(3)),
        tf.one_hot(tf.cast(x > 0, tf.int32), 2, axis=0),
    ),
    "functions": lambda x, y: tf.function(lambda a, b: tf.tanh(a) * b)(x, y[0]),
    "constants": lambda x, y: (tf.constant(3.0), x),
}


def rows(function):
    made = [
        tf.contrib.framework.nest.flatten(function(tf.constant(X[n]), tf.constant(Y[n])))
        for n in range(2)
    ]
    with tf.Session() as session:
        result = session.run(made)
    return [np.stack(pair) for pair in zip(*result)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_match_row_by_row_calls(name):
    made = tf.vectorized_map(lambda pair: FUNCTIONS[name](*pair), (X, Y))
    made = tf.contrib.framework.nest.flatten(made)
    expected = rows(FUNCTIONS[name])
    with tf.Session() as session:
        result = session.run(made)
    assert len(result) == len(expected)
    for one, other in zip(result, expected):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def test_converters_belong_to_ops():
    assert set(converters) <= set(registry)


def test_eager_gradients_are_per_example():
    with tf.Graph().as_default(), eager_mode():
        w = tf.Variable([[1.0], [2.0]])

        def gradient(row):
            with tf.GradientTape() as tape:
                loss = tf.nn.l2_loss(tf.matmul(row[None], w))
            return tape.gradient(loss, w)

        result = tf.vectorized_map(gradient, tf.constant([[1.0, 0.0], [1.0, 1.0]]))
        assert result.numpy().tolist() == [[[1.0], [0.0]], [[3.0], [3.0]]]


def test_random_numbers_differ_between_iterations():
    made = pfor(lambda i: tf.random_uniform([3]) + 0.0 * tf.cast(i, tf.float32), 4)
    with tf.Session() as session:
        result = session.run(made)
    assert result.shape == (4, 3)
    assert len(np.unique(result)) == 12


@pytest.mark.parametrize("at_once", [2, 3, 8])
def test_chunks_preserve_results(at_once):
    made = pfor(lambda i: tf.gather(X[:, 0, :2] ** 2, i % 2) + 1.0, 5, parallel_iterations=at_once)
    with tf.Session() as session:
        result = session.run(made)
    np.testing.assert_allclose(result, (X[:, 0, :2] ** 2 + 1)[[0, 1, 0, 1, 0]], rtol=1e-6)


def test_cross_iteration_reductions():
    def centred(i, pfor_config):
        x = tf.gather(tf.constant([1.0, 2.0, 6.0]), i)
        return x - pfor_config.reduce_mean(x), pfor_config.reduce_sum(x)

    with tf.Session() as session:
        result, sums = session.run(pfor(centred, 3))
    assert result.tolist() == [-2.0, -1.0, 3.0]
    assert sums.tolist() == [9.0] * 3


def test_sparse_results_are_stacked():
    def row(i):
        i = tf.cast(i, tf.int64)
        return tf.SparseTensor([[i]], [i], [4])

    with tf.Session() as session:
        result = session.run(pfor(row, 3))
    assert result.indices.tolist() == [[0, 0], [1, 1], [2, 2]]
    assert (result.values.tolist(), result.dense_shape.tolist()) == ([0, 1, 2], [3, 4])


@pytest.mark.parametrize("use_pfor", [True, False])
def test_jacobians(use_pfor):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    y = x**2 * tf.constant([1.0, 10.0])
    whole, of_rows = jacobian(y, x, use_pfor), batch_jacobian(y, x, use_pfor)
    with tf.Session() as session:
        whole, of_rows = session.run([whole, of_rows])
    diagonal = np.diag([2.0, 40.0, 6.0, 80.0])
    assert whole.reshape(4, 4).tolist() == diagonal.tolist()
    assert of_rows.tolist() == [[[2.0, 0.0], [0.0, 40.0]], [[6.0, 0.0], [0.0, 80.0]]]
    with pytest.raises(ValueError, match="Need first dimension of output shape"):
        batch_jacobian(y[:1], x)


def test_unconvertible_op_is_refused_or_loops():
    def largest(i):
        return tf.nn.top_k(tf.gather(X[:, 0], i), 2).values

    with pytest.raises(ValueError, match="No converter defined for TopKV2"):
        pfor(largest, 2)
    fallback = flags.FLAGS["op_conversion_fallback_to_while_loop"]
    fallback.value = True
    try:
        made = pfor(largest, 2)
    finally:
        fallback.value = False
    with tf.Session() as session:
        np.testing.assert_allclose(session.run(made), np.sort(X[:, 0])[:, :1:-1])


def test_invalid_arguments():
    x = tf.constant(X)
    text = '^Input "{}" of op "{}" expected to be {}loop invariant'
    with pytest.raises(ValueError, match=text.format("shape", "Reshape", "")):
        pfor(lambda i: tf.reshape(tf.gather(x, i), [i, -1]), 2)
    with pytest.raises(ValueError, match=text.format("input", "StridedSlice", "not ")):
        pfor(lambda i: x[i], 2)
    with pytest.raises(IndexError, match="list index out of range"):
        batch_jacobian(tf.reduce_sum(x), x)
    with pytest.raises(ValueError, match="parallel_iterations must be None or a positive integer"):
        pfor(lambda i: i, 2, parallel_iterations=0)
    with pytest.raises(ValueError, match="Found parallel_iterations == 1. Use for_loop instead."):
        pfor(lambda i: i, 2, parallel_iterations=1)
    with pytest.raises(ValueError, match="Number of expected outputs, 1, does not match"):
        for_loop(lambda i: (i, i), tf.int32, 2)
