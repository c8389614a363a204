"""The hashes in function names: MurmurHash64A, and TensorFlow 1.15.5's for some definitions."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.numpy.string_hashes import murmur_hashes
from tfmini._src.functions.fingerprint import hash_bytes
from tfmini.compat.python.framework import function


@pytest.mark.parametrize("length", range(20))
def test_hash_matches_string_hash(length):
    text = bytes(range(7, 7 + length))
    assert hash_bytes(text) == int(murmur_hashes(np.array([text], object))[0])


def strings(x):
    return tf.string_join([x, tf.constant([b"", b"a" * 200, "é".encode()])])


def kinds(x):
    values = [
        np.float16(1.5),
        np.int8([-1, 2]),
        np.uint16(3),
        np.bool_([True, False]),
        np.complex64(1j),
    ]
    constants = [tf.constant(value) for value in values]
    with tf.control_dependencies([constants[1], constants[0]]):
        return tf.cast(x, tf.float64) * np.arange(3.0), tf.constant(np.zeros([0, 2], "f"))


def placed(x):
    with tf.device("/job:worker/gpu:1"), tf.get_default_graph().colocate_with(x.op):
        return tf.identity(x)


def described(x):
    """What it does."""
    return x


def two_names(x):
    return x + 1.0, x - 1.0


# From TensorFlow 1.15.5.
NAMES = [
    (strings, tf.string, "strings_FQxglxhB0pQ"),
    (kinds, tf.int32, "kinds_3ju1Cy82fMQ"),
    (placed, tf.float32, "placed_tRr4mr5RHcI"),
    (described, tf.bool, "described_VQBMSAmIEnk"),
    (two_names, tf.float32, "two_names_2HLN2QUmEuM"),
]


@pytest.mark.parametrize(("make", "dtype", "name"), NAMES)
def test_function_names_match_tensorflow(make, dtype, name):
    assert function.Defun(dtype)(make).name == name


def test_attrs_and_names_do_not_affect_hash():
    defined = function.Defun(tf.bool, noinline=True)(described)
    assert defined.name == "described_VQBMSAmIEnk"
    named = function.Defun(tf.bool, func_name="Another")(described)
    assert named.name == "Another"
