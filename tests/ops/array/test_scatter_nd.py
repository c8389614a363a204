"""Scatter to points: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.scatter_nd([[1]], [1, 2], [3]),
        ValueError,
        (
            "The outer 1 dimensions of indices.shape=[1,1] must match the outer 1 "
            "dimensions of updates.shape=[2]: Dimension 0 in both shapes must be equal, "
            "but are 1 and 2. Shapes are [1] and [2]. for 'ScatterNd' (op: 'ScatterNd') "
            "with input shapes: [1,1], [2], [1]."
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], [[1]], [3]),
        ValueError,
        (
            "The inner 0 dimensions of output.shape=[?] must match the inner 1 dimensions "
            "of updates.shape=[1,1]: Shapes must be equal rank, but are 0 and 1 for "
            "'ScatterNd' (op: 'ScatterNd') with input shapes: [1,1], [1,1], [1]."
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], [1], [0]),
        ValueError,
        (
            "Indices and updates specified for empty output shape for 'ScatterNd' (op: "
            "'ScatterNd') with input shapes: [1,1], [1], [1] and with input tensors "
            "computed as partial shapes: input[2] = [0]."
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], [1], 3),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'ScatterNd' (op: 'ScatterNd') with "
            "input shapes: [1,1], [1], []."
        ),
    ),
    (
        lambda t: tf.scatter_nd(1, [1], [3]),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'ScatterNd' (op: 'ScatterNd') "
            "with input shapes: [], [1], [1]."
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], 1, [3]),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'ScatterNd' (op: 'ScatterNd') "
            "with input shapes: [1,1], [], [1]."
        ),
    ),
    (
        lambda t: tf.tensor_scatter_update([1, 2, 3], [[1]], [9, 8]),
        ValueError,
        (
            "The outer 1 dimensions of indices.shape=[1,1] must match the outer 1 "
            "dimensions of updates.shape=[2]: Dimension 0 in both shapes must be equal, "
            "but are 1 and 2. Shapes are [1] and [2]. for 'TensorScatterUpdate' (op: "
            "'TensorScatterUpdate') with input shapes: [3], [1,1], [2]."
        ),
    ),
]

FAILING = [
    (
        lambda t: tf.scatter_nd([[5]], [1], [3]),
        {},
        "indices[0] = [5] does not index into shape [3]",
    ),
    (
        lambda t: tf.scatter_nd([[-1]], [1], [3]),
        {},
        "indices[0] = [-1] does not index into shape [3]",
    ),
    (
        lambda t: tf.scatter_nd([[0, 0], [3, 1]], [1, 2], [3, 3]),
        {},
        "indices[1] = [3, 1] does not index into shape [3,3]",
    ),
    (
        lambda t: tf.scatter_nd(t.k, [1, 2], [3]),
        {"k": [[1]]},
        (
            "Outer dimensions of indices and update must match. Indices shape: [1,1], "
            "updates shape:[2]"
        ),
    ),
    (
        lambda t: tf.scatter_nd(t.k, [1], [3]),
        {"k": [1]},
        (
            "Inner dimensions of output shape must match inner dimensions of updates "
            "shape. Output: [3] updates: [1]"
        ),
    ),
    (
        lambda t: tf.scatter_nd(t.k, [1, 2], [3]),
        {"k": [1, 2]},
        (
            "Inner dimensions of output shape must match inner dimensions of updates "
            "shape. Output: [3] updates: [2]"
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], t.r, [3]),
        {"r": [[1.0]]},
        (
            "Inner dimensions of output shape must match inner dimensions of updates "
            "shape. Output: [3] updates: [1,1]"
        ),
    ),
    (
        lambda t: tf.scatter_nd([[1]], [1], t.k),
        {"k": [0]},
        "Indices and updates specified for empty output.  indices shape: [1,1]",
    ),
    (lambda t: tf.scatter_nd([[1]], [1], t.k), {"k": 3}, "Shape must be a vector"),
    (lambda t: tf.scatter_nd([[1]], [1], t.k), {"k": [-3]}, "Dimension -3 must be >= 0"),
    (
        lambda t: tf.scatter_nd([[1]], t.r, [3]),
        {"r": 1.0},
        "Updates shape must have rank at least one. Found:[]",
    ),
    (
        lambda t: tf.scatter_nd(t.k, [1], [3]),
        {"k": [[1, 1]]},
        (
            "Inner dimensions of output shape must match inner dimensions of updates "
            "shape. Output: [3] updates: [1]"
        ),
    ),
    (
        lambda t: tf.tensor_scatter_update([1, 2, 3], [[7]], [9]),
        {},
        "indices[0] = [7] does not index into shape [3]",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)


def test_booleans_are_added_as_or(session):
    x = tf.placeholder_with_default([True, False, False], [3])
    added = tf.raw_ops.ScatterNdNonAliasingAdd(input=x, indices=[[0], [1]], updates=[True, True])
    assert session.run(added).tolist() == [True, True, False]


@pytest.mark.parametrize(
    "name, of", [("TensorScatterAdd", "tensor"), ("ScatterNdNonAliasingAdd", "input")]
)
def test_quantized_values_are_not_added(session, name, of):
    values = tf.bitcast([1, 2], tf.qint32)
    op = getattr(tf.raw_ops, name)(**{of: values}, indices=[[0]], updates=values[:1])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=f"^No OpKernel was registered to support Op '{name}'"
    ):
        session.run(op)
