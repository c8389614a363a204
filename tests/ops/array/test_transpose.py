"""Transpose: what TensorFlow refuses, and its words."""

import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: tf.transpose(t.cube, [0, 1]),
        ValueError,
        (
            "Dimension must be 3 but is 2 for 'transpose' (op: 'Transpose') with input "
            "shapes: [3,4,5], [2]."
        ),
    ),
    (
        lambda t: tf.transpose(t.cube, [0, 1, 3]),
        ValueError,
        (
            "perm dim 3 is out of range of input rank 3 for 'transpose' (op: 'Transpose') "
            "with input shapes: [3,4,5], [3] and with computed input tensors: input[1] = "
            "<0 1 3>."
        ),
    ),
    (
        lambda t: tf.transpose(t.cube, [[0, 1, 2]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'transpose' (op: 'Transpose') with "
            "input shapes: [3,4,5], [1,3]."
        ),
    ),
    (
        lambda t: tf.transpose(t.cube, 0),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'transpose' (op: 'Transpose') with "
            "input shapes: [3,4,5], []."
        ),
    ),
    (
        lambda t: tf.transpose(t.q, [0, 2]),
        ValueError,
        (
            "perm dim 2 is out of range of input rank 2 for 'transpose' (op: 'Transpose') "
            "with input shapes: ?, [2] and with computed input tensors: input[1] = <0 2>."
        ),
    ),
    (
        lambda t: tf.matrix_transpose([1, 2]),
        ValueError,
        "Argument 'a' should be a (batch) matrix, with rank >= 2.  Found: (2,)",
    ),
    (
        lambda t: tf.invert_permutation([[0]]),
        ValueError,
        (
            "Shape must be rank 1 but is rank 2 for 'InvertPermutation' (op: "
            "'InvertPermutation') with input shapes: [1,1]."
        ),
    ),
    (
        lambda t: tf.invert_permutation(0),
        ValueError,
        (
            "Shape must be rank 1 but is rank 0 for 'InvertPermutation' (op: "
            "'InvertPermutation') with input shapes: []."
        ),
    ),
]

FAILING = [
    (lambda t: tf.transpose(t.cube, [0, 1, 1]), {}, "2 is missing from {0,1,1}."),
    (lambda t: tf.transpose(t.cube, [0, 1, -1]), {}, "-1 is out of range [0 .. 3)"),
    (lambda t: tf.transpose(t.q, [0, 0]), {}, "1 is missing from {0,0}."),
    (
        lambda t: tf.transpose(t.q, [0]),
        {},
        ("transpose expects a vector of size 2. But input(1) is a vector of size 1"),
    ),
    (lambda t: tf.transpose(t.q, t.k), {"k": 1}, "perm must be a vector, not []"),
    (lambda t: tf.transpose(t.q, t.k), {"k": [[1, 0]]}, "perm must be a vector, not [1,2]"),
    (lambda t: tf.invert_permutation(t.k), {"k": [1, 1]}, "1 is duplicated in the input."),
    (lambda t: tf.invert_permutation(t.k), {"k": [1, 2]}, "2 is not between 0 and 2"),
    (lambda t: tf.invert_permutation(t.k), {"k": [1, -1]}, "-1 is not between 0 and 2"),
    (lambda t: tf.invert_permutation(t.k), {"k": [[1]]}, "invert_permutation expects a 1D vector."),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
