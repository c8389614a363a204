"""Reduction axes of broadcast gradients, and their node counts."""

import pytest

import tfmini as tf
from tfmini._src.ops.math.broadcast_gradient import reduced_axes

CASES = [
    ((1,), (1,), [], []),
    ((2, 3), (2, 3), [], []),
    ((1, 3), (2, 3), [0], []),
    ((1, 1, 3), (1, 2, 1), [0, 1], [0, 2]),
    ((), (1,), [0], [0]),
    ((1,), (2, 1), [0, 1], [1]),
    ((2, 1, 4), (1, 4), [1], [0, 1]),
    ((0,), (1,), [], [0]),
    ((2, 1, 3), (2, 1, 1), [1], [1, 2]),
]


@pytest.mark.parametrize("x, y, x_axes, y_axes", CASES)
def test_reduced_axes(x, y, x_axes, y_axes):
    assert reduced_axes(x, y) == (x_axes, y_axes)


def test_incompatible_shapes_are_refused():
    with pytest.raises(ValueError, match=r"^Incompatible shapes: \[2\] vs. \[1,3\]$"):
        reduced_axes((2,), (1, 3))


def test_equal_static_shapes_share_one_node(graph):
    x, y = tf.ones([2, 3]), tf.ones([3])
    for _ in range(3):
        tf.gradients(x + y, [x, y])
    nodes = [op for op in graph.get_operations() if op.type == "BroadcastGradientArgs"]
    assert len(nodes) == 1
    with tf.Graph().as_default() as other:
        x, y = tf.ones([2, 3]), tf.ones([3])
        tf.gradients(x + y, [x, y])
        assert [op for op in other.get_operations() if op.type == "BroadcastGradientArgs"]
