"""tf.strings.split and tf.string_split."""

import pytest

import tfmini as tf
from tests.support.sessions import run

TEXTS = ["a b, c", "", " x ,, y ", "one", "a  ", "a b ", " ", "  a"]

# Splits at whitespace, once and twice: the last part is the rest, even if empty.
SPLIT = {
    1: [["a", "b, c"], [], ["x", ",, y "], ["one", ""], ["a", ""], ["a", "b "], [], ["a", ""]],
    2: [["a", "b,", "c"], [], ["x", ",,", "y "], ["one"], ["a"], ["a", "b", ""], [], ["a"]],
}


@pytest.mark.parametrize("maxsplit", SPLIT)
def test_split_with_maxsplit(maxsplit):
    indices, values, shape = run(tf.strings.split(TEXTS, maxsplit=maxsplit))
    expected = SPLIT[maxsplit]
    assert values.tolist() == [part.encode() for parts in expected for part in parts]
    assert indices[:, 0].tolist() == [i for i, parts in enumerate(expected) for _ in parts]
    assert shape.tolist() == [len(TEXTS), maxsplit + 1]


@pytest.mark.parametrize("separator", ["", " ", ",", ", ", "ab"])
@pytest.mark.parametrize("skip_empty", [True, False])
def test_string_split_on_delimiters(separator, skip_empty):
    """Against a plain loop over the strings."""
    texts = [*TEXTS, "b,ab a", ",", "\n", "äb"]
    expected = []
    for text in (text.encode() for text in texts):
        parts = [text[i : i + 1] for i in range(len(text))]
        if separator:
            for other in separator.encode():
                text = text.replace(bytes([other]), separator[:1].encode())
            parts = text.split(separator[:1].encode()) if text else []
            parts = [part for part in parts if part or not skip_empty]
        expected.append(parts)
    got = run(tf.string_split(tf.constant(texts), separator, skip_empty))
    assert got.values.tolist() == [part for parts in expected for part in parts]
    positions = [[i, j] for i, parts in enumerate(expected) for j in range(len(parts))]
    assert got.indices.tolist() == positions
    assert got.dense_shape.tolist() == [len(texts), max(map(len, expected))]


@pytest.mark.parametrize("separator", ["", " ", ","])
def test_split_v2_matches_python(separator):
    texts = [*TEXTS, "\t\n", "x\x0by\x0cz\r", ","]
    expected = [text.encode().split(separator.encode() or None) for text in texts]
    got = run(tf.strings.split(texts, separator))
    assert got.values.tolist() == [part for parts in expected for part in parts]
    assert got.indices.tolist() == [[i, j] for i, p in enumerate(expected) for j in range(len(p))]
