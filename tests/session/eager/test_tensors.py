"""Tensors with values beside numpy's arrays, as TensorFlow 1.15.5 has them."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode


@pytest.fixture(autouse=True)
def eager():
    with tf.Graph().as_default(), eager_mode():
        yield


@pytest.mark.parametrize("convert", [np.asarray, np.ravel, np.asanyarray])
def test_arrays_that_share_its_memory_are_read_only(convert):
    tensor = tf.constant(np.zeros(3))
    array = convert(tensor)
    with pytest.raises(ValueError, match="read-only"):
        array += 1
    np.testing.assert_array_equal(tensor.numpy(), [0, 0, 0])


@pytest.mark.parametrize("convert", [np.array, lambda t: np.asarray(t, np.float32)])
def test_copies_can_be_written_to(convert):
    tensor = tf.constant(np.zeros(3))
    convert(tensor)[0] = 1
    np.testing.assert_array_equal(tensor.numpy(), [0, 0, 0])


def test_one_element_of_any_shape_is_a_python_number():
    assert int(tf.constant([4])) == 4
    assert int(tf.constant([3.9])) == 3
    assert float(tf.constant([[2.5]])) == 2.5
    assert complex(tf.constant([1 + 2j], tf.complex64)) == 1 + 2j
    for number in (int, float):
        with pytest.raises(TypeError, match="only size-1 arrays can be converted"):
            number(tf.constant([1, 2]))


def test_functions_choose_no_devices():
    with pytest.raises(RuntimeError, match="tf.device does not support functions when eager"):
        tf.device(lambda op: "/cpu:0")
