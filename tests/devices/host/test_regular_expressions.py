"""RE2 patterns with TensorFlow's error messages, and replacement, as in TensorFlow 1.15.5."""

import random
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.support.lazy_modules import needs
from tfmini._src.devices.host import regular_expressions
from tfmini._src.devices.host.regular_expressions import PatternError, compile_pattern

pytestmark = needs("re2")

TEXT = "aé b_1"
# TensorFlow 1.15.5's results for TEXT with each match replaced by a dash.
REPLACED = {
    "[[:alpha:]]": "-é -_1",
    r"\w": "-é ---",
    r"\pL": "-- -_1",
    r"\W": "a--b_1",
    ".": "------",
    r"\s": "aé-b_1",
    "[[:space:]]": "aé-b_1",
    "[^a]": "a-----",
    "(?i)A": "-é b_1",
    r"\d+|b": "aé -_-",
    r"\p{Ll}": "-- -_1",
    r"[\p{Ll}1]+": "- -_-",
    r"\PN": "-----1",
    r"\p{Latin}": "-- -_1",
    "x*": "-a-é- -b-_-1-",
    r"\b": "-a-é -b_1-",
    r"\C": "-------",
    "(?i)É": "a- b_1",
    "[(?<n]": TEXT,
}


@pytest.mark.parametrize("pattern", REPLACED)
def test_replace_matches_re2(pattern):
    assert (
        compile_pattern(pattern.encode()).replace(TEXT.encode(), b"-", True).decode()
        == REPLACED[pattern]
    )


MATCHES = [
    (r"a$", "a\n", False),
    (r"(?P<mime>a)$", "a\n", False),
    (r"(?m)a$\n", "a\n", True),
    (r"\s", "\v", False),
    (r"[\S]", "\v", True),
    (r"[[:space:]]", "\v", True),
    (r"\Aab\z", "ab", True),
    (r"\Q.+\E", ".+", True),
    (r"\x41\x{42}", "AB", True),
    (r"[\w.]+", "a.b", True),
    (r"[^\s[:digit:]]+", "ab", True),
    (r"[^\s[:digit:]]+", "a1", False),
    (r"[]a]+", "]a", True),
    (r"(?P<name>a)(?:b)?", "ab", True),
    (r"a(?i)b|c", "aB", True),
    (r"a(?i)b|c", "C", True),
    (r"(a(?i)b|)c", "c", True),
    (r"(a(?i)b|)c", "C", False),
    (r"(?s).", "\n", True),
    (r".", "\n", False),
    (r"a{2,3}?", "aaa", True),
    (r"\bab\b", "ab", True),
    (r"a\Bb", "ab", True),
    (r"{,3}", "{,3}", True),
    (r"é|世", "世", True),
]


@pytest.mark.parametrize("pattern, text, expected", MATCHES)
def test_matches_require_full_text(pattern, text, expected):
    assert compile_pattern(pattern.encode()).matches(text.encode()) == expected


@pytest.mark.parametrize("pattern", [b".", rb"(?s).", rb"\W", rb"\PL", b"[^a]", rb"[\D]"])
def test_classes_exclude_invalid_utf8(pattern):
    assert not compile_pattern(pattern).matches(b"\xff")
    assert compile_pattern(pattern).matches(b"!")


def test_empty_matches_between_characters():
    text = "é".encode() + b"\xff\xe4\xb8" + "世".encode()
    expected = "-é-".encode() + b"\xff-\xe4-\xb8-" + "世-".encode()
    assert compile_pattern(b"x*").replace(text, b"-", True) == expected


def test_catastrophic_pattern_takes_linear_time():
    code = (
        "from tfmini._src.devices.host.regular_expressions import compile_pattern\n"
        r"e = compile_pattern(rb'(\w+\s?)*:')" + "\n"
        "assert e.replace(b'a' * 20_000, b'', True) == b'a' * 20_000\n"
        "assert not e.matches(b'a' * 20_000)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_re2_is_imported_lazily():
    code = (
        "import sys, tfmini as tf\n"
        "with tf.Session() as session: session.run(tf.constant('hello') + ' world')\n"
        "assert 're2' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


REFUSED = {
    "(": "missing ): (",
    "a)": "missing ): a)",
    "a[": "missing ]: [",
    "*a": "no argument for repetition operator: *",
    "a|*": "no argument for repetition operator: *",
    "(?=a)": "invalid perl operator: (?=",
    r"\q": r"invalid escape sequence: \q",
    r"(a)\1": r"invalid escape sequence: \1",
    "a**": "bad repetition operator: **",
    "a{2,1}": "invalid repetition size: {2,1}",
    "[z-a]": "invalid character class range: z-a",
    "a\\": "trailing \\",
    "(?<n>a)": "invalid perl operator: (?<",
    "(?P<n>a)(?P<n>b": "missing ): (?P<n>a)(?P<n>b",
    "(?P<1->a)": "invalid named capture group: (?P<1->",
    "((a{100}){100}){100}": "invalid repetition size: {100}",
    r"\pX": r"invalid character class range: \pX",
    r"\x{110000}": r"invalid escape sequence: \x{110000",
    r"[a-\d]": r"invalid escape sequence: \d",
}


@pytest.mark.parametrize("pattern", REFUSED)
def test_invalid_patterns_match_re2_errors(pattern):
    with pytest.raises(PatternError) as caught:
        compile_pattern(pattern.encode())
    assert str(caught.value) == REFUSED[pattern]


def texts(*some):
    return np.array([*some, None], object)[:-1]


def test_simple_sequences_match_re2():
    chosen = random.Random(0)
    atoms = rb"a b - . [ab] [^a] [a-c1] [^0-9] \d \. \\ _ [A-Z] \$ \w \W \s \S \n [\s.] [^\w\s] [-$(]".split()
    repeats = [b"", *b"* + ?".split()]
    seen = 0
    for _ in range(800):
        count = chosen.randint(1, 5)
        parts = [chosen.choice(atoms) + chosen.choice(repeats) for _ in range(count)]
        for _ in range(chosen.randint(0, 2)):  # in groups, some nested
            begin = chosen.randrange(count)
            parts[begin] = chosen.choice([b"(", b"(", b"(?:"]) + parts[begin]
            parts[chosen.randrange(begin, count)] += b")"
        pattern = (
            chosen.choice([b"", b"", b"^"]) + b"".join(parts) + chosen.choice([b"", b"", b"$"])
        )
        actual, library = (regular_expressions.Expression(pattern) for _ in range(2))
        library._pattern = None
        seen += actual._pattern is not None
        letters = "aabbc1 -.\\_A$\n\0\v\t(z9" + "é" * chosen.randint(0, 1)
        inputs = texts(
            *("".join(chosen.choices(letters, k=chosen.randint(0, 12))).encode() for _ in range(8))
        )
        assert actual.match_texts(inputs).tolist() == library.match_texts(inputs).tolist()
        for rewrite in (b"", b"xy", rb"a\\b", rb"<\0>", rb"\2-\1", rb"\1a\b"):
            for everywhere in (True, False):
                result = actual.replace_in(inputs, rewrite, everywhere)
                assert result.tolist() == library.replace_in(inputs, rewrite, everywhere).tolist()
    assert seen > 600


@pytest.mark.parametrize(
    "pattern", ["(a)+", "a|b", r"\ba", "(?P<n>a)", "a{2}", "a*?", "é", "a" * 65]
)
def test_complex_patterns_use_re2(pattern):
    expression = regular_expressions.Expression(pattern.encode())
    assert expression._pattern is None
    inputs = texts(b"a", b"aa", b"b", "é".encode(), b"a" * 65)
    whole = [expression.matches(text) for text in inputs]
    assert expression.match_texts(inputs).tolist() == whole and True in whole


def test_text_arrays_keep_their_shape():
    inputs = texts(b"aa", b"b", "éa".encode(), b"")[[[0, 1], [2, 3]]]
    expression = compile_pattern(b"a")
    for some in (inputs, inputs.T, inputs[:, :1], inputs[:0], np.array(b"a", object)):
        replaced = expression.replace_in(some, b"-", True)
        assert replaced.shape == some.shape
        assert replaced.ravel().tolist() == [t.replace(b"a", b"-") for t in some.ravel()]
        assert expression.match_texts(some).shape == some.shape


@pytest.mark.parametrize("pattern", ["a*a*a*b", "a?" * 20 + "a" * 20 + "b", "[ab]*a[ab]*c"])
def test_repetitions_take_linear_time(pattern):
    expression = compile_pattern(pattern.encode())
    inputs = texts(b"a" * 200_000)
    started = time.thread_time()
    assert expression.replace_in(inputs, b"", True)[0] == inputs[0]
    assert not expression.match_texts(inputs)[0]
    assert time.thread_time() - started < 5
