"""Dtype conversions."""

import numpy as np

import tfmini as tf
from tests.conformance.samples import Sample

X = np.array([1.9, -1.9, np.nan, np.inf, -np.inf, 1e10], np.float32)
I = np.array([300, -1, 2**31 - 1], np.int32)  # noqa: E741
LOW, HIGH = -(2**31), -(2**63)


def cast(values, dtype, want, note, **attrs):
    want = np.array(want, tf.as_dtype(dtype).as_numpy_dtype)
    gradient = None if dtype in (tf.float32, tf.complex64) else ()  # the others are too coarse
    return Sample("Cast", [values], {"DstT": dtype, **attrs}, want, gradient, note=note)


SAMPLES = [
    Sample("Cast", [np.array([1.5, -2.5], "f")], {"DstT": tf.float64}, np.array([1.5, -2.5]),
           gradient=[0]),
    cast(X, tf.int32, [1, -1, LOW, LOW, LOW, LOW], "to int32"),
    cast(X, tf.int64, [1, -1, HIGH, HIGH, HIGH, 10**10], "to int64"),
    cast(X, tf.uint8, [1, 255, 0, 0, 0, 0], "to uint8"),
    cast(X, tf.int16, [1, -1, 0, 0, 0, 0], "to int16"),
    cast(X, tf.bool, [True] * 6, "to bool"),
    cast(X[:5], tf.float16, [1.9, -1.9, np.nan, np.inf, -np.inf], "to half"),
    cast(np.array([-1, 3e9, 1e20], "f"), tf.uint32, [2**32 - 1, 3 * 10**9, 0], "to uint32"),
    cast(I, tf.int8, [44, -1, -1], "int32 to int8"),
    cast(I, tf.uint16, [300, 65535, 65535], "int32 to uint16"),
    cast(I, tf.bool, [True] * 3, "int32 to bool"),
    cast(np.array([True, False]), tf.float32, [1, 0], "bool to float"),
    cast(np.array([1 + 2j, 3j], "F"), tf.float32, [1, 0], "complex to float"),
    cast(np.array([1, 2], "f"), tf.complex64, [1, 2], "float to complex"),
    cast(np.array([1 + 2**-11 + 2**-12, 1e-8], "f"), tf.float16, [1, 0], "cut off", Truncate=True),
    cast(np.float32(2.7), tf.int32, 2, "scalar"),
    Sample("Bitcast", [np.array([1, 2], "f")], {"type": tf.int32},
           np.array([0x3F800000, 0x40000000], "i4")),
    Sample("Bitcast", [np.array([1, 2], "f")], {"type": tf.uint8},
           np.array([[0, 0, 128, 63], [0, 0, 0, 64]], "u1"), note="smaller"),
    Sample("Bitcast", [np.array([[0, 0, 128, 63]], "u1")], {"type": tf.float32},
           np.array([1], "f"), note="larger"),
]  # fmt: skip
