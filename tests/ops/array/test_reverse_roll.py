"""Reverse and roll: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.reverse(t.i, [2]),
        ValueError,
        (
            "'axis'[0] = 2 is out of valid range [0, 1 for 'ReverseV2' (op: 'ReverseV2') "
            "with input shapes: [2,3], [1] and with computed input tensors: input[1] = <2>."
        ),
    ),
    (
        lambda t: tf.reverse(t.i, [-3]),
        ValueError,
        (
            "'axis'[0] = -3 is out of valid range [0, 1 for 'ReverseV2' (op: 'ReverseV2') "
            "with input shapes: [2,3], [1] and with computed input tensors: input[1] = "
            "<-3>."
        ),
    ),
    (
        lambda t: tf.reverse(t.i, [0, 0]),
        ValueError,
        (
            "axis 0 specified more than once. for 'ReverseV2' (op: 'ReverseV2') with input "
            "shapes: [2,3], [2] and with computed input tensors: input[1] = <0 0>."
        ),
    ),
    (
        lambda t: tf.reverse(t.i, [0, -2]),
        ValueError,
        (
            "axis 0 specified more than once. for 'ReverseV2' (op: 'ReverseV2') with input "
            "shapes: [2,3], [2] and with computed input tensors: input[1] = <0 -2>."
        ),
    ),
    (
        lambda t: tf.reverse(t.i, 0),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'ReverseV2' (op: 'ReverseV2') with "
            "input shapes: [2,3], []."
        ),
    ),
    (
        lambda t: tf.reverse(t.i, [0.5]),
        TypeError,
        (
            "Value passed to parameter 'axis' has DataType float32 not in list of allowed "
            "values: int32, int64"
        ),
    ),
    (
        lambda t: tf.reverse_sequence(t.cube, [2, 1], seq_axis=1),
        ValueError,
        (
            "Dimensions must be equal, but are 3 and 2 for 'ReverseSequence' (op: "
            "'ReverseSequence') with input shapes: [3,4,5], [2]."
        ),
    ),
    (
        lambda t: tf.reverse_sequence(t.cube, [2, 1], seq_axis=3),
        ValueError,
        (
            "seq_dim must be < input rank: 3 vs. 3 for 'ReverseSequence' (op: "
            "'ReverseSequence') with input shapes: [3,4,5], [2]."
        ),
    ),
    (
        lambda t: tf.reverse_sequence(t.cube, [2, 1], seq_axis=0, batch_axis=4),
        ValueError,
        (
            "batch_dim must be < input rank: 4 vs. 3 for 'ReverseSequence' (op: "
            "'ReverseSequence') with input shapes: [3,4,5], [2]."
        ),
    ),
    (
        lambda t: tf.reverse_sequence(t.cube, 2, seq_axis=0),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'ReverseSequence' (op: "
            "'ReverseSequence') with input shapes: [3,4,5], []."
        ),
    ),
    (
        lambda t: tf.reverse_sequence(t.cube, [2, 1, 1]),
        TypeError,
        "Expected int for argument 'seq_dim' not None.",
    ),
    (
        lambda t: tf.roll(3, 1, 0),
        ValueError,
        (
            "Shape must be at least rank 1 but is rank 0 for 'Roll' (op: 'Roll') with "
            "input shapes: [], [], []."
        ),
    ),
    (
        lambda t: tf.roll(t.i, [[1]], 0),
        ValueError,
        (
            "Shape must be at most rank 1 but is rank 2 for 'Roll' (op: 'Roll') with input "
            "shapes: [2,3], [1,1], []."
        ),
    ),
    (
        lambda t: tf.roll(t.i, [1], [0, 1]),
        ValueError,
        (
            "Dimension 0 in both shapes must be equal, but are 1 and 2. Shapes are [1] and "
            "[2]. for 'Roll' (op: 'Roll') with input shapes: [2,3], [1], [2]."
        ),
    ),
    (
        lambda t: tf.roll(t.i, 1, [0]),
        ValueError,
        (
            "Shapes must be equal rank, but are 0 and 1 for 'Roll' (op: 'Roll') with input "
            "shapes: [2,3], [], [1]."
        ),
    ),
]

FAILING = [
    (lambda t: tf.reverse(t.q, [2]), {}, "'axis'[0] = 2 is out of valid range [0, 1"),
    (lambda t: tf.reverse(t.q, [0, -2]), {}, "axis 0 specified more than once."),
    (lambda t: tf.reverse(t.q, t.k), {"k": 1}, "'dims' must be 1-dimension, not 0"),
    (lambda t: tf.reverse_sequence(t.cube, [2, 1, 1], 0, 0), {}, "batch_dim == seq_dim == 0"),
    (
        lambda t: tf.reverse_sequence(t.p, [2, 1, 1], 1),
        {},
        "len(seq_lens) != input.dims(0), (3 vs. 2)",
    ),
    (lambda t: tf.reverse_sequence(t.p, [-1, 1], 1), {}, "seq_lens(0) < 0"),
    (lambda t: tf.reverse_sequence(t.p, [1, 4], 1), {}, "seq_lens(1) > input.dims(1)"),
    (
        lambda t: tf.reverse_sequence(t.q, [1, 4], 5, 1),
        {},
        "seq_dim must be < input.dims()( 5 vs. 2)",
    ),
    (
        lambda t: tf.reverse_sequence(t.q, [1], 0, 5),
        {},
        "batch_dim must be < input.dims()( 5 vs. 2)",
    ),
    (
        lambda t: tf.reverse_sequence(t.q, [1], 0, 2),
        {},
        "batch_dim must be < input.dims()( 2 vs. 2)",
    ),
    (
        lambda t: tf.reverse_sequence(t.q, [1], 2, 0),
        {},
        "seq_dim must be < input.dims()( 2 vs. 2)",
    ),
    (
        lambda t: tf.reverse_sequence(t.q, t.k, 0, 1),
        {"k": [[1, 4]]},
        "seq_lens input must be 1-dim, not 2",
    ),
    (lambda t: tf.roll(t.i, 1, 2), {}, "axis 2 is out of range"),
    (lambda t: tf.roll(t.i, 1, -3), {}, "axis -1 is out of range"),
    (
        lambda t: tf.roll(t.q, t.k, [0]),
        {"k": [[1]]},
        "shift must be a scalar or a 1-D vector. Found: [1,1]",
    ),
    (lambda t: tf.roll(t.r, 1, 0), {"r": 1.0}, "input must be 1-D or higher"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
