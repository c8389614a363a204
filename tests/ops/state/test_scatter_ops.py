"""Scatters into variables: repeated indices, and errors without side effects."""

import re

import numpy as np
import pytest

import tfmini as tf

MATRIX = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], "f")


@pytest.fixture(params=[False, True], ids=["reference", "resource"])
def variable(request, session):
    created = tf.Variable(MATRIX, use_resource=request.param)
    session.run(created.initializer)
    return created


def test_methods_accept_slices(session, variable):
    slices = tf.IndexedSlices([[1.0, 1.0], [2.0, 2.0]], [2, 2])
    assert session.run(variable.scatter_add(slices))[2].tolist() == [8.0, 9.0]
    assert session.run(variable.scatter_sub(slices))[2].tolist() == [5.0, 6.0]
    assert session.run(variable.scatter_mul(slices))[2].tolist() == [10.0, 12.0]
    assert session.run(variable.scatter_div(slices))[2].tolist() == [5.0, 6.0]
    assert session.run(variable.scatter_max(slices))[2].tolist() == [5.0, 6.0]
    assert session.run(variable.scatter_min(slices))[2].tolist() == [1.0, 1.0]
    assert session.run(variable.scatter_update(slices))[2].tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="sparse_delta is not IndexedSlices: 3"):
        variable.scatter_add(3)


def test_scatter_nd_methods(session, variable):
    assert session.run(variable.scatter_nd_add([[0, 1]], [10.0]))[0].tolist() == [1.0, 12.0]
    assert session.run(variable.scatter_nd_sub([[0]], [[1.0, 2.0]]))[0].tolist() == [0.0, 10.0]
    assert session.run(variable.scatter_nd_update([[0]], [[8.0, 9.0]]))[0].tolist() == [8.0, 9.0]


def test_scatter_nd_into_transposed_value(session):
    x = tf.placeholder(tf.float32, [3, 2])
    v = tf.Variable(MATRIX)
    session.run(v.assign(x), {x: np.asfortranarray(MATRIX)})
    assert session.run(tf.scatter_nd_add(v, [[2, 1]], [10.0])).tolist() == [[1, 2], [3, 4], [5, 16]]


def test_batch_scatter_update(session, variable):
    actual = session.run(tf.batch_scatter_update(variable, [[0], [1], [0]], [[7.0], [8.0], [9.0]]))
    assert actual.tolist() == [[7.0, 2.0], [3.0, 8.0], [9.0, 6.0]]


def test_integer_division_truncates(session):
    v = tf.Variable([7, -7, 7])
    session.run(v.initializer)
    assert session.run(tf.scatter_div(v, [0, 1, 2], [2, 2, -2])).tolist() == [3, -3, -3]


def test_repeated_indices_apply_in_order(session):
    """Rounding reveals the order: the result must equal sequential addition."""
    random = np.random.RandomState(0)
    rows = random.randint(0, 50, 200)
    updates = random.randn(200, 3).astype("f") * np.float32(10.0) ** random.randint(-3, 4, (200, 1))
    updates = updates.astype("f")
    expected = np.ones((50, 3), "f")
    for row, update in zip(rows, updates):
        expected[row] += update
    v = tf.Variable(tf.ones([50, 3]))
    session.run(v.initializer)
    np.testing.assert_array_equal(session.run(tf.scatter_add(v, rows, updates)), expected)


def test_empty_updates(session, variable):
    none = np.zeros((0, 2), "f")
    for name in ("update", "add", "mul", "min"):
        op = getattr(tf, f"scatter_{name}")(variable, np.zeros(0, "i4"), none)
        np.testing.assert_array_equal(session.run(op), MATRIX)


@pytest.mark.parametrize("shape", [(2, 2), (4, 1), (2, 1, 2), (1, 4)])
def test_resource_updates_of_equal_row_size(session, shape):
    variable = tf.Variable([[1, 2], [3, 4], [5, 6]], use_resource=True)
    session.run(variable.initializer)
    updates = tf.placeholder(tf.int32)
    write = tf.scatter_add(variable, [2, 0], updates)
    result = session.run(write, {updates: np.reshape([10, 20, 30, 40], shape)})
    assert result.tolist() == [[31, 42], [3, 4], [15, 26]]


def test_excess_row_elements_are_ignored(session):
    """As in TensorFlow, except that its assignments write beyond the row."""
    variable = tf.Variable([[1, 2], [3, 4], [5, 6]], use_resource=True)
    session.run(variable.initializer)
    updates = tf.placeholder(tf.int32)
    rows = np.array([[10, 20, 7], [30, 40, 7]])
    result = session.run(tf.scatter_sub(variable, [2, 0], updates), {updates: rows})
    assert result.tolist() == [[-29, -38], [3, 4], [-5, -14]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="Must have updates.shape"):
        session.run(tf.scatter_update(variable, [2, 0], updates), {updates: rows})


@pytest.mark.parametrize(
    ("values", "text"),
    [
        (
            [1, 2, 3],
            r"shape of indices \(\[2\]\) is not compatible with the shape of updates \(\[3\]\)",
        ),
        (
            [1, 2],
            r"^Must have updates.shape = .*, got updates.shape \[2\], indices.shape \[2\], params",
        ),
    ],
)
def test_other_shapes_are_refused(session, values, text):
    variable = tf.Variable([[1, 2], [3, 4], [5, 6]], use_resource=True)
    session.run(variable.initializer)
    updates = tf.placeholder(tf.int32)
    write = tf.scatter_update(variable, [0, 1], updates)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(write, {updates: values})
    assert re.search(text, caught.value.message)
    assert session.run(variable).tolist() == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize(
    ("indices", "updates", "text"),
    [
        ([0, 9], [[1.0, 1.0], [2.0, 2.0]], "indices[1] = 9 is not in [0, 3)"),
        ([[0, 9]], [[[1.0, 1.0], [2.0, 2.0]]], "indices[0,1] = 9 is not in [0, 3)"),
        (-1, [1.0, 1.0], "indices = -1 is not in [0, 3)"),
        (
            [0],
            [1.0, 2.0, 3.0],
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            "updates.shape [3], indices.shape [1], params.shape [3,2]",
        ),
    ],
)
def test_failing_scatter_has_no_effect(session, indices, updates, text):
    v = tf.Variable(MATRIX)
    session.run(v.initializer)
    i, u = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(tf.scatter_add(v, i, u), {i: indices, u: updates})
    assert str(caught.value).startswith(text)
    np.testing.assert_array_equal(session.run(v), MATRIX)


@pytest.mark.parametrize(
    ("indices", "updates", "text"),
    [
        ([[0, 0], [1, 9]], [1.0, 1.0], "indices[1] = [1, 9] does not index into shape [3,2]"),
        ([[[7]]], [[[1.0, 2.0]]], "indices[0,0] = [7] does not index into shape [3,2]"),
        (
            [[0]],
            [1.0, 2.0, 3.0],
            "The outermost dimension of updates and indices must match. Got indices.shape [1,1], "
            "updates.shape [3]",
        ),
        (
            [[0, 0, 0]],
            [1.0],
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
            "updates.shape: [1], indices.shape: [1,3], params_shape: [3,2], slice_dim: 3, and "
            "batch_dim: 1",
        ),
    ],
)
def test_failing_scatter_nd_has_no_effect(session, variable, indices, updates, text):
    i, u = tf.placeholder(tf.int32), tf.placeholder(tf.float32)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        session.run(tf.scatter_nd_add(variable, i, u), {i: indices, u: updates})
    assert str(caught.value).startswith(text)
    np.testing.assert_array_equal(session.run(variable), MATRIX)


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (
            lambda v: tf.scatter_add(v, [0], [1.0]),
            "Shapes must be equal rank, but are 1 and 2 for 'ScatterAdd' (op: 'ScatterAdd') with "
            "input shapes: [3,2], [1], [1].",
        ),
        (
            lambda v: tf.scatter_nd_add(v, [[1]], [1.0]),
            "The inner 1 dimensions of input.shape=[3,2] must match the inner 0 dimensions of "
            "updates.shape=[1]: Shapes must be equal rank, but are 1 and 0 for 'ScatterNdAdd'",
        ),
        (
            lambda v: tf.scatter_nd_add(v, [[1]], [[1.0, 1.0], [2.0, 2.0]]),
            "The outer 1 dimensions of indices.shape=[1,1] must match the outer 1 dimensions of "
            "updates.shape=[2,2]: Dimension 0 in both shapes must be equal, but are 1 and 2. "
            "Shapes "
            "are [1] and [2]. for 'ScatterNdAdd'",
        ),
    ],
)
def test_errors_at_construction(case, text):
    with tf.Graph().as_default():
        with pytest.raises(ValueError) as caught:
            case(tf.Variable(MATRIX))
        assert str(caught.value).startswith(text)


def test_scalar_variable_is_refused(session):
    v = tf.Variable(1.0)
    session.run(v.initializer)
    with pytest.raises(tf.errors.InvalidArgumentError, match="^params must be at least 1-D, got"):
        session.run(tf.scatter_add(v, [0], [1.0]))


def test_nan_updates_are_ignored_by_extremes(session, variable):
    nothing = np.full([3, 2], np.nan, "f")
    for change in (tf.scatter_max, tf.scatter_min):
        assert session.run(change(variable, [0, 1, 0], nothing)).tolist() == MATRIX.tolist()
    many = tf.scatter_max(variable, [2] * 40, np.concatenate([np.tile(nothing, (13, 1)), [[9, 9]]]))
    assert session.run(many)[2].tolist() == [9.0, 9.0]


def test_scatter_nd_of_booleans(session):
    """As in C++, a sum is OR, a difference XOR."""
    variable = tf.Variable([True, False, True, False], use_resource=True)
    points = {"indices": [[0], [1], [2], [3]], "updates": [True, True, False, False]}
    for name, expected in (
        ("Add", [True, True, True, False]),
        ("Sub", [False, True, True, False]),
    ):
        session.run(variable.initializer)
        session.run(getattr(tf.raw_ops, f"ResourceScatterNd{name}")(ref=variable.handle, **points))
        assert session.run(variable).tolist() == expected
