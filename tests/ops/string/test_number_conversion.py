"""tf.as_string and tf.strings.to_number."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.sessions import run


@pytest.mark.parametrize("value", ["+5", "1_0", "0x10", "1.5", "", "-", "99999999999"])
def test_to_number_refuses_malformed_integers(value):
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string"):
        run(tf.strings.to_number([value], tf.int32))


@pytest.mark.parametrize("value", ["1_0", "infi", "nan(x)", "1e", "0b1", "1.5f", "", "-Infinity"])
def test_to_number_refuses_malformed_floats(value):
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string"):
        run(tf.strings.to_number([value], tf.float32))


def test_to_number_at_the_integer_limits():
    texts = [" -2147483648", "2147483647 "]
    assert run(tf.strings.to_number(texts, tf.int32)).tolist() == [-(2**31), 2**31 - 1]
    for text in (" -2147483649", "2147483648 "):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"convert string: {text}"):
            run(tf.strings.to_number([text], tf.int32))


def test_to_number_accepts_float_forms():
    values = run(tf.strings.to_number(["+5", ".5", "5.", "1e-50", "+inf", "NaN", "0x10", " 2 "]))
    np.testing.assert_array_equal(values, np.float32([5, 0.5, 5, 0, np.inf, np.nan, 16, 2]))


def test_as_string_fill_and_width():
    nan = float("nan")
    fetches = [
        tf.as_string([1.5, nan], width=8, fill="0"),
        tf.as_string([1.5, -1.5], width=10, fill="-"),
        tf.as_string([1.5], width=10, fill="+"),
        tf.as_string([True], width=6),
        tf.as_string([1.0], fill="0", precision=-2),
        tf.as_string(tf.constant([-nan]), precision=1),
    ]
    assert [value.tolist() for value in run(fetches)][:5] == [
        [b"1.500000", b"     nan"],
        [b"1.500000  ", b"-1.500000 "],
        [b" +1.500000"],
        [b"true"],
        [b"1.000000"],
    ]


NUMBERS = [
    (b"0" * 5000 + b"7", tf.int32, 7),
    (b"-" + b"0" * 5000 + b"7", tf.int64, -7),
    (b" " * 5000 + b"7", tf.int64, 7),
    (b"1" * 5000, tf.int32, None),
    (b"-" + b"9" * 5000, tf.int64, None),
    (b"0" * 100_000 + b"x", tf.int64, None),
    (b"0." + b"1" * 29, tf.float64, 0.11111111111111111),
    (b"0." + b"1" * 30, tf.float64, None),
    (b"0x" + b"f" * 5000, tf.float32, None),
    (b"1" * 5000, tf.float32, None),
    (b" " * 31, tf.float32, 0.0),
    (b" " * 32, tf.float32, None),
]


@pytest.mark.parametrize("text, dtype, expected", NUMBERS)
def test_to_number_of_long_strings(text, dtype, expected):
    """TensorFlow parses integers of any length, but floats only below 32 characters."""
    fed = tf.placeholder(tf.string, [1])
    read = [tf.string_to_number(fed, dtype), tf.decode_csv(fed, [tf.constant([], dtype)])[0]]
    problems = ["StringToNumberOp could not correctly convert string: ", "Field 0 in record 0 is"]
    with tf.Session() as session:
        for number, problem in zip(read, problems):
            if expected is None:
                with pytest.raises(tf.errors.InvalidArgumentError, match=problem):
                    session.run(number, {fed: [text]})
            else:
                assert session.run(number, {fed: [text]}) == [expected]


def test_to_number_beyond_the_integer_limits():
    texts = tf.placeholder(tf.string, [None])
    with tf.Session() as session:
        for dtype, values, beyond in [
            (tf.int32, ["12", " -3 ", "2147483647", "-2147483648"], "2147483648"),
            (tf.int64, [" 9223372036854775807", "-9223372036854775808"], "-9223372036854775809"),
        ]:
            read = tf.string_to_number(texts, dtype)
            assert session.run(read, {texts: values}).tolist() == [int(v) for v in values]
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"convert string: {beyond}"):
                session.run(read, {texts: [*values, beyond]})


@pytest.mark.parametrize(
    "settings, texts",
    [
        ({}, ["nan", "-nan", "inf", "1.500000"]),
        ({"width": 6}, ["   nan", "  -nan", "   inf", "1.500000"]),
        ({"width": 6, "fill": "0", "precision": 2}, ["   nan", "  -nan", "   inf", "001.50"]),
        ({"width": 6, "fill": "-", "precision": 2}, ["nan   ", "-nan  ", "inf   ", "1.50  "]),
    ],
)
def test_as_string_of_nan_and_infinity(settings, texts):
    values = tf.constant([np.nan, -np.nan, np.inf, 1.5])
    assert run(tf.as_string(values, **settings)).tolist() == [text.encode() for text in texts]
