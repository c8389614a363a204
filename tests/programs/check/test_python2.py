"""Python 2 in programs: syntax errors, and names missing in Python 3."""

import pytest

from tests.programs.check.test_uses import scan


@pytest.mark.parametrize(
    "line",
    [
        'print "step", 3',
        "print >>log, 3",
        "exec 'a = 1'",
        "raise ValueError, 'bad'",
        "try: pass\nexcept IOError, e: pass",
        "a <> 3",
        "a = `3`",
        "a = 10L",
        "a = 0777",
        "a = ur'x'",
        "def f(a, (b, c)): pass",
        "f = lambda (a, b): a",
        "if a:\n        b = 1\n\tc = 2",
    ],
)
def test_python2_syntax(tmp_path, line):
    ((_, kind, _),) = scan(tmp_path, "import os\n" + line + "\n")
    assert kind == "Python 2"


@pytest.mark.parametrize("line", ["a = (1", "def f(:", "a = 1 +", "   x = 'abc"])
def test_invalid_syntax_is_unreadable(tmp_path, line):
    ((_, kind, _),) = scan(tmp_path, "import os\n" + line + "\n")
    assert kind == "unreadable"


def test_syntax_error_reports_its_line(tmp_path):
    assert scan(tmp_path, "import os\n\nprint 'x'\n") == [(3, "Python 2", "print 'x'")]


def test_python2_functions_and_modules(tmp_path):
    source = "import cPickle\nfor i in xrange(3): print(raw_input())\nreduce = 1\nreduce\n"
    assert scan(tmp_path, source) == [
        (1, "Python 2", "cPickle"),
        (2, "Python 2", "xrange"),
        (2, "Python 2", "raw_input"),
    ]


def test_python2_methods_and_module_members(tmp_path):
    source = (
        "import string, sys\nfrom itertools import izip as z\nd = {}\n"
        "for k, v in d.iteritems(): pass\nd.x.itervalues(), d.iterkeys()\nd.has_key(1)\n"
        "string.letters, string.digits\nsys.maxint\n"
    )
    certain = [finding for finding in scan(tmp_path, source) if finding[1] != "guessed"]
    assert certain == [
        (2, "Python 2", "itertools.izip"),
        (4, "Python 2", "dict.iteritems"),
        (5, "Python 2", "dict.itervalues"),
        (5, "Python 2", "dict.iterkeys"),
        (6, "Python 2", "dict.has_key"),
        (7, "Python 2", "string.letters"),
        (8, "Python 2", "sys.maxint"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "from six.moves import xrange\nxrange(3)",
        "from numpy import *\nxrange(3)",
        "try:\n    xrange\nexcept NameError:\n    xrange = range\n",
        "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle",
        "import sys\nif sys.version_info[0] == 2:\n    x = unicode('a')\nelse:\n    x = 'a'",
        "import six\nx = unicode('a') if six.PY2 else 'a'",
        "def f(): return xrange(3)\nxrange = range",
        "def f(long, file): return long",
        "import six\nfor k, v in six.iteritems({}): pass",
        "class A:\n    def iteritems(self): pass\nA().iteritems()",
        "import pandas as pd\npd.DataFrame().iteritems()",
        "try:\n    d = {}.iteritems()\nexcept AttributeError:\n    d = {}.items()",
        "import sys\nn = sys.maxint if sys.version_info[0] == 2 else sys.maxsize",
        "try:\n    from itertools import izip\nexcept ImportError:\n    izip = zip",
        "string = 'a'\nstring.letters",
    ],
)
def test_version_agnostic_programs_pass(tmp_path, source):
    assert scan(tmp_path, source) == []


def test_local_module_shadows_python2_module(tmp_path):
    (tmp_path / "commands.py").touch()
    assert scan(tmp_path, "import commands") == []
