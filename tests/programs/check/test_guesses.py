"""Python 2 semantics that `check` reports as guessed."""

import pytest

from tests.programs.check.test_uses import scan

pytest.importorskip("fissix", reason="no fissix here")

SOURCE = """\
print "a"
import cPickle as pickle, sys
def f(d, code):
    exec code
    exec code in d
    for k in d.items(): yield k.encode("utf-8")
    yield pickle.load(open("a"))
if sys.version_info[0] < 3: x = 3
d = dict(a=1).iteritems()
"""


def test_python2_semantics_are_guessed(tmp_path):
    guessed = [(line, name) for line, kind, name in scan(tmp_path, SOURCE) if kind == "guessed"]
    assert sorted(guessed) == [
        (4, "exec in a function"),
        (6, "bytes and text"),
        (6, "order of a dict"),
        (7, "pickle"),
        (8, "sys.version_info"),
        (9, "order of a dict"),
    ]


def test_builtin_names_are_evidence(tmp_path):
    kinds = scan(tmp_path, "for i in xrange(3): print(dict(a=1).keys())\n")
    assert (1, "guessed", "order of a dict") in kinds


def test_python3_yields_no_guesses(tmp_path):
    assert scan(tmp_path, "import sys\nprint(sys.version_info, {}.items(), 'a'.encode())\n") == []


def test_statement_after_colon_is_located(tmp_path):
    ((line, kind, name),) = scan(tmp_path, "x = 1\nif x: raise ValueError, 'a'\n")
    assert (line, kind, name) == (2, "Python 2", "if x: raise ValueError, 'a'")
