"""tfmini.dtypes compared with TensorFlow 1.15.5's recorded output."""

import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

from tests.support import cases
from tests.support.programs.wording import of_any_python
from tfmini._src.base import dtypes

# enum, name, numpy type, size, kind; TensorFlow's table.
TABLE = [
    (1, "float32", np.float32, 4, "floating"),
    (2, "float64", np.float64, 8, "floating"),
    (3, "int32", np.int32, 4, "integer"),
    (4, "uint8", np.uint8, 1, "integer unsigned"),
    (5, "int16", np.int16, 2, "integer"),
    (6, "int8", np.int8, 1, "integer"),
    (7, "string", object, 8, ""),
    (8, "complex64", np.complex64, 8, "complex"),
    (9, "int64", np.int64, 8, "integer"),
    (10, "bool", bool, 1, "bool"),
    (11, "qint8", np.dtype([("qint8", np.int8)]), 1, "quantized"),
    (12, "quint8", np.dtype([("quint8", np.uint8)]), 1, "quantized"),
    (13, "qint32", np.dtype([("qint32", np.int32)]), 4, "quantized"),
    (14, "bfloat16", ml_dtypes.bfloat16, 2, "floating"),
    (15, "qint16", np.dtype([("qint16", np.int16)]), 2, "quantized"),
    (16, "quint16", np.dtype([("quint16", np.uint16)]), 2, "quantized"),
    (17, "uint16", np.uint16, 2, "integer unsigned"),
    (18, "complex128", np.complex128, 16, "complex"),
    (19, "float16", np.float16, 2, "floating"),
    (20, "resource", None, 1, ""),
    (21, "variant", None, 1, ""),
    (22, "uint32", np.uint32, 4, "integer unsigned"),
    (23, "uint64", np.uint64, 8, "integer unsigned"),
]
KINDS = ("floating", "integer", "complex", "bool", "quantized", "unsigned")


@pytest.mark.parametrize("enum, name, numpy_type, size, kind", TABLE, ids=[row[1] for row in TABLE])
def test_every_dtype(enum, name, numpy_type, size, kind):
    dtype = getattr(dtypes, name)
    ref = getattr(dtypes, name + "_ref")
    assert (dtype.name, ref.name) == (name, name + "_ref")
    assert (dtype.as_datatype_enum, ref.as_datatype_enum) == (enum, enum + 100)
    assert (repr(dtype), str(dtype)) == (f"tf.{name}", f"<dtype: '{name}'>")
    assert (repr(ref), str(ref)) == (f"tf.{name}_ref", f"<dtype: '{name}_ref'>")
    assert (hash(dtype), hash(ref)) == (enum, enum + 100)
    for each in (dtype, ref):
        assert [k for k in KINDS if getattr(each, f"is_{k}")] == [k for k in KINDS if k in kind]
        assert each.base_dtype is dtype
        assert each._as_ref is ref
        assert each._is_ref_dtype is (each is ref)
        assert dtypes.DType(each.as_datatype_enum) is each
        assert dtypes.as_dtype(each.name) is each
        assert pickle.loads(pickle.dumps(each)) is each
        assert copy.deepcopy(each) is each
        assert each.is_numpy_compatible is (numpy_type is not None)
        if numpy_type is None:
            with pytest.raises(KeyError, match=str(each.as_datatype_enum)):
                _ = each.as_numpy_dtype
            assert each.numpy == np.dtype("O")
        else:
            assert each.as_numpy_dtype is numpy_type or each.as_numpy_dtype == numpy_type
            assert each.numpy == np.dtype(numpy_type)
    assert dtype.size == size


def test_no_other_dtypes():
    found = {v for v in vars(dtypes).values() if isinstance(v, dtypes.DType)}
    assert len(found) == 2 * len(TABLE)


def test_real_dtype():
    assert dtypes.complex64.real_dtype is dtypes.float32
    assert dtypes.complex128_ref.real_dtype is dtypes.float64
    assert dtypes.int8.real_dtype is dtypes.int8
    assert dtypes.float32_ref.real_dtype is dtypes.float32_ref


def test_proto_names():
    named = {d.proto_name for d in (dtypes.float32, dtypes.float64_ref, dtypes.half, dtypes.int32)}
    assert named == {"float", "double_ref", "half", "int32"}


@cases.in_one_test
@pytest.mark.parametrize(
    "value, name",
    [
        ("float", "float32"),
        ("half", "float16"),
        ("double_ref", "float64_ref"),
        ("bfloat16", "bfloat16"),
        (np.float32, "float32"),
        (np.dtype("float32"), "float32"),
        (np.dtype(">f4"), "float32"),
        (np.dtype("S3"), "string"),
        (np.dtype("U2"), "string"),
        (np.dtype("O"), "string"),
        (np.str_, "string"),
        (np.bytes_, "string"),
        (np.longlong, "int64"),
        (np.ulonglong, "uint64"),
        (np.intc, "int32"),
        (np.uintc, "uint32"),
        (np.bool_, "bool"),
        (ml_dtypes.bfloat16, "bfloat16"),
        (np.dtype(ml_dtypes.bfloat16), "bfloat16"),
        (np.dtype([("qint8", np.int8)]), "qint8"),
        (float, "float32"),
        (bool, "bool"),
        (object, "string"),
        (1, "float32"),
        (101, "float32_ref"),
        (np.int32(3), "int32"),
        (1.0, "float32"),
        (True, "float32"),
    ],
)
def test_as_dtype(value, name):
    assert dtypes.as_dtype(value) is getattr(dtypes, name)


@pytest.mark.parametrize(
    "value, text",
    [
        ("x", "Cannot convert value 'x' to a TensorFlow DType."),
        ("int", "Cannot convert value 'int' to a TensorFlow DType."),
        ("i4", "Cannot convert value 'i4' to a TensorFlow DType."),
        (None, "Cannot convert value None to a TensorFlow DType."),
        (int, "Cannot convert value <class 'int'> to a TensorFlow DType."),
        (str, "Cannot convert value <class 'str'> to a TensorFlow DType."),
        (complex, "Cannot convert value <class 'complex'> to a TensorFlow DType."),
        (0, "Cannot convert value 0 to a TensorFlow DType."),
        (200, "Cannot convert value 200 to a TensorFlow DType."),
        (np.void, "Cannot convert value <class 'numpy.void'> to a TensorFlow DType."),
        ([1], "unhashable type: 'list'"),
    ],
)
def test_as_dtype_refuses(value, text):
    with pytest.raises(TypeError) as caught:
        dtypes.as_dtype(value)
    assert of_any_python(str(caught.value)) == text


def test_invalid_type_enum():
    for number in (0, 24, 999):
        with pytest.raises(TypeError) as caught:
            dtypes.DType(number)
        assert str(caught.value) == f"type_enum is not a valid types_pb2.DataType: {number}"


def test_equality_accepts_any_dtype_like():
    assert dtypes.float32 == "float32"
    assert dtypes.float32 == np.float32
    assert dtypes.float32 == 1
    assert not dtypes.float32 != np.dtype("float32")
    assert dtypes.float32 != dtypes.float32_ref
    for other in (None, "x", [1], dtypes.float64):
        assert dtypes.float32 != other
        assert not dtypes.float32 == other
    assert {dtypes.float32: "found"}[1] == "found"


def test_is_compatible_with():
    assert dtypes.float32.is_compatible_with("float32")
    assert dtypes.float32.is_compatible_with(dtypes.float32_ref)
    assert not dtypes.float32_ref.is_compatible_with(dtypes.float32)
    assert dtypes.float32_ref.is_compatible_with(dtypes.float32_ref)
    assert not dtypes.float32.is_compatible_with(dtypes.float64)


def test_min_and_max():
    assert (dtypes.int8.min, dtypes.int8.max) == (-128, 127)
    assert (dtypes.uint64_ref.min, dtypes.uint64_ref.max) == (0, 2**64 - 1)
    assert (dtypes.float16.min, dtypes.float16.max) == (-65504.0, 65504.0)
    assert type(dtypes.float16.max) is np.float16
    assert dtypes.float32.max == np.float32(3.4028235e38)
    assert float(dtypes.bfloat16.min) == -float.fromhex("0x1.FEp127")
    for dtype in (dtypes.string, dtypes.bool, dtypes.complex64, dtypes.qint8, dtypes.resource):
        with pytest.raises(TypeError) as caught:
            _ = dtype.min
        assert str(caught.value) == f"Cannot find minimum value of <dtype: '{dtype.name}'>."
        with pytest.raises(TypeError, match="Cannot find maximum value of <dtype: "):
            _ = dtype.max


def test_limits():
    assert dtypes.uint8.limits == (0, 255)
    assert dtypes.int16.limits == (0, 32767)
    assert dtypes.float32_ref.limits == (0, 1)
    for dtype in (dtypes.float16, dtypes.string, dtypes.bool):
        with pytest.raises(KeyError, match=dtype.as_numpy_dtype.__name__):
            _ = dtype.limits


def test_quantized_dtypes():
    names = {dtype.name for dtype in dtypes.QUANTIZED_DTYPES}
    plain = {"qint8", "quint8", "qint16", "quint16", "qint32"}
    assert names == plain | {name + "_ref" for name in plain}


def test_unknown_attribute():
    with pytest.raises(AttributeError) as caught:
        _ = dtypes.float32.foo
    assert str(caught.value) == "'DType' object has no attribute 'foo'"
