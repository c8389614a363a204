"""gradients: arguments, traversal, and errors. The golden programs compare its graphs with TensorFlow's."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.oracles.numeric_gradient import check
from tfmini._src.autodiff.aggregation import aggregate_indexed_slices


def message_of(kind, function, *args, **kwargs):
    with pytest.raises(kind) as caught:
        function(*args, **kwargs)
    return str(caught.value)


def run(fetches, feed=None):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        return session.run(fetches, feed)


def network(x, w, b):
    hidden = tf.tanh(tf.matmul(x, w) + b)
    parts = tf.split(hidden, 2, axis=1)
    shared = tf.reshape(parts[0], [-1]) * tf.reduce_sum(parts[1])
    picked = tf.gather(hidden, [1, 0, 1])
    return [shared / (1.0 + tf.square(shared)), tf.reduce_max(picked, axis=0), tf.concat(parts, 0)]


def test_network_gradients_match_differences():
    rng = np.random.RandomState(3)
    check(network, [rng.randn(3, 2), rng.randn(2, 4), rng.randn(4)], order=2)


def test_conditional_gradients_match_differences():
    def function(x):
        chosen = tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.exp(x), lambda: x * x)
        return [tf.cond(x[0] > 5.0, lambda: chosen, lambda: chosen * x)]

    check(function, [np.array([0.5, 1.5])], order=2)
    check(function, [np.array([-0.5, -1.5])], order=2)


@pytest.mark.parametrize("resource", [False, True])
def test_unconnected_gradients(resource):
    v = tf.Variable([1.0, 2.0], use_resource=resource)
    loose = tf.placeholder(tf.float64, [None, 2])
    one = tf.constant(1.0)
    assert tf.gradients(one, [v, loose]) == [None, None]
    zeros = tf.gradients(one, [v, loose], unconnected_gradients=tf.UnconnectedGradients.ZERO)
    assert [z.dtype for z in zeros] == [tf.float32, tf.float64]
    result = run(zeros, {loose: np.ones([3, 2])})
    assert result[0].tolist() == [0.0, 0.0] and result[1].shape == (3, 2)
    assert "Unknown value for unconnected_gradients: 'some'" in message_of(
        ValueError, tf.gradients, one, v, unconnected_gradients="some"
    )


def test_gather_gradient_stays_indexed_slices():
    table = tf.Variable(np.ones([5, 2], "f"))
    (rows,) = tf.gradients(tf.gather(table, [3, 0, 3]) * 2.0, table)
    assert isinstance(rows, tf.IndexedSlices)
    result = run([rows.values, rows.indices])
    assert result[0].tolist() == [[2.0, 2.0]] * 3 and result[1].tolist() == [3, 0, 3]
    (both,) = tf.gradients(
        [tf.gather(table, [3]), tf.gather(table, tf.constant([1], tf.int64))], table
    )
    assert isinstance(both, tf.IndexedSlices) and both.indices.dtype == tf.int64
    (dense,) = tf.gradients([tf.gather(table, [3]), table * 1.0], table)
    assert isinstance(dense, tf.Tensor)
    assert run(dense)[:, 0].tolist() == [1.0, 1.0, 1.0, 2.0, 1.0]


@pytest.mark.parametrize("method", range(3))
def test_aggregation_methods_agree(method):
    a = tf.constant([1.0, 2.0])
    ys = [a * a, tf.exp(a), tf.sin(a), a]
    (total,) = tf.gradients(ys, a, aggregation_method=method)
    x = np.array([1.0, 2.0])
    np.testing.assert_allclose(run(total), 2 * x + np.exp(x) + np.cos(x) + 1, rtol=1e-5)
    kinds = {op.type for op in tf.get_default_graph().get_operations()}
    assert ("AccumulateNV2" in kinds) == (method == 2)
    assert message_of(ValueError, tf.gradients, ys, a, aggregation_method=9) == (
        "Invalid aggregation_method specified 9."
    )


@pytest.mark.parametrize(
    "y, grad_y, message",
    [
        (1j, None, "Gradients of complex tensors must set grad_ys (y.dtype = tf.complex128)"),
        (1.0, 1j, "Gradient type complex128 generated for real or integer-valued tensor "
         'Tensor("Const:0", shape=(), dtype=float32) with type float32 must be real or integer'),
        (1j, 1.0, 'Gradient type float32 generated for complex-valued tensor Tensor("Const:0", '
         "shape=(), dtype=complex128) with type complex128 must be real"),
        ("a", 1.0, 'Tensor Tensor("Const:0", shape=(), dtype=string) with type string must be numeric '
         "to obtain a default gradient"),
    ],
)  # fmt: skip
def test_grad_ys_dtypes(y, grad_y, message):
    y = tf.constant(y)
    assert message_of(TypeError, tf.gradients, y, y, grad_ys=grad_y) == message


def test_variant_gradients_require_grad_ys():
    x = tf.constant([1.0, 2.0])
    empty = tf.raw_ops.EmptyTensorList(
        element_shape=tf.constant([2]), max_num_elements=3, element_dtype=tf.float32
    )
    pushed = tf.raw_ops.TensorListPushBack(input_handle=empty, tensor=x)
    with pytest.raises(TypeError, match="generated for variant tensor .* must be variant"):
        tf.gradients(pushed, [x], grad_ys=[tf.constant(1.0)])
    (grad,) = tf.gradients(pushed, [x], grad_ys=[pushed])
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(grad), [1.0, 2.0])


def test_nested_slices_aggregate():
    inner = tf.IndexedSlices(tf.ones([3, 2]), tf.constant([0, 1, 1]), tf.constant([2, 2]))
    outer = tf.IndexedSlices(inner, tf.constant([3, 1]), tf.constant([4, 2]))
    result = aggregate_indexed_slices([outer, outer])
    with tf.Session() as session:
        positions, shape = session.run([result.indices, result.dense_shape])
    assert (positions.tolist(), shape.tolist()) == ([3, 1, 1] * 2, [2, 2])  # TensorFlow 1.15.5's
