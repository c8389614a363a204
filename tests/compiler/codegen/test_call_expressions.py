"""Expressions in plan lines: scalar sums, arrays of known shape."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.codegen import call_expressions


def test_output_reuses_no_input_of_other_rank(session):
    x, y = tf.placeholder(tf.int32, [400]), tf.placeholder(tf.int32, [400, 400])
    result = session.run(tf.reverse(x, [0]) / y, {x: np.arange(400), y: np.full([400, 400], 2)})
    np.testing.assert_array_equal(result, np.tile(np.arange(400)[::-1] / 2, [400, 1]))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "int8", "int64"])
@pytest.mark.parametrize("most", [0, 256])
def test_scalars_are_added_in_order(monkeypatch, dtype, most):
    monkeypatch.setattr(call_expressions, "_MAX_TERMS", most)
    x = tf.placeholder(dtype, [])
    for count in (1, 2, 5, 300):
        total = tf.add_n([x * tf.constant(i % 100, dtype) for i in range(count)])
        with tf.Session() as session:
            actual = session.run(total, {x: 3})
        expected = np.zeros((), total.dtype.as_numpy_dtype)[()]
        with np.errstate(over="ignore"):
            for i in range(count):
                expected = expected + expected.dtype.type(3) * expected.dtype.type(i % 100)
        assert actual == expected and actual.dtype == expected.dtype, count


def test_nan_and_infinity_propagate_through_add_n():
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        for a, b in ((np.inf, -np.inf), (np.nan, 1), (np.inf, 1), (3e38, 3e38)):
            with np.errstate(all="ignore"):
                expected = np.float32(a) + np.float32(b) + np.float32(a)
            np.testing.assert_equal(session.run(tf.add_n([x, y, x]), {x: a, y: b}), expected)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int32"])
def test_add_n_of_two_arrays(dtype):
    x = tf.placeholder(dtype, [40, 30])
    product = x * x
    total = tf.add_n([product, tf.abs(x)])
    fed = np.arange(-600, 600).reshape(40, 30).astype(total.dtype.as_numpy_dtype) // 40
    with tf.Session() as session:
        before, result = session.run([product, total], {x: fed})
        alone = session.run(total, {x: fed})
    np.testing.assert_array_equal(before, fed * fed)
    np.testing.assert_array_equal(result, fed * fed + abs(fed))
    np.testing.assert_array_equal(alone, result)


@pytest.mark.parametrize("dtype", ["float32", "int64", "string"])
def test_views_with_static_shapes(dtype):
    numbers = np.arange(12).reshape(4, 3)
    fed = numbers.astype(np.dtype(object) if dtype == "string" else dtype)
    if dtype == "string":
        fed = np.array([[b"%d" % n for n in row] for row in numbers], object)
    x = tf.placeholder(dtype, [4, 3])
    transposed = tf.transpose(x)
    views = {
        tf.reshape(x, [2, -1]): fed.reshape(2, 6),
        tf.reshape(transposed, [12]): fed.T.reshape(12),
        tf.expand_dims(transposed, 1): fed.T[:, None],
        tf.squeeze(x[:1], 0): fed[0],
        tf.slice(x, [1, 0], [2, -1]): fed[1:3],
        tf.slice(transposed, [0, 3], [3, 1]): fed.T[:, 3:],
        tf.slice(x, [4, 0], [-1, 3]): fed[4:],
        tf.reshape(x[:1, :1], []): fed[0, 0],
    }
    with tf.Session() as session:
        for found, expected in zip(session.run([*views], {x: fed}), views.values()):
            np.testing.assert_array_equal(found, expected)


def test_out_of_range_slice_raises_op_error():
    x = tf.placeholder(tf.float32, [None, 3])
    part = tf.slice(x, [1, 0], [2, 3])
    with tf.Session() as session:
        for _ in range(40):  # more than the runs after which a plan for these shapes is compiled
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=r"Expected size\[0\] in \[0, 1\]"
            ):
                session.run([part, tf.shape(x)], {x: np.zeros([2, 3])})


def test_tensor_lists_are_not_added_as_numbers():
    x = tf.constant([[1.0, 2.0]])
    first, second = (
        tf.raw_ops.TensorListFromTensor(tensor=x * n, element_shape=[2]) for n in (1.0, 2.0)
    )
    total = tf.raw_ops.TensorListStack(
        input_handle=tf.raw_ops.AddN(inputs=[first, second]),
        element_shape=[2],
        element_dtype=tf.float32,
    )
    with tf.Session() as session:
        assert session.run(total).tolist() == [[3.0, 6.0]]


def _declared(array, shape):
    tensor = tf.py_func(lambda: array, [], tf.float32)
    tensor.set_shape(shape)
    return tensor


@pytest.mark.parametrize("shape", [(2, 3), (4, 5), (1, 3), (4, 1)])
def test_wrong_static_shape_is_not_trusted(session, shape):
    array = np.arange(12, dtype="f").reshape(4, 3)
    x = _declared(array, shape)
    powers = np.exp(array - array.max(1, keepdims=True))
    expected = {
        tf.nn.softmax(x): powers / powers.sum(1, keepdims=True),
        tf.reduce_sum(x, 1): array.sum(1),
        tf.reduce_sum(x): array.sum(),
        tf.reduce_max(x, 1): array.max(1),
        tf.reduce_max(x, 0): array.max(0),
        tf.argmax(x, 1): array.argmax(1),
        tf.nn.top_k(x)[0]: array.max(1, keepdims=True),
        tf.stack([x, x], 1): np.stack([array, array], 1),
        tf.tile(x, [2, 1]): np.tile(array, (2, 1)),
        tf.reshape(x, [-1]): array.ravel(),
        tf.expand_dims(x, 1): array[:, None],
        tf.squeeze(tf.expand_dims(x, 0)): array,
        tf.slice(x, [0, 0], [1, 1]): array[:1, :1],
        tf.transpose(x): array.T,
    }
    for _ in range(2):
        for result, value in zip(session.run(list(expected)), expected.values(), strict=True):
            np.testing.assert_allclose(result, value, rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError, match="evenly divide"):
        session.run(tf.split(_declared(array, (4, 2)), 2, 1))
