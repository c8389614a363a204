"""Formatting of values: strings printed by TensorFlow 1.15.5."""

import numpy as np
import pytest

from tfmini._src.ops.checks.value_text import escape, format_value, number_text, summarize_value

CUBE = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
WORDS = np.array([b"a", b"a\xff\n'\"\\", b"\xc3\xa9"], object)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (1 / 3, "0.333333343"),
        (1e20, "1e+20"),
        (1e-5, "1e-05"),
        (1e-4, "0.0001"),
        (16777217, "16777216"),
        (1234567, "1234567"),
        (1e6, "1e+06"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        (np.nan, "nan"),
        (-np.nan, "-nan"),
        (-0.0, "-0"),
        (0.0001234567, "0.000123456703"),
    ],
)
def test_float32_text(value, text):
    assert number_text(np.float32(value)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (1 / 3, "0.33333333333333331"),
        (123456789, "123456789"),
        (1e15, "1e+15"),
        (1e16, "1e+16"),
        (2.0**53 + 2, "9007199254740994"),
        (1e-320, "9.99988867182683e-321"),
    ],
)
def test_float64_text(value, text):
    assert number_text(np.float64(value)) == text


def test_float16_text():
    assert [number_text(v) for v in np.array([0.1, 65504, 1e-5], "e")] == [
        "0.0999755859",
        "65504",
        "1.00135803e-05",
    ]


def test_bytes_are_escaped():
    assert [escape(word) for word in WORDS] == ["a", "a\\377\\n\\'\\\"\\\\", "\\303\\251"]


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        (CUBE, 100, "[[0 1 2 3][4 5 6 7][8 9 10 11]][[12 13 14 15][16 17 18 19][20 21 22 23]]"),
        (CUBE, -1, "[[0 1 2 3][4 5 6 7][8 9 10 11]][[12 13 14 15][16 17 18 19][20 21 22 23]]"),
        (CUBE, 0, "..."),
        (CUBE, 1, "[[0...]]..."),
        (CUBE, 3, "[[0 1 2...]]..."),
        (CUBE, 5, "[[0 1 2 3][4...]]..."),
        (CUBE, 6, "[[0 1 2 3][4 5...]]..."),
        (np.arange(5), 1, "0..."),
        (np.array(5), 0, "..."),
        (np.array(5), 3, "5"),
        (np.array([True, False]), 3, "1 0"),
        (b"ab", 3, "ab"),
        (np.array([1 + 2j, 3j]), 3, "? ?"),
        (np.array(3j), 3, "?"),
        (np.zeros([0, 3]), 3, ""),
        (np.arange(7).reshape(7, 1), 3, "[0][1][2]..."),
    ],
)
def test_summary_shows_leading_elements(value, limit, text):
    assert summarize_value(value, limit) == text


@pytest.mark.parametrize(
    ("value", "limit", "text"),
    [
        (CUBE, 0, "[\n\n ...]"),
        (
            CUBE,
            1,
            "[[[0 ... 3]\n  ...\n  [8 ... 11]]\n\n [[12 ... 15]\n  ...\n  [20 ... 23]]]",
        ),
        (
            CUBE,
            2,
            "[[[0 1 2 3]\n  [4 5 6 7]\n  [8 9 10 11]]\n\n [[12 13 14 15]\n  [16 17 18 19]\n"
            "  [20 21 22 23]]]",
        ),
        (np.arange(5), 0, "[ ...]"),
        (np.arange(5), 1, "[0 ... 4]"),
        (np.arange(5), 2, "[0 1 ... 3 4]"),
        (np.array(5), 0, "..."),
        (b"ab", 3, '"ab"'),
        (WORDS[:1], 3, '["a"]'),
        (np.array(3j), 3, "[?]"),
        (np.zeros([0, 3]), 3, "[]"),
        (np.zeros([2, 0]), 3, "[\n ...]"),
        (np.zeros([2, 1, 2], "f"), 3, "[[[0 0]]\n\n [[0 0]]]"),
    ],
)
def test_format_shows_both_ends(value, limit, text):
    assert format_value(value, limit) == text
