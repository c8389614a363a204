"""RE2's patterns as Python's: what matches in both, and what RE2 refuses, in its words."""

import pytest

from tfmini.backend.regular_expressions import PatternError, compiled

TEXT = "aé b_1"
# What TensorFlow 1.15.5 makes of TEXT where each match is a dash.
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
}


@pytest.mark.parametrize("pattern", REPLACED)
def test_replaces_what_re2_replaces(pattern):
    assert compiled(pattern).sub("-", TEXT) == REPLACED[pattern]


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
def test_matches_the_whole(pattern, text, expected):
    assert (compiled(pattern).fullmatch(text) is not None) == expected


@pytest.mark.parametrize("pattern", [".", r"(?s).", r"\W", r"\PL", "[^a]", r"[\D]"])
def test_no_class_has_a_byte_that_is_no_utf_8(pattern):
    assert compiled(pattern, with_escapes=True).fullmatch("\udcff") is None
    assert compiled(pattern, with_escapes=True).fullmatch("!") is not None


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
}


@pytest.mark.parametrize("pattern", REFUSED)
def test_refuses_what_re2_refuses(pattern):
    with pytest.raises(PatternError) as caught:
        compiled(pattern)
    assert str(caught.value) == REFUSED[pattern]
