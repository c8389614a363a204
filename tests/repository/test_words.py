"""English in pages, docstrings and comments: each package stays within its limit of `word_limits.txt`."""

from collections import Counter

import pytest

from ci.commands.checks import words


def test_hits_stay_within_limits():
    allowed, hits = words.limits(), list(words.hits_below(words.whole_tree()))
    above = {
        package: f"{count} hits, {allowed.get(package, 0)} allowed"
        for package, count in Counter(hit.package for hit in hits).items()
        if count > allowed.get(package, 0)
    }
    assert above == {}, "ci/check words PATH... lists them with replacements"
    # Outside of tests, docstrings begin with a noun or an imperative.
    assert [str(hit) for hit in hits if hit.is_beginning and hit.package != "tests"] == []
    assert [str(hit) for hit in hits if hit.replacement == words.NO_FILE] == []


SOURCE = '''"""Those that run: `those that` in code is skipped."""
text = "written for ever"  # computed anew
rows = """beside
"""
nobody = rows, """
"""


def f():
    r"""Result, beside x,
    for
    ever."""
'''


def test_docstring_and_comment_hits():
    assert list(map(str, words.hits("ci/f.py", SOURCE))) == [
        'ci/f.py:1: begins with "Those": a noun or an imperative',
        "ci/f.py:1: Those that: the noun",
        "ci/f.py:2: anew: again",
        "ci/f.py:10: beside: next to",
        "ci/f.py:11: for ever: forever",
    ]


def test_page_hits_skip_code():
    page = "It runs\n```\nbeside\n```\n`beside` lies in beside\n"
    assert [(hit.line, hit.text) for hit in words.hits("docs/f.md", page)] == [
        (5, "lies in"),
        (5, "beside"),
    ]


@pytest.mark.parametrize(
    ("path", "package"),
    [
        ("tfmini/_src/graph/eager/tapes.py", "graph"),
        ("tfmini/nn/__init__.py", "tfmini"),
        ("tests/README.md", "tests"),
        ("README.md", "docs"),
    ],
)
def test_package_of_path(path, package):
    assert words.Hit(path, 1, "anew", "again").package == package


def test_limits_only_decrease():
    hits = Counter(graph=11, docs=40, new=3)
    assert words.lower({"graph": 30, "docs": 30}, hits) == {"graph": 20, "docs": 30, "new": 10}
