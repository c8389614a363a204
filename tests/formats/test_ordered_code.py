"""Slice keys against hand-computed codes, and their order."""

import pytest

from tfmini._src.formats.ordered_code import (
    FULL_EXTENT,
    encode_signed,
    number_code,
    slice_key,
    string_code,
)


@pytest.mark.parametrize(
    "value, code",
    [
        (0, "80"),
        (1, "81"),
        (63, "bf"),
        (64, "c040"),
        (127, "c07f"),
        (8191, "dfff"),
        (8192, "e02000"),
        (1 << 20, "f0100000"),
        ((1 << 63) - 1, "ffc07fffffffffffffff"),
        (-1, "7f"),
        (-64, "40"),
        (-65, "3fbf"),
        (-8192, "2000"),
        (-8193, "1fdfff"),
        (-(1 << 63), "003f8000000000000000"),
    ],
)
def test_signed_code_length_prefix(value, code):
    assert encode_signed(value).hex() == code


def test_codes_preserve_order():
    numbers = sorted(s * (1 << n) + d for n in range(62) for s in (-1, 1) for d in (-1, 0, 1))
    codes = [encode_signed(n) for n in sorted(set(numbers))]
    assert codes == sorted(codes) and len(set(codes)) == len(codes)
    counts = [number_code(n) for n in (0, 1, 255, 256, 65535, 65536, 1 << 40)]
    assert counts == sorted(counts)
    texts = [b"", b"\0", b"\0a", b"a", b"a\0", b"a\xff", b"ab", b"\xff", b"\xff\0", b"\xff\xff"]
    assert sorted(texts, key=string_code) == sorted(texts)


def test_slice_key_encoding():
    assert number_code(0) == b"\0" and number_code(300) == b"\2\1\x2c"
    assert string_code(b"a\0b\xffc") == b"a\0\xffb\xff\0c\0\1"
    assert slice_key("a/b", []) == b"\0a/b\0\1\0"
    assert slice_key("v", [(3, 64), FULL_EXTENT]) == b"\0v\0\1\1\2\x83\xc0\x40\x80\x7f"
    assert slice_key("é", [(0, 1)]) == b"\0\xc3\xa9\0\1\1\1\x80\x81"
