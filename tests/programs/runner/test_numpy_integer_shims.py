"""Integer overflow, and arrays that do not broadcast, in a program's own source."""

import numpy as np
import pytest

from tests.support import cases
from tfmini._src.programs.runner import call_shims, numpy_integer_shims

# Expressions, with numpy 1.18's results.
VALUES = {
    "np.uint8(300)": np.uint8(44),
    "np.array([-1, 300], np.uint8)": np.uint8([255, 44]),
    "np.asarray([[70000]], dtype=np.int16)": np.int16([[4464]]),
    "np.full_like(a, 257)": np.uint8([1, 1, 1]),
    "a * -1": np.int16([-1, -2, -3]),
    "300 - a": np.uint16([299, 298, 297]),
    "np.int8(3) + 200": np.int64(203),
    "(np.uint8(9).max() + 1) * 512": np.int64(5120),
    "(lambda n, size: n * size)(a.max() + 1, 512)": np.int64(2048),
    "np.full(3, 255, np.uint8).max() + 1": np.int64(256),
    "1 - a[1]": np.int64(-1),
    "np.int32(7).sum() // 2": np.int64(3),
    "np.uint64(7).max() + 1": np.float64(8.0),
    "np.max(a) / 2": np.float64(1.5),
    "np.mean(np.float32([0.1])) * 100": np.float64(10.000000149011612),
    "1.0 - np.mean(np.float32([0.1]))": np.float64(0.8999999985098839),
    "np.float32([0.5, 1.5])[1:] * 100.0": np.float32([150.0]),
    "np.uint8(3).max() + 1180591620717411303424": 3 + 2**70,
    "np.sqrt(2.0) * (2 * f - 1)": np.float32([0, 1.4142135]),
    "f / np.prod([3, 5])": np.float32([0.033333335, 0.06666667]),
    "scaled(4) * f - np.float64(1)": np.float32([0.0, 1.0]),
    "a * (np.sum([1, 1]) - 0)": np.uint8([2, 4, 6]),
    "f * np.zeros(1).sum(0, keepdims=True)": np.zeros(2),
    "np.where(f > 0.5, f, np.log(1.0))": np.float32([0, 1]),
    "np.maximum(np.mean([0.75]), f)": np.float32([0.75, 1]),
    "np.clip(f, a_min=0, a_max=np.min([0.75, 3]))": np.float32([0.5, 0.75]),
    "f.clip(np.sqrt(0.5625), 2)": np.float32([0.75, 1]),
    "np.minimum(a, np.sum([2]))": np.uint8([1, 2, 2]),
    "np.minimum(f, np.zeros(1).sum(0, keepdims=True))": np.zeros(2),
    "np.linspace(0, 1, 3)[1] * f": np.float32([0.25, 0.5]),
    "[r * f for r in np.linspace(0.5, 1, 2)][0]": np.float32([0.25, 0.5]),
    "scaled_by_each(f)": np.float32([2, 4]),
    "sum([np.float32(0.1), np.float32(0.2)])": np.float64(0.30000000447034836),
    "sum(np.int8([100, 100]))": np.int64(200),
    "sum(x for x in ())": 0,
    "sum([np.float32([0.1]), 1])": np.float32([1.1]),
    "grown(np.float32(0.1))": np.float64(0.10000000149011612),
    "np.zeros(2, np.unsignedinteger)": np.uint64([0, 0]),
    "np.ones(1, dtype=np.integer)": np.int64([1]),
    "f.astype(np.number)": np.float64([0.5, 1]),
    "np.issubdtype(np.int8, np.integer)": True,
    "a == np.arange(4)": False,
    "a != np.arange(4)": True,
    "a == []": False,
    "a == np.arange(1, 4)": np.array([True] * 3),
    "'%d %s' % (300, a)": "300 [1 2 3]",
    "[0] * 200 == [0] * 200": True,
    "a.shape == (3,)": True,
    "2 ** 70 + 300": 2**70 + 300,
}


def run(source, **names):
    names |= {"np": np, "a": np.array([1, 2, 3], np.uint8), "f": np.float32([0.5, 1])}
    scaled = "import numpy as np\ndef scaled(n): return np.sqrt(n)\n"
    scaled += "def grown(x):\n    t, n = 0.0, 0\n    t += x\n    n += 1\n    return t\n"
    scaled += "def scaled_by_each(x):\n    for i, r in enumerate(np.array([2., 2.])): x = x * r\n    return x\n"
    exec(call_shims.compile_source(scaled + source, "program.py"), names)
    return names


@cases.in_one_test
@pytest.mark.parametrize("expression", VALUES)
def test_integer_values(expression):
    actual, expected = run(f"got = {expression}")["got"], VALUES[expression]
    assert type(actual) is type(expected)
    np.testing.assert_array_equal(actual, expected, strict=isinstance(expected, np.ndarray))


def test_item_assignment():
    names = run("m = np.zeros([2, 3], np.uint8); m[:, 1] = 400; m[0, ...] = -2; d = {}; d[0] = -1")
    assert names["m"].tolist() == [[254, 254, 254], [0, 144, 0]] and names["d"] == {0: -1}


def test_errors_are_unchanged():
    with pytest.raises(ValueError, match="inhomogeneous"):
        run("np.array([[1], [1, 2]], np.uint8)")
    with pytest.raises(OverflowError, match="Numerical result out of range"):
        run("(1.5 ** 10 ** 6) * 300")
    for large in ("np.array([[2**63, 1]], np.uint8)", "np.int64(2**63)"):
        with pytest.raises(OverflowError, match="too large"):
            run(large)
    with pytest.raises(ValueError, match="truth value"):
        run("bool(a == np.arange(1, 4))")
    with pytest.raises(ValueError, match="could not be broadcast"):
        run("a + np.arange(200)")
    with pytest.raises(IndexError, match="index 9 is out of bounds for axis 0 with size 3"):
        run("a[9] = -1")
    with pytest.raises(
        TypeError, match=r"full\(\) missing 1 required positional argument: 'fill_value'"
    ):
        numpy_integer_shims.call(np.full, (2,), {})


def test_errors_of_user_types_propagate():
    numbers = numpy_integer_shims

    class Refuses:
        def __init__(self, error):
            self.error = error

        def __eq__(self, other):
            raise self.error

        def __ne__(self, other):
            raise self.error

        def __setitem__(self, index, value):
            raise self.error

        __hash__ = None

    for compare in (numbers.equal, numbers.not_equal):
        with pytest.raises(ValueError, match="^own$"):
            compare(Refuses(ValueError("own")), 3)
        with pytest.raises(ValueError, match="^could not be broadcast$"):
            compare(Refuses(ValueError("could not be broadcast")), 3)  # and not an array
        with pytest.raises(ValueError, match="^other$"):
            compare(Refuses(ValueError("other")), np.zeros(2))
    with pytest.raises(OverflowError, match="^own$"):
        numbers.store(7, Refuses(OverflowError("own")), 0)
    with pytest.raises(OverflowError, match="too large"):
        numbers.compute("mul", 2.0, 10**400)
    with pytest.raises(OverflowError, match="^of an object$"):
        numbers.call(np.full, (2, _Overflows()), {"dtype": np.uint8})
    with pytest.raises(OverflowError, match="^of an object$"):
        numbers.call(np.full_like, (np.zeros(1, np.uint8), _Overflows()), {})


class _Overflows:
    def __array__(self, dtype=None, copy=None):
        raise OverflowError("of an object")


# Also with int16 `b`: the kind of object, its dtype, its values.
RESULTS = {
    "a - 300": "ndarray uint16 [65237, 65238, 65239]",
    "a // 300": "ndarray int16 [0, 0, 0]",
    "a % 300": "ndarray int16 [1, 2, 3]",
    "a & 300": "ndarray int16 [0, 0, 0]",
    "a / 300": "ndarray float64 [0.0033333333333333335, 0.006666666666666667, 0.01]",
    "300 ** a": "ndarray int16 [300, 24464, -832]",
    "300 % a": "ndarray int16 [0, 0, 0]",
    "300 * a": "ndarray uint16 [300, 600, 900]",
    "b * 200": "ndarray int16 [1000, -1400]",
    "b - 70000": "ndarray int32 [-69995, -70007]",
    "-300 + np.int8([1,2])": "ndarray int16 [-299, -298]",
    "np.int8([1,2]) * 200": "ndarray int16 [200, 400]",
    "np.uint16([1]) + -1": "ndarray int32 [0]",
    "np.uint32([1]) * 5000000000": "ndarray uint64 [5000000000]",
    "np.int64([2]) + 9223372036854775808": "ndarray float64 [9.223372036854776e+18]",
    "np.uint64(-1)": "uint64 uint64 18446744073709551615",
    "np.uint64(2**63)": "uint64 uint64 9223372036854775808",
    "np.full(2, 2**63, np.int64)": "ndarray int64 [-9223372036854775808, -9223372036854775808]",
    "np.int8(-2**63)": "int8 int8 0",
    "np.int64([1]) * 2**63": "ndarray float64 [9.223372036854776e+18]",
    "np.int64([1]) * 2**70": "ndarray object [1180591620717411303424]",
    "np.uint64([1]) - 300": "ndarray uint64 [18446744073709551317]",
    "np.int8([1]) + 2**63": "ndarray float64 [9.223372036854776e+18]",
    "np.int8([3]) // 2**63": "ndarray float64 [0.0]",
    "np.uint8([3]) - (-300)": "ndarray int16 [303]",
    "np.uint32([3]) + -300": "ndarray int64 [-297]",
    "np.int16([3]) | 2**40": "ndarray int64 [1099511627779]",
    "np.uint8([3]) ** 300": "ndarray int16 [9841]",
    "5 - np.uint8(3)": "int64 int64 2",
    "np.int16(7) / 2": "float64 float64 3.5",
    "np.int16(2) ** 20": "int64 int64 1048576",
    "np.float32(0.1) * 2.0": "float64 float64 0.20000000298023224",
    "2.0 ** np.float32(0.5)": "float64 float64 1.4142135623730951",
    "np.float16(0.1) + 1": "float64 float64 1.0999755859375",
    "np.uint8([200]).sum() + 1": "float64 float64 201.0",
    "np.full(2, 300, dtype='uint8')": "ndarray uint8 [44, 44]",
}


@cases.in_one_test
@pytest.mark.parametrize("expression", RESULTS)
def test_dtype_and_values(expression):
    actual = run(f"got = {expression}", b=np.array([5, -7], np.int16))["got"]
    result = f"{type(actual).__name__} {getattr(actual, 'dtype', '')} {np.asarray(actual).tolist()}"
    assert result == RESULTS[expression]
