"""Kernels on bytes objects: hashes equal NumPy's formulas; parsing, slicing and searching equal Python's."""

import base64
import re
import sys

import numpy as np
import pytest

from tfmini._src.devices.host.native import strings as native_strings
from tfmini._src.devices.host.native.strings import parse_numbers
from tfmini._src.devices.host.regular_expressions import compile_pattern
from tfmini._src.devices.numpy import farmhash, string_hashes

LENGTHS = [*range(200), 255, 256, 257, 1000, 5000]


def objects(strings):
    array = np.empty(len(strings), object)
    array[:] = strings
    return array


@pytest.mark.parametrize(
    "name, formula",
    [
        ("fingerprints", farmhash.fingerprints),
        ("murmur_hashes", string_hashes.murmur_hashes),
        ("sip_hashes", lambda strings: string_hashes.sip_hashes(strings, (3, 2**63 + 5))),
    ],
)
def test_hashes_of_all_lengths(build, use_build, name, formula):
    rng = np.random.RandomState(0)
    strings = objects([rng.bytes(n) for n in LENGTHS])
    key = (3, 2**63 + 5) if name == "sip_hashes" else ()
    got = parse_numbers(name, strings, np.uint64, key)
    assert got.dtype == np.uint64
    use_build("0")
    assert parse_numbers(name, strings, np.uint64, key) is None
    np.testing.assert_array_equal(got, formula(strings))


def test_lengths_have_input_shape(build):
    strings = objects([b"a" * n for n in LENGTHS[:200]]).reshape(10, 20)
    got = parse_numbers("lengths", strings, np.int64)
    np.testing.assert_array_equal(got, np.arange(200).reshape(10, 20))


def test_parsed_floats_match_python(build):
    rng = np.random.RandomState(0)
    texts = ["0", "-0", "+1", ".5", "5.", "-.25e2", "1e22", "1e-22", "1E+3", "123456789012345"]
    for digits in range(1, 15):
        texts += [f"{x:.{digits}g}" for x in rng.randn(200) * 10.0 ** rng.randint(-4, 9, 200)]
    got = parse_numbers("floats", objects([t.encode() for t in texts]), np.float64)
    assert got.tobytes() == np.array([float(t) for t in texts]).tobytes()


def test_parsed_integers_match_python(build):
    texts = ["0", "-0", "007", "-12", "999999999999999999", "-999999999999999999"]
    got = parse_numbers("integers", objects([t.encode() for t in texts]), np.int64)
    assert got.tolist() == [int(t) for t in texts]


def test_formatted_integers_match_python(build):
    numbers = [0, 7, -7, 10, 99, -100, 2**63 - 1, -(2**63), *range(-300, 300, 7)]
    got = native_strings.format_numbers(np.array(numbers).reshape(2, -1), 0)
    assert got.shape == (2, len(numbers) // 2)
    assert got.ravel().tolist() == [b"%d" % value for value in numbers]
    assert native_strings.format_numbers(np.int8(-5)[None], 0).tolist() == [b"-5"]


@pytest.mark.parametrize("places", [0, 1, 6, 9])
def test_formatted_floats_match_python(build, places):
    rng = np.random.RandomState(places)
    ties = [(n + 0.5) / 2**places for n in range(20)]
    numbers = [*ties, 0.0, -0.0, 5e-324, 2.0**-1022, 1e-40, 1e-16, 0.05, 0.95, 99999999.4, -1e9 / 3]
    numbers += (rng.randn(500) * 10.0 ** rng.randint(-12, 8, 500)).tolist()
    got = native_strings.format_numbers(np.array(numbers), places).tolist()
    assert got == [b"%.*f" % (places, value) for value in numbers]
    narrow = np.array(numbers, np.float32)
    assert native_strings.format_numbers(narrow, places).tolist() == [
        b"%.*f" % (places, value) for value in narrow.tolist()
    ]


def test_unsupported_formats_fall_back_to_python(build):
    for value in (np.nan, np.inf, -np.inf, 1e9, -1e300):
        assert native_strings.format_numbers(np.array([1.5, value]), 6) is None
    assert native_strings.format_numbers(np.array([1.5]), 10) is None


@pytest.mark.parametrize(
    "name, texts",
    [
        ("floats", "|.|-|e5|1e|1e+|1e+-5|1e--5|1.2.3| 1|1 |1_0|0x1|nan|inf|1e23|1e99999|1\0"),
        ("floats", "1234567890123456|0." + 31 * "1"),
        ("integers", "|-|--1|+1|1.0|1e3| 1|1 |1\0|1000000000000000000"),
    ],
)
def test_unusual_numbers_fall_back_to_python(build, name, texts):
    for text in texts.split("|"):
        assert parse_numbers(name, objects([b"1", text.encode()]), np.float64) is None, text


def test_non_bytes_elements_fall_back_to_numpy(build):
    class Bytes(bytes):
        pass

    def lengths(strings):
        return parse_numbers("lengths", strings, np.int64)

    assert lengths(objects([b"a", Bytes(b"b")])) is None
    assert lengths(objects([b"a", None])) is None
    assert lengths(np.empty(3, object)) is None
    assert lengths(objects([b"a", b"b", b"c"])[::2]) is None
    assert lengths(b"a") is None
    assert lengths(objects([])).shape == (0,)


def test_slices_match_python(build):
    inputs = [b"", b"a", b"abc", bytes(range(256))]
    for start, size in ((0, 0), (0, 2), (0, sys.maxsize)):
        result = native_strings.slice_strings(objects(inputs), start, size)
        assert result.tolist() == [s[start : start + size] for s in inputs]
    many = objects([b"%05d" % i for i in range(1000)])
    counts = [sys.getrefcount(many[i]) for i in range(3)]
    for _ in range(10):
        assert native_strings.slice_strings(many, 2, 2)[123] == b"12"
        many = objects([*native_strings.slice_strings(many, 0, 5)])
    assert [sys.getrefcount(many[i]) for i in range(3)] == counts
    assert native_strings.slice_strings(objects(inputs), 1, 2) is None
    assert native_strings.slice_strings(objects(inputs), -1, 2) is None


def test_equal_length_strings_are_joined(build):
    assert native_strings.join_strings(objects([b"ab", b"cd"]), 2).tobytes() == b"abcd"
    assert native_strings.join_strings(objects([b"", b""]), 0).shape == (2, 0)
    assert native_strings.join_strings(objects([b"ab", b"c"]), 2) is None


def test_rows_are_joined(build, use_build):
    inputs = [b"", b"a", b"bc", bytes(range(256)), b"a" * 999]
    columns = [objects(inputs), objects(inputs[::-1]), objects([b"x", b"", b"y", b"", b"z"])]
    for separator in (b"", b" ", b"\0--"):
        for count in (1, 2, 3):
            result = native_strings.rows_joined(columns[:count], separator)
            assert result.tolist() == [*map(separator.join, zip(*columns[:count]))]
    assert native_strings.rows_joined([columns[0].reshape(5, 1)] * 2, b"").shape == (5, 1)
    for wrong in (objects([b"a", None]), objects([b"a", "b"]), objects([b"a"] * 4)[::2]):
        assert native_strings.rows_joined([objects([b"a", b"b"]), wrong], b" ") is None
    use_build("0")
    assert native_strings.rows_joined(columns, b" ") is None


@pytest.mark.parametrize("empty", ["kept", "left_out", "kept_of_others"])
def test_split_matches_python(build, use_build, empty):
    inputs = [b"", b" ", b"a", b" a", b"a ", b"a b", b"a  b\tc", b"\xff \0", b" \t ", b"x" * 999]
    expected = [re.split(b"[ \t]", text) for text in inputs]
    if empty == "left_out":
        expected = [[part for part in row if part] for row in expected]
    if empty == "kept_of_others":
        expected[0] = []
    for count in (len(inputs), 1, 0):
        rows = expected[:count]
        indices, values, shape = native_strings.split_strings(
            objects(inputs[:count]), b" \t", empty
        )
        assert values.tolist() == [part for row in rows for part in row]
        assert indices.tolist() == [[i, k] for i, row in enumerate(rows) for k in range(len(row))]
        assert shape.tolist() == [count, max(map(len, rows), default=0)]
    assert native_strings.split_strings(objects([b"a b", None]), b" ", empty) is None
    use_build("0")
    assert native_strings.split_strings(objects(inputs), b" ", empty) is None


def test_regex_matches_and_undecided_texts(build):
    pytest.importorskip("re2")
    pattern = compile_pattern(b"[ab]+c?.*")._pattern
    inputs = objects([b"", b"a", b"abcd", b"ca", b"a\n", "aé".encode(), b"a" * (2**20 + 1)])
    result, left = native_strings.matches(pattern, inputs)
    assert left.tolist() == [False] * 5 + [True] * 2
    assert result[:5].tolist() == [False, True, True, False, False]
    result, left = native_strings.replace_pattern(
        compile_pattern(b"[ab]+c?")._pattern, inputs, [b"--" * 999], True
    )
    assert result[~left].tolist() == [re.sub(b"[ab]+c?", b"--" * 999, s) for s in inputs[~left]]
    assert native_strings.matches(pattern, objects([b"a", None])) is None


def test_base64_matches_standard_library(build):
    rng = np.random.RandomState(0)
    strings = [rng.bytes(n) for n in LENGTHS]
    padded = [base64.urlsafe_b64encode(text) for text in strings]
    bare = [text.rstrip(b"=") for text in padded]
    assert native_strings.encode_base64_strings(objects(strings), True).tolist() == padded
    assert native_strings.encode_base64_strings(objects(strings), False).tolist() == bare
    assert native_strings.decode_base64_strings(objects(padded + bare)).tolist() == strings * 2
    for wrong in (b"A", b"AB=", b"A===", b"AB=C", b"AA==A", b"A+==", b"\xff\0AA", b"AB\n="):
        assert native_strings.decode_base64_strings(objects([b"AA==", wrong])) is None
