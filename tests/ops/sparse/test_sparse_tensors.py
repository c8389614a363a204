"""Sparse tensors: what the rows of samples and the golden programs do not reach."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.ops.sparse.sparse_indices import check_places, keys, order

pytestmark = pytest.mark.usefixtures("session")


def matrix():
    return tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])


def test_many_parts(session):
    count = 20_000
    rows = np.stack([np.repeat([0, 1], count), np.tile(np.arange(count), 2)], 1)[::7]
    values = np.arange(len(rows))
    split = tf.raw_ops.SparseSplit(
        split_dim=1, indices=rows, values=values, shape=[2, count], num_split=count // 3
    )
    for number in (0, 1, 2, count // 3 - 1):  # 6666 parts, the first two longer by one
        start = 3 * number + min(number, 2)
        length = 3 + (number < 2)
        inside = (rows[:, 1] >= start) & (rows[:, 1] < start + length)
        found = session.run([parts[number] for parts in split])
        np.testing.assert_array_equal(found[0], rows[inside] - [0, start])
        np.testing.assert_array_equal(found[1], values[inside])
        np.testing.assert_array_equal(found[2], [2, length])


def test_places_of_a_huge_shape_are_ordered_too(session):
    far = 2**61
    places = np.array([[far, 5, 1], [0, far, 2], [far, 5, 0]])
    assert order(np, places).tolist() == [1, 2, 0]
    first, second = keys(np, places, places[::-1])
    assert first.tolist() == second[::-1].tolist()
    sparse = tf.SparseTensor(places, [1, 2, 3], [far + 1] * 3)
    assert session.run(tf.sparse_reorder(sparse).values).tolist() == [2, 3, 1]


def test_sorted_places_are_not_sorted_again():
    assert order(np, np.array([[0, 1], [0, 1], [2, 0]])) is None
    assert order(np, np.zeros((0, 2), "i8")) is None


def test_no_elements(session):
    empty = tf.SparseTensor(np.zeros((0, 2), "i8"), tf.zeros([0]), [2, 3])
    check_places(np, np.zeros((0, 2), "i8"), np.array([2, 3]))
    zeros = np.zeros((2, 3))
    assert (session.run(tf.sparse_tensor_to_dense(empty)) == zeros).all()
    assert (session.run(tf.sparse_add(empty, tf.ones([2, 3]))) == zeros + 1).all()
    assert (session.run(tf.sparse_tensor_dense_matmul(empty, tf.ones([3, 4]))) == 0).all()
    assert session.run(tf.sparse_reduce_sum(empty, 1)).tolist() == [0, 0]
    assert session.run(tf.sparse_reduce_sum_sparse(empty, 1)).values.size == 0
    assert session.run(tf.sparse_softmax(empty).values).size == 0
    assert session.run(tf.sparse_add(empty, empty).indices).shape == (0, 2)
    assert session.run(tf.sparse_fill_empty_rows(empty, 9.0)[0]).values.tolist() == [9, 9]
    (part, _) = tf.sparse_split(sp_input=empty, num_split=2, axis=1)
    assert session.run(part).dense_shape.tolist() == [2, 2]


def test_the_reshape_of_nothing_cannot_infer(session):
    empty = tf.SparseTensor(np.zeros((0, 2), "i8"), tf.zeros([0]), [0, 3])
    shape = tf.placeholder_with_default(np.array([0, -1]), [2])
    with pytest.raises(tf.errors.InvalidArgumentError, match="cannot infer the missing input size"):
        session.run(tf.sparse_reshape(empty, shape).indices)


def test_values_are_fed_as_a_tuple_or_a_sparse_value(session):
    x = tf.sparse_placeholder(tf.float32, [2, 2])
    dense = tf.sparse_tensor_to_dense(x)
    parts = ([[0, 1]], [3.0], [2, 2])
    for value in (parts, tf.SparseTensorValue(*parts)):
        assert session.run(dense, {x: value}).tolist() == [[0, 3], [0, 0]]
    value = session.run(tf.sparse_transpose(x), {x: parts})
    assert isinstance(value, tf.SparseTensorValue)
    assert value.indices.tolist() == [[1, 0]]


def test_a_sparse_value_is_taken_where_a_sparse_tensor_is(session):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.array([3.0]), np.array([2, 2]))
    assert session.run(tf.sparse_tensor_to_dense(value)).tolist() == [[0, 3], [0, 0]]
    assert session.run(tf.sparse_add(value, value)).values.tolist() == [6]


def test_operators_make_sparse_tensors_of_the_same_places(session):
    x = matrix()
    for result, values in ((x * 2, [2, 4]), (x / 2, [0.5, 1]), (tf.fill([3, 4], 3.0) * x, [3, 6])):
        assert isinstance(result, tf.SparseTensor)
        assert result.indices is x.indices
        assert session.run(result.values).tolist() == values
    whole = tf.SparseTensor([[0]], tf.constant([7], tf.int8), [1]) / tf.constant(2, tf.int8)
    assert whole.dtype is tf.float32


@pytest.mark.parametrize(
    ("op", "make"),
    [
        ("SparseSparseMaximum", lambda x: tf.sparse_maximum(x, x)),
        ("SparseSparseMinimum", lambda x: tf.sparse_minimum(x, x)),
    ],
)
def test_extremes_have_no_gradient(op, make):
    x = matrix()
    with pytest.raises(NotImplementedError, match=f"^Gradient for {op} is currently not impl"):
        tf.gradients(make(x).values, x.values)


def test_the_product_has_no_complex_gradient():
    x = tf.SparseTensor([[0, 0]], tf.constant([1j], tf.complex64), [1, 1])
    product = tf.sparse_tensor_dense_matmul(x, tf.ones([1, 1], tf.complex64))
    with pytest.raises(NotImplementedError, match="does not support complex gradients"):
        tf.gradients(product, x.values, product)


def test_functions_of_elements(session):
    x = tf.SparseTensor([[0], [2]], [-4.0, 9.0], [3])
    for function in (tf.abs, tf.sign, tf.square, tf.negative, tf.tanh, tf.erf):
        result = function(x)
        assert result.dense_shape is x.dense_shape
        expected = session.run(function(x.values))
        assert session.run(result.values).tolist() == expected.tolist()
    with pytest.raises(
        (TypeError, ValueError),
        match="Failed to convert object of type <class 'tfmini.SparseTensor'> to Tensor",
    ):
        tf.exp(x)


def test_products_of_other_dtypes_do_not_need_scipy(session):
    half = tf.SparseTensor([[0, 1], [0, 1]], tf.constant([1.0, 2.0], tf.bfloat16), [2, 2])
    product = tf.sparse_tensor_dense_matmul(half, tf.ones([2, 2], tf.bfloat16))
    assert session.run(tf.to_float(product)).tolist() == [[3, 3], [0, 0]]


def test_malformed_serialized_tensors(session):
    good = session.run(tf.serialize_sparse(matrix()))
    other = session.run(tf.serialize_sparse(tf.SparseTensor([[0]], [1.0], [1])))
    for rows, dtype, text in (
        ([[good[0], good[1], b"\xff\xff"]], tf.float32, "Could not parse serialized proto"),
        ([good, other], tf.float32, "Inconsistent shape across SparseTensors: rank prior to"),
        ([good], tf.int32, "Requested SparseTensor of type int32 but SparseTensor"),
        ([[good[1], good[1], good[2]]], tf.float32, "represent an index matrix"),
    ):
        parts = tf.deserialize_many_sparse(np.array([list(row) for row in rows], object), dtype)
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(parts.indices)


def test_the_static_shape_is_what_python_knows():
    n = tf.placeholder(tf.int64, [])
    unknown = tf.SparseTensor([[0, 1]], [1.0], tf.stack([n, 4]))
    assert unknown.shape.as_list() == [None, 4]
    assert tf.SparseTensor([[0]], [1.0], tf.constant([3, 4], tf.int64)[1:]).shape == [4]
    joined = tf.concat([tf.stack([n]), [5]], 0)
    assert tf.SparseTensor([[0, 1]], [1.0], joined).shape.as_list() == [None, 5]
    assert tf.sparse_placeholder(tf.float32).shape.ndims is None
    whole = tf.shape(tf.placeholder(tf.float32, [None, 2]), out_type=tf.int64)
    assert tf.SparseTensor([[0, 1]], [1.0], whole).get_shape().as_list() == [None, 2]
    assert tf.SparseTensor([[0, 1]], [1.0], whole + 1).shape.as_list() == [None, None]


def test_a_map_keeps_what_it_was_given(session):
    """Whatever becomes of the arrays that were fed."""
    places, values, shape = np.array([[0, 0], [1, 2]]), np.array([1.0, 2.0]), np.array([2, 4])
    fed = [tf.placeholder(dtype) for dtype in (tf.int64, tf.float64, tf.int64)]
    handles = tf.raw_ops.AddManySparseToTensorsMap(
        sparse_indices=fed[0], sparse_values=fed[1], sparse_shape=fed[2], shared_name="map"
    )
    wanted = tf.placeholder(tf.int64)
    taken = tf.raw_ops.TakeManySparseFromTensorsMap(
        sparse_handles=wanted, dtype=tf.float64, shared_name="map"
    )
    kept = session.run(handles, dict(zip(fed, [places, values, shape])))
    places[:], values[:], shape[:] = 0, 7, 9
    found = session.run(taken, {wanted: kept})
    assert found.sparse_indices.tolist() == [[0, 0], [1, 2]]
    assert found.sparse_values.tolist() == [1, 2]
    assert found.sparse_shape.tolist() == [2, 4]


def test_the_smallest_shape(session):
    found = session.run(tf.sparse.reset_shape(tf.SparseTensor([[0, 2], [1, 0]], [1, 2], [3, 4])))
    assert found.dense_shape.tolist() == [2, 3]
    empty = tf.SparseTensor(np.zeros([0, 2], np.int64), np.zeros([0]), [3, 4])
    assert session.run(tf.sparse.reset_shape(empty)).dense_shape.tolist() == [0, 0]


@pytest.mark.parametrize(
    "start, size, wanted",
    [([1, 5], [2, 2], [2, 0]), ([3, 0], [1, 4], [0, 4]), ([2, 3], [9, 1], [1, 1])],
)
def test_a_slice_that_begins_behind_the_end_is_empty(session, start, size, wanted):
    found = session.run(tf.sparse.slice(matrix(), start, size))
    assert found.dense_shape.tolist() == wanted
