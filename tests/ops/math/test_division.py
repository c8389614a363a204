"""Integer division and remainders: by zero, which TensorFlow rejects; at the limits of their ranges."""

import numpy as np
import pytest

import tfmini as tf

ZERO = (tf.errors.InvalidArgumentError, "Integer division by zero")
ODD = (tf.errors.InternalError, r"Unexpected error in binary operator \(only integer div and mod ")
REFUSALS = {"TruncateDiv": ODD, "TruncateMod": ODD}
X, Y = [7, -7, 5], [2, 3, -4]


@pytest.mark.parametrize(
    "name, values",
    [
        ("Div", [3, -2, -1]),
        ("FloorDiv", [3, -3, -2]),
        ("TruncateDiv", [3, -2, -1]),
        ("Mod", [1, -1, 1]),
        ("FloorMod", [1, 2, -3]),
        ("TruncateMod", [1, -1, 1]),
    ],
)
@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_integer_division(name, values, dtype):
    x, y = (tf.placeholder(dtype, [None]) for _ in range(2))
    result = getattr(tf.raw_ops, name)(x=x, y=y)
    with tf.Session() as session:
        actual = session.run(result, {x: X, y: Y})
        kind, text = REFUSALS.get(name, ZERO)
        assert actual.tolist() == values and actual.dtype == dtype.as_numpy_dtype
        with pytest.raises(kind, match=text):
            session.run(result, {x: X, y: [2, 0, 1]})


def test_int8_division_by_zero(session):
    """int8 uses XLA's kernels, which set all bits of a quotient by 0; other dtypes may have no kernel."""
    x, y = (tf.placeholder(tf.int8, [None]) for _ in range(2))
    for name in ("TruncateDiv", "RealDiv"):
        quotient = getattr(tf.raw_ops, name)(x=x, y=y)
        assert session.run(quotient, {x: [7, -7, 5], y: [2, 0, -4]}).tolist() == [3, -1, -1]
    with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered"):
        session.run(tf.raw_ops.RealDiv(x=tf.cast(x, tf.int16), y=tf.ones([], tf.int16)), {x: [1]})


# TensorFlow adds |x| and |y|, and the sum wraps around: -(2**31) // 3 is 715827882 there.
QUOTIENTS = {
    "int8": ([-128, -127, 127, 5, -5], [42, -43, 42, 1, -2]),
    "int16": ([-(2**15), 1 - 2**15, 2**15 - 1, 5, -5], [10922, -10923, 10922, 1, -2]),
    "int32": ([-(2**31), 1 - 2**31, 2**31 - 1, 5, -5], [*[715827882] * 3, 1, -2]),
    "int64": ([-(2**63), 1 - 2**63, 2**63 - 1, 5, -5], [*[3074457345618258602] * 3, 1, -2]),
}


@pytest.mark.parametrize("dtype", QUOTIENTS)
def test_floor_division_wraps(dtype):
    numbers, quotients = (np.array(row, dtype) for row in QUOTIENTS[dtype])
    x, three = tf.placeholder(dtype), tf.constant(3, dtype)
    with tf.Session() as session:
        assert session.run(x // three, {x: numbers}).tolist() == quotients.tolist()
        column = session.run(x // [[three]], {x: numbers[:1]})
        assert column.tolist() == [[quotients[0]]] and column.dtype == dtype
        for number, quotient in zip(numbers, quotients):
            assert session.run(x // three, {x: number}) == quotient


@pytest.mark.parametrize("dtype", QUOTIENTS)
def test_floor_division_matches_numpy(dtype):
    x = np.random.RandomState(2).randint(-60, 60, 500).astype(dtype)
    y = np.random.RandomState(3).randint(1, 60, 500).astype(dtype) * np.array([1, -1] * 250, dtype)
    with tf.Session() as session:
        assert session.run(tf.constant(x) // y).tolist() == [
            a // b for a, b in zip(x.tolist(), y.tolist())
        ]
