"""Indices: what TensorFlow refuses, and its words."""

import numpy as np
import pytest

import tfmini as tf
from tests.ops.refusals import fails, refused

REFUSED = [
    (
        lambda t: t.cube[7],
        ValueError,
        (
            "slice index 7 of dimension 0 out of bounds. for 'strided_slice' (op: "
            "'StridedSlice') with input shapes: [3,4,5], [1], [1], [1] and with computed "
            "input tensors: input[1] = <7>, input[2] = <8>, input[3] = <1>."
        ),
    ),
    (
        lambda t: t.cube[-4],
        ValueError,
        (
            "slice index -1 of dimension 0 out of bounds. for 'strided_slice' (op: "
            "'StridedSlice') with input shapes: [3,4,5], [1], [1], [1] and with computed "
            "input tensors: input[1] = <-4>, input[2] = <-3>, input[3] = <1>."
        ),
    ),
    (
        lambda t: t.cube[0, 0, 0, 0],
        ValueError,
        (
            "Index out of range using input dim 3; input has only 3 dims for "
            "'strided_slice' (op: 'StridedSlice') with input shapes: [3,4,5], [4], [4], "
            "[4] and with computed input tensors: input[3] = <1 1 1 1>."
        ),
    ),
    (
        lambda t: t.cube[..., ..., 0],
        ValueError,
        (
            "Multiple ellipses in slice spec not allowed for 'strided_slice' (op: "
            "'StridedSlice') with input shapes: [3,4,5], [3], [3], [3] and with computed "
            "input tensors: input[3] = <1 1 1>."
        ),
    ),
    (
        lambda t: t.cube[::0],
        ValueError,
        (
            "strides[0] must be non-zero for 'strided_slice' (op: 'StridedSlice') with "
            "input shapes: [3,4,5], [1], [1], [1] and with computed input tensors: "
            "input[3] = <0>."
        ),
    ),
    (
        lambda t: t.cube["a"],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got 'a'"
        ),
    ),
    (
        lambda t: t.cube[1.0],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got 1.0"
        ),
    ),
    (
        lambda t: t.cube[1.5:],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got 1.5"
        ),
    ),
    (
        lambda t: t.cube[tf.constant(1.0)],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got <tf.Tensor 'Const_1:0' "
            "shape=() dtype=float32>"
        ),
    ),
    (
        lambda t: t.cube[[1, 2], [3, 4]],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got [1, 2]"
        ),
    ),
    (
        lambda t: t.cube[tf.constant([1, 2])],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got <tf.Tensor 'Const_1:0' "
            "shape=(2,) dtype=int32>"
        ),
    ),
    (
        lambda t: t.cube[np.array([1, 2])],
        TypeError,
        (
            "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
            "tf.int32/tf.int64 tensors are valid indices, got array([1, 2])"
        ),
    ),
    (
        lambda t: t.cube[:, 9],
        ValueError,
        (
            "slice index 9 of dimension 1 out of bounds. for 'strided_slice' (op: "
            "'StridedSlice') with input shapes: [3,4,5], [2], [2], [2] and with computed "
            "input tensors: input[1] = <0 9>, input[2] = <0 10>, input[3] = <1 1>."
        ),
    ),
    (
        lambda t: tf.constant(1.0)[0],
        ValueError,
        (
            "Index out of range using input dim 0; input has only 0 dims for "
            "'strided_slice' (op: 'StridedSlice') with input shapes: [], [1], [1], [1] and "
            "with computed input tensors: input[3] = <1>."
        ),
    ),
    (
        lambda t: t.cube[0].assign(3),
        ValueError,
        "Sliced assignment is only supported for variables",
    ),
]

FAILING = [
    (lambda t: t.p[9], {}, "slice index 9 of dimension 0 out of bounds."),
    (lambda t: t.q[0, 0, 0], {}, "Index out of range using input dim 2; input has only 2 dims"),
    (lambda t: t.q[9], {}, "slice index 9 of dimension 0 out of bounds."),
    (lambda t: t.q[..., ..., 0], {}, "Multiple ellipses in slice spec not allowed"),
    (lambda t: t.q[t.n :, :: t.n], {"n": 0}, "strides[1] must be non-zero"),
    (lambda t: t.q[::0], {}, "strides[0] must be non-zero"),
]


@pytest.mark.parametrize("make, error, text", REFUSED)
def test_is_refused(make, error, text):
    refused(make, error, text)


@pytest.mark.parametrize("make, feed, text", FAILING)
def test_fails_when_run(make, feed, text):
    fails(make, feed, text)
