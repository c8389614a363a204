"""tf.compat: bytes and text, numeric types, the forward compatibility horizon."""

import pathlib

import numpy as np
import pytest

import tfmini as tf


def test_bytes_and_text():
    assert tf.compat.as_bytes("é") == "é".encode()
    assert tf.compat.as_bytes(b"x") == b"x"
    assert tf.compat.as_bytes("é", "latin1") == b"\xe9"
    assert tf.compat.as_text("é".encode()) == "é"
    assert tf.compat.as_text("x") == "x"
    assert tf.compat.as_str(b"x") == "x"
    assert tf.compat.as_str_any(b"x") == "x"
    assert tf.compat.as_str_any(3) == "3"


@pytest.mark.parametrize("convert", [tf.compat.as_bytes, tf.compat.as_text, tf.compat.as_str])
def test_other_types_are_refused(convert):
    with pytest.raises(TypeError) as caught:
        convert(3)
    assert str(caught.value) == "Expected binary or unicode string, got 3"


def test_path_to_str():
    assert tf.compat.path_to_str(pathlib.PurePosixPath("a/b")) == "a/b"
    assert tf.compat.path_to_str("a/b") == "a/b"
    assert tf.compat.path_to_str(3) == 3


def test_numeric_types():
    assert isinstance(np.int8(1), tf.compat.integral_types)
    assert not isinstance(1.0, tf.compat.integral_types)
    assert isinstance(np.float16(1), tf.compat.real_types)
    assert not isinstance(1j, tf.compat.real_types)
    assert isinstance(1j, tf.compat.complex_types)
    assert isinstance("x", tf.compat.bytes_or_text_types)


def test_dimensions():
    shape = tf.TensorShape([2, None])
    assert tf.compat.dimension_value(shape[0]) == 2
    assert tf.compat.dimension_value(shape[1]) is None
    assert tf.compat.dimension_at_index(shape, 0) == tf.Dimension(2)
    assert tf.compat.dimension_at_index(tf.TensorShape(None), 1).value is None


def test_horizon():
    # 1.15.5's results: its horizon is 21 August 2019.
    assert tf.compat.forward_compatible(2019, 8, 20)
    assert not tf.compat.forward_compatible(2019, 8, 21)
    with tf.compat.forward_compatibility_horizon(2020, 1, 1):
        assert tf.compat.forward_compatible(2019, 12, 31)
        assert not tf.compat.forward_compatible(2020, 1, 1)
    assert not tf.compat.forward_compatible(2019, 8, 21)
