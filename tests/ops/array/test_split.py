"""Split: TensorFlow's errors for invalid calls."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.split(t.i, 4, 1),
        ValueError,
        (
            "Dimension size must be evenly divisible by 4 but is 3\n\tNumber of ways to "
            "split should evenly divide the split dimension for 'split' (op: 'Split') with "
            "input shapes: [], [2,3] and with computed input tensors: input[0] = <1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [1, -1, -1], 1),
        ValueError,
        (
            "size_splits can only have one -1 for 'split' (op: 'SplitV') with input "
            "shapes: [2,3], [3], [] and with computed input tensors: input[1] = <1 -1 -1>, "
            "input[2] = <1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [4, -1], 1),
        ValueError,
        (
            "can't split axis of size 3 into pieces of size [4,-1] for 'split' (op: "
            "'SplitV') with input shapes: [2,3], [2], [] and with computed input tensors: "
            "input[1] = <4 -1>, input[2] = <1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, 2, -3),
        ValueError,
        (
            "Dimension size, given by scalar input -3 must be in range [-2, 2) for 'split' "
            "(op: 'Split') with input shapes: [], [2,3] and with computed input tensors: "
            "input[0] = <-3>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [1, 1], 2),
        ValueError,
        (
            "Dimension size, given by scalar input 2 must be in range [-2, 2) for 'split' "
            "(op: 'SplitV') with input shapes: [2,3], [2], [] and with computed input "
            "tensors: input[1] = <1 1>, input[2] = <2>."
        ),
    ),
    (
        lambda t: tf.split(3, [1, 1], 0),
        ValueError,
        ("Can't split scalars for 'split' (op: 'SplitV') with input shapes: [], [2], []."),
    ),
    (
        lambda t: tf.split(t.i, tf.constant(2), 0),
        ValueError,
        (
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            'Argument provided: Tensor("Const_1:0", shape=(), dtype=int32)'
        ),
    ),
    (
        lambda t: tf.split(t.i, t.k, 0),
        ValueError,
        'Cannot infer num from shape Tensor("k:0", dtype=int32)',
    ),
    (
        lambda t: tf.split(t.i, 2, [0, 1]),
        ValueError,
        (
            "Input must be scalar but has rank 1 for 'split' (op: 'Split') with input "
            "shapes: [2], [2,3] and with computed input tensors: input[0] = <0 1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [1, 1], [0, 1]),
        ValueError,
        (
            "Input must be scalar but has rank 1 for 'split' (op: 'SplitV') with input "
            "shapes: [2,3], [2], [2] and with computed input tensors: input[1] = <1 1>, "
            "input[2] = <0 1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [1, 1], 0, num=3),
        ValueError,
        (
            "Length of size_splits should be equal to num_outputs for 'split' (op: "
            "'SplitV') with input shapes: [2,3], [2], [] and with computed input tensors: "
            "input[1] = <1 1>, input[2] = <0>."
        ),
    ),
    (
        lambda t: tf.split(t.i, 2.5),
        ValueError,
        (
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            "Argument provided: 2.5"
        ),
    ),
    (
        lambda t: tf.split(0, 2, t.i),
        ValueError,
        (
            "Input must be scalar but has rank 2 for 'split' (op: 'Split') with input "
            "shapes: [2,3], [] and with computed input tensors: input[0] = <[1 2 3][4 5 "
            "6]>."
        ),
    ),
    (
        lambda t: tf.split(t.p, [1, 1], t.k),
        ValueError,
        (
            "can't split axis of size 3 into pieces of size [1,1] for 'split' (op: "
            "'SplitV') with input shapes: [?,3], [2], ? and with computed input tensors: "
            "input[1] = <1 1>."
        ),
    ),
    (
        lambda t: tf.split(t.i, [1, 1], t.k),
        ValueError,
        (
            "can't split axis of size 3 into pieces of size [1,1] for 'split' (op: "
            "'SplitV') with input shapes: [2,3], [2], ? and with computed input tensors: "
            "input[1] = <1 1>."
        ),
    ),
]

FAILING = [
    # TensorFlow crashes.
    (
        lambda t: tf.split(t.q, t.k, 1, num=3),
        {"k": [5, -2, 1]},
        "Split size at index 1 must be >= 0. Got: -2",
    ),
    (
        lambda t: tf.split(t.q, 1, t.k),
        {"k": -5},
        "-input rank(-2) <= split_dim < input rank (2), but got -5",
    ),
    (
        lambda t: tf.split(t.p, t.k, 1, num=2),
        {"k": [0, 1, 2]},
        (
            "size of the split_tensor must be 1-D and have the same elements as outputs "
            "got 1 -D and 3 elements"
        ),
    ),
    (
        lambda t: tf.split(t.q, [1, 1], t.k),
        {"k": [0, 1]},
        "split_dim_tensor must have exactly one element.",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)
