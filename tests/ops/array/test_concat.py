"""Concat: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.concat([t.i, t.x], 0),
        TypeError,
        (
            "Tensors in list passed to 'values' of 'ConcatV2' Op have types [int32, "
            "float32] that don't all match."
        ),
    ),
    (
        lambda t: tf.concat([t.i, t.i], 2),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'concat' (op: 'ConcatV2') "
            "with input shapes: [2,3], [2,3], [] and with computed input tensors: input[2] "
            "= <2>."
        ),
    ),
    (
        lambda t: tf.concat([t.i, t.i], -3),
        ValueError,
        (
            "Shape must be at least rank 3 but is rank 2 for 'concat' (op: 'ConcatV2') "
            "with input shapes: [2,3], [2,3], [] and with computed input tensors: input[2] "
            "= <-3>."
        ),
    ),
    (
        lambda t: tf.concat([t.x, t.x[:1] if 0 else [[[1.0]]]], 1),
        ValueError,
        (
            "Dimension 0 in both shapes must be equal, but are 2 and 1. Shapes are [2] and "
            "[1]. for 'concat' (op: 'ConcatV2') with input shapes: [2,3,4], [1,1,1], [] "
            "and with computed input tensors: input[2] = <1>."
        ),
    ),
    (
        lambda t: tf.concat([1, 2], 0),
        ValueError,
        (
            "Can't concatenate scalars (use tf.stack instead) for 'concat' (op: "
            "'ConcatV2') with input shapes: [], [], []."
        ),
    ),
    (
        lambda t: tf.concat([t.i, [[1, 2]]], 0),
        ValueError,
        (
            "Dimension 0 in both shapes must be equal, but are 3 and 2. Shapes are [3] and "
            "[2]. for 'concat' (op: 'ConcatV2') with input shapes: [2,3], [1,2], [] and "
            "with computed input tensors: input[2] = <0>."
        ),
    ),
    (lambda t: tf.concat(0, [t.i, t.i]), ValueError, "Shape (2, 2, 3) must have rank 0"),
    (
        lambda t: tf.concat([], 0),
        ValueError,
        ("List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."),
    ),
    (
        lambda t: tf.concat([t.i, t.i], [0]),
        ValueError,
        (
            "Shape must be rank 0 but is rank 1 for 'concat' (op: 'ConcatV2') with input "
            "shapes: [2,3], [2,3], [1]."
        ),
    ),
    (
        lambda t: tf.concat([t.i, t.i], [0, 1]),
        ValueError,
        (
            "Shape must be rank 0 but is rank 1 for 'concat' (op: 'ConcatV2') with input "
            "shapes: [2,3], [2,3], [2]."
        ),
    ),
    (
        lambda t: tf.concat([t.i, t.i], 0.5),
        TypeError,
        (
            "Value passed to parameter 'axis' has DataType float32 not in list of allowed "
            "values: int32, int64"
        ),
    ),
    (lambda t: tf.concat([t.i], [1]), ValueError, "Shape (1,) must have rank 0"),
    (
        lambda t: tf.concat([1.0, 2.0], t.k),
        ValueError,
        (
            "Can't concatenate scalars (use tf.stack instead) for 'concat' (op: "
            "'ConcatV2') with input shapes: [], [], ?."
        ),
    ),
    (
        lambda t: tf.concat([[1.0, 2.0], t.p], t.k),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'concat' (op: 'ConcatV2') with input "
            "shapes: [2], [?,3], ?."
        ),
    ),
]

FAILING = [
    (
        lambda t: tf.concat([t.p, t.p], t.k),
        {"k": 3},
        ("ConcatOp : Expected concatenating dimensions in the range [-2, 2), but got 3"),
    ),
    (
        lambda t: tf.concat([t.p, t.p], t.k),
        {"k": -3},
        ("ConcatOp : Expected concatenating dimensions in the range [-2, 2), but got -3"),
    ),
    (
        lambda t: tf.concat([t.p, t.p], t.k),
        {"k": [0, 1]},
        "axis tensor should be a scalar integer, but got shape [2]",
    ),
    (
        lambda t: tf.concat([t.p, t.p], t.k),
        {"k": [0]},
        "axis tensor should be a scalar integer, but got shape [1]",
    ),
    (
        lambda t: tf.concat([t.q, t.r], t.k),
        {"k": 0, "r": [1.0, 2.0]},
        ("ConcatOp : Ranks of all input tensors should match: shape[0] = [1,4] vs. shape[1] = [2]"),
    ),
    (
        lambda t: tf.concat([t.q, t.r], t.k),
        {"k": 0, "r": [[1.0, 2.0]]},
        ("ConcatOp : Dimensions of inputs should match: shape[0] = [1,4] vs. shape[1] = [1,2]"),
    ),
    (
        lambda t: tf.concat([t.q, t.r], 0),
        {"r": [[1.0, 2.0]]},
        ("ConcatOp : Dimensions of inputs should match: shape[0] = [1,4] vs. shape[1] = [1,2]"),
    ),
    (
        lambda t: tf.concat([t.q, t.r], 0),
        {"r": 1.0, "q": 2.0},
        ("ConcatOp : Expected concatenating dimensions in the range [0, 0), but got 0"),
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
