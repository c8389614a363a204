"""Eager tensors combined with numpy arrays, as in TensorFlow 1.15.5."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

pytestmark = pytest.mark.usefixtures("eager")


@pytest.mark.parametrize("convert", [np.asarray, np.ravel, np.asanyarray])
def test_aliased_arrays_are_read_only(convert):
    tensor = tf.constant(np.zeros(3))
    array = convert(tensor)
    with pytest.raises(ValueError, match="read-only"):
        array += 1
    np.testing.assert_array_equal(tensor.numpy(), [0, 0, 0])


@pytest.mark.parametrize("convert", [np.array, lambda t: np.asarray(t, np.float32)])
def test_copies_are_writable(convert):
    tensor = tf.constant(np.zeros(3))
    convert(tensor)[0] = 1
    np.testing.assert_array_equal(tensor.numpy(), [0, 0, 0])


def test_single_element_converts_to_python_number():
    assert int(tf.constant([4])) == 4
    assert int(tf.constant([3.9])) == 3
    assert float(tf.constant([[2.5]])) == 2.5
    assert complex(tf.constant([1 + 2j], tf.complex64)) == 1 + 2j
    for kind in (int, float):
        with pytest.raises(TypeError, match="only size-1 arrays can be converted"):
            kind(tf.constant([1, 2]))


def test_integers_use_smallest_sufficient_dtype():
    ends = (-(2**31) - 1, -(2**31), 2**31 - 1, 2**31)
    result = [tf.constant(value) for value in ends]
    assert [tensor.dtype for tensor in result] == [tf.int64, tf.int32, tf.int32, tf.int64]
    assert [int(tensor) for tensor in result] == list(ends)


def test_zero_attr_keeps_its_sign():
    """-1 times the slope."""
    slopes = [tf.raw_ops.LeakyRelu(features=[-1.0], alpha=alpha).numpy() for alpha in (0.0, -0.0)]
    assert [bool(np.signbit(slope[0])) for slope in slopes] == [True, False]


def test_constructor_accepts_value_device_and_dtype():
    kind = type(tf.constant(1))
    assert kind(3.0, device="/cpu:0").dtype is tf.float32
    result = kind(np.array([3.0], np.float32), device=None, dtype=tf.float64.as_datatype_enum)
    assert result.dtype is tf.float64
    np.testing.assert_array_equal(result.numpy(), [3.0])
    with pytest.raises(TypeError, match="Expecting a DataType value for dtype. Got str"):
        kind(1, device=None, dtype="1")
    with pytest.raises(TypeError, match="Invalid dtype argument value 12345"):
        kind(1.0, device=None, dtype=12345)


def test_invalid_attr_is_rejected():
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        tf.split([1, 2, 3], -1)
    assert str(raised.value) == (
        "Value for attr 'num_split' of -1 must be at least minimum 1\n\t; NodeDef: {{node Split}}; Op<name=Split; "
        "signature=split_dim:int32, value:T -> output:num_split*T; attr=num_split:int,min=1; attr=T:type> "
        "[Op:Split] name: split"
    )


def test_handles_have_no_numpy_value():
    variable = tf.Variable(1.0, use_resource=True)
    with pytest.raises(ValueError) as raised:
        variable.handle.numpy()
    assert str(raised.value) == "Cannot convert a Tensor of dtype resource to a NumPy array."


def test_missing_kernel_error_names_op():
    with pytest.raises(tf.errors.NotFoundError, match=r"\n \[Op:AddV2\] name: add/$"):
        tf.constant(True) + tf.constant(True)
    with pytest.raises(tf.errors.NotFoundError, match=r"\n \[Op:Exp\]$"):
        tf.exp(1)


def test_session_reset_does_not_affect_eager_ops():
    with eager_mode():
        result = list(tf.data.Dataset.range(2))
    tf.Session.reset("")
    with eager_mode():
        assert [each.numpy() for each in (*result, *tf.data.Dataset.range(2))] == [0, 1, 0, 1]


def test_notebook_repr_is_none():
    assert tf.constant(1)._repr_html_() is None


def test_base_class_iterates_eager_tensors():
    """As in classes that override a tensor's operators."""
    rows = tf.Tensor.__iter__(tf.constant([[1, 2], [3, 4]]))
    assert [row.numpy().tolist() for row in rows] == [[1, 2], [3, 4]]
