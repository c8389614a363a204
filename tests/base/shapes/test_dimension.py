"""tf.Dimension, compared with TensorFlow 1.15.5's recorded results."""

import operator
import pickle

import numpy as np
import pytest

from tests.support import cases
from tfmini import dtypes
from tfmini._src.base import shapes
from tfmini._src.base.shapes import Dimension, TensorShape

UNKNOWN = Dimension(None)

THREE = Dimension(3)

FIVE = Dimension(5)


def answer(function, *args):
    """The text of a call's result or error."""
    try:
        return repr(function(*args))
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as error:
        return f"{type(error).__name__}: {error}"


@pytest.mark.parametrize(
    "value, text",
    [
        (3, "Dimension(3)"),
        ("3", "Dimension(3)"),
        (b"5", "Dimension(5)"),
        (None, "Dimension(None)"),
        (Dimension(4), "Dimension(4)"),
        (3.0, "Dimension(3)"),
        (np.int64(7), "Dimension(7)"),
        (np.array(3), "Dimension(3)"),
        (np.array([[3]]), "Dimension(3)"),
        (np.array([3.5]), "ValueError: Ambiguous dimension: [3.5]"),
        (True, "Dimension(1)"),
        (-1, "ValueError: Dimension -1 must be >= 0"),
        (3.5, "ValueError: Ambiguous dimension: 3.5"),
        ("x", "ValueError: invalid literal for int() with base 10: 'x'"),
        (dtypes.float32, "TypeError: Cannot convert <dtype: 'float32'> to Dimension"),
    ],
)
def test_construction(value, text):
    assert answer(Dimension, value) == text


def test_int_str_and_index():
    assert (str(THREE), str(UNKNOWN), f"{FIVE}") == ("3", "?", "5")
    assert (int(THREE), list(range(THREE)), THREE.value) == (3, [0, 1, 2], 3)
    with pytest.raises(TypeError, match=r"__int__.* NoneType"):
        int(UNKNOWN)
    with pytest.raises(TypeError, match="unhashable type: 'Dimension'"):
        hash(THREE)
    assert repr(pickle.loads(pickle.dumps(UNKNOWN))) == "Dimension(None)"


@cases.in_one_test
@pytest.mark.parametrize(
    "name, left, right, text",
    [
        ("eq", THREE, 3, "True"),
        ("eq", THREE, FIVE, "False"),
        ("eq", THREE, None, "None"),
        ("eq", UNKNOWN, UNKNOWN, "None"),
        ("eq", THREE, "x", "False"),
        ("eq", THREE, "3", "True"),
        ("eq", 3, THREE, "True"),
        ("ne", THREE, 3, "False"),
        ("ne", UNKNOWN, 3, "None"),
        ("ne", THREE, "x", "True"),
        ("lt", THREE, FIVE, "True"),
        ("lt", 5, THREE, "False"),
        ("lt", THREE, None, "None"),
        ("lt", THREE, "x", "ValueError: invalid literal for int() with base 10: 'x'"),
        ("le", THREE, 3, "True"),
        ("gt", THREE, UNKNOWN, "None"),
        ("gt", FIVE, 3, "True"),
        ("ge", THREE, FIVE, "False"),
        ("ge", THREE, -1, "ValueError: Dimension -1 must be >= 0"),
        ("add", THREE, 5, "Dimension(8)"),
        ("add", 5, THREE, "Dimension(8)"),
        ("add", THREE, None, "Dimension(None)"),
        ("sub", FIVE, 3, "Dimension(2)"),
        ("sub", 5, THREE, "Dimension(2)"),
        ("sub", 3, FIVE, "ValueError: Dimension -2 must be >= 0"),
        ("mul", THREE, FIVE, "Dimension(15)"),
        ("mul", 5, UNKNOWN, "Dimension(None)"),
        ("floordiv", FIVE, 3, "Dimension(1)"),
        ("floordiv", 5, THREE, "Dimension(1)"),
        ("mod", FIVE, 3, "Dimension(2)"),
        ("mod", 5, THREE, "Dimension(2)"),
        ("mod", UNKNOWN, 3, "Dimension(None)"),
        (
            *("truediv", THREE, 5),
            "TypeError: unsupported operand type(s) for /: 'Dimension' and 'int', "
            "please use // instead",
        ),
        (
            *("truediv", 5, THREE),
            "TypeError: unsupported operand type(s) for /: 'int' and 'Dimension', "
            "please use // instead",
        ),
    ],
)
def test_operators(name, left, right, text):
    assert answer(getattr(operator, name), left, right) == text


@pytest.mark.parametrize("name", ["add", "sub", "floordiv"])
def test_operators_refuse_non_sizes(name):
    with pytest.raises(TypeError, match="unsupported operand"):
        getattr(operator, name)(THREE, "x")


def test_merge():
    assert answer(THREE.merge_with, None) == "Dimension(3)"
    assert answer(UNKNOWN.merge_with, 4) == "Dimension(4)"
    text = "ValueError: Dimensions 3 and 5 are not compatible"
    assert answer(THREE.merge_with, FIVE) == text
    assert answer(THREE.assert_is_compatible_with, 5) == text
    assert (THREE.is_compatible_with(UNKNOWN), THREE.is_compatible_with(4)) == (True, False)
    assert THREE.is_compatible_with("x") is NotImplemented
    THREE.assert_is_compatible_with("x")


def test_dimension_value_and_dimension_at_index():
    assert shapes.dimension_value(THREE) == 3
    assert shapes.dimension_value(None) is None
    assert repr(shapes.dimension_at_index(TensorShape([2, 3]), 1)) == "Dimension(3)"
    assert repr(shapes.dimension_at_index(TensorShape(None), 1)) == "Dimension(None)"
