"""Reverse and roll: TensorFlow's errors for invalid calls."""

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
        lambda t: tf.reverse_sequence(t.cube, [2, 1, 1]),
        TypeError,
        "Expected int for argument 'seq_dim' not None.",
    ),
]

FAILING = [
    (lambda t: tf.reverse_sequence(t.p, [-1, 1], 1), {}, "seq_lens(0) < 0"),
    (
        lambda t: tf.reverse_sequence(t.q, [1], 0, 5),
        {},
        "batch_dim must be < input.dims()( 5 vs. 2)",
    ),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_errors_at_construction(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_errors_at_run_time(make, feed, text):
    fails(make, feed, text)
