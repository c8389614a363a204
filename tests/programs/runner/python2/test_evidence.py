"""Detection of Python 2 programs, and its other visible effects."""

import json
import textwrap

import pytest

from tests.programs.cli.test_run import run, write
from tfmini._src.programs.runner.python2 import evidence

pytest.importorskip("fissix", reason="no fissix here")

OLD = [
    "print 'a'",
    "print",
    "try:\n    pass\nexcept ValueError, e:\n    pass",
    "raise ValueError, 'a'",
    "if 1: raise ValueError, 'a'",
    "x = 1 <> 2",
    "x = 0777",
    "for i in xrange(3): pass",
    "for k, v in {}.iteritems(): pass",
    "import cPickle",
    "from itertools import izip",
    "import string\nx = string.letters",
    "import sys\nprint >>sys.stderr, 'a'",
    "x = cmp(1, 2)",
    "from __future__ import print_function\nprint(unichr(97), end='')",
]

NEW = [
    "print('a')",
    "x = 1 / 2",
    "from six.moves import xrange\nxrange(3)",
    "try:\n    xrange\nexcept NameError:\n    xrange = range\nxrange(3)",
    "try:\n    import cPickle as pickle\nexcept ImportError:\n    import pickle",
    "import sys\nif sys.version_info[0] == 2:\n    x = unicode('a')\nelse:\n    x = 'a'",
    "import six\n@unittest.skipUnless(six.PY2, '')\ndef test_long(): return long(1)",
    "class A:\n    def iteritems(self): pass\nA().iteritems()",
    "import pandas as pd\npd.DataFrame().iteritems()",
    "def f(file, cmp=None): return file, cmp",
    "x = (1",
    "def old(n): return xrange(n)\nprint(f'{1}')",
    "def old(n): return xrange(n)\nprint('a', end='')",
    "if 1: raise ValueError, 'a'\nx = = 3",
    "# print 'a'\n",
    "print\nprint('a', 1)",
    "'''\nprint 'a'\n'''",
    "try:\n    pass\nexcept (ValueError, KeyError):\n    pass",
]


@pytest.mark.parametrize("source", OLD)
def test_python2_evidence(source):
    assert evidence.is_source(source.encode())


@pytest.mark.parametrize("source", NEW)
def test_python3_is_no_evidence(source):
    assert not evidence.is_source(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "x = f'{1}'",
        "x: int = 3",
        "print(1, sep='')",
        "print\nprint('a', 1)",
        "def f(*, a): pass",
        "def f() -> int: pass",
        "class A:\n    def __init__(self): super().__init__()",
        "a, *b = [1]",
        "raise ValueError from None",
    ],
)
def test_python3_syntax(source):
    assert evidence.is_python3(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "x = 1 / 2\nclass A(object): pass",
        "print('a', 1)\nxrange(3)",
        "from __future__ import print_function\nprint('a', 1)",
    ],
)
def test_neutral_syntax_is_not_python3(source):
    assert not evidence.is_python3(source.encode())


def test_print_calls_with_python2_modules(tmp_path):
    """Calls of print show tuples next to a module that Python 3 does not parse, but not next to one with old names."""
    (tmp_path / "runs").mkdir()
    write(tmp_path, "runs/train.py", "import sys\nsys.path.append('.')\nimport shown, plain\n")
    write(tmp_path, "shown.py", "print('a', 7 / 2)\n")
    expected = {"print 'b'\n": "('a', 3)\nb\n", "xrange(3)\n": "a 3.5\n"}
    expected["print; print(7 / 2)"] = (
        "a 3.5\n3.5\n"  # a lone print next to such calls is no evidence
    )
    for plain, shown in expected.items():
        write(tmp_path, "plain.py", plain)
        assert run("runs/train.py", cwd=tmp_path).stdout == shown


def test_neutral_modules_follow_the_program(tmp_path):
    """The first imported module has no evidence; one with newer syntax stays Python 3."""
    write(tmp_path, "train.py", "import plain, old, new\nx = 7 / 2\nassert x == 3, x\n")
    write(tmp_path, "plain.py", "assert 7 / 2 == 3\n")
    write(tmp_path, "old.py", "import deep\nprint 'old', deep.x\n")
    write(tmp_path, "deep.py", "x = map(None, [1])\n")
    write(tmp_path, "new.py", "y: float = 7 / 2\nprint(f'{y}')\n")
    for _ in range(2):  # the second time from bytecode
        done = run("train.py", cwd=tmp_path)
        assert done.stdout == "old [1]\n3.5\n", done.stderr
    write(tmp_path, "old.py", "print('new')\n")  # without it the others are Python 3
    assert "AssertionError" in run("train.py", cwd=tmp_path).stderr


def test_libraries_are_python3(tmp_path):
    source = "import json, numpy as np\nprint json.dumps([1.0 / 3]), np.array([7]) / 2, np.mean([1, 2])\n"
    write(tmp_path, "train.py", source)
    assert run("train.py", cwd=tmp_path).stdout == "[0.3333333333333333] [3] 1.5\n"


FAILING = """\
import os

def half((n, name), values=[x for x in 1, 2]):
    print >>None, "half", \\
        name
    raise ValueError, (
        "no half")

half((3, "of it"))
"""


def test_traceback_lines_match_source(tmp_path):
    write(tmp_path, "train.py", FAILING)
    done = run("train.py", cwd=tmp_path)
    assert done.stdout == "half of it\n"
    found = [line.strip() for line in done.stderr.splitlines()]
    assert found[0] == "Traceback (most recent call last):"
    assert found[1] == f'File "{tmp_path}/train.py", line 9, in <module>'
    assert found[2] == 'half((3, "of it"))'
    assert found[3] == f'File "{tmp_path}/train.py", line 6, in half'
    assert found[-1] == "ValueError: no half"
    assert not any("^" in line for line in found)  # columns would be those of the rewritten line


@pytest.mark.parametrize("kind", ["code", "module", "folder", "input", "notebook"])
def test_every_kind_of_program(tmp_path, kind):
    source = 'print "a", 7 / 2, __name__\n'
    write(tmp_path, "old/__main__.py", source)
    write(tmp_path, "train.py", source)
    cells = [{"cell_type": "code", "source": text} for text in ("def f(n): return n / 2", source)]
    write(tmp_path, "old.ipynb", json.dumps({"cells": cells, "metadata": {}}))
    arguments = {
        "code": ["-c", source],
        "folder": ["old"],
        "input": ["-"],
        "module": ["-m", "train"],
        "notebook": ["old.ipynb"],
    }
    done = run(*arguments[kind], cwd=tmp_path, given=source)
    assert done.stdout == "a 3 __main__\n", done.stderr


def test_neutral_program_requires_option(tmp_path):
    write(tmp_path, "train.py", "import plain\nprint((7 / 2, plain.half))\n")
    write(tmp_path, "plain.py", "half = 9 / 2\n")
    assert run("train.py", cwd=tmp_path).stdout == "(3.5, 4.5)\n"
    done = run("--python2", "train.py", cwd=tmp_path)
    assert done.stdout == "(3, 4)\n", done.stderr
    done = run("--python2", "--strict", "train.py", cwd=tmp_path)
    assert done.returncode == 2 and "not allowed with argument --strict" in done.stderr


def test_strict_mode_refuses_python2(tmp_path):
    write(tmp_path, "train.py", "print 'a'\n")
    done = run("--strict", "train.py", cwd=tmp_path)
    assert done.returncode == 1
    assert "lets tfmini run execute it as it is, without --strict" in done.stderr


def test_invalid_syntax_in_python2(tmp_path):
    write(tmp_path, "train.py", "print 'a'\nx = = 3\n")
    done = run("train.py", cwd=tmp_path)
    assert "line 2" in done.stderr and done.stderr.splitlines()[-1] == "SyntaxError: invalid syntax"


MULTIPROCESSING = """
    import multiprocessing, numpy as np
    def half(n): return n / 2
    if __name__ == "__main__":
        pool = multiprocessing.get_context("spawn").Pool(1)
        print pool.map(half, range(4))
        pool.close()
    """


def test_child_processes(tmp_path):
    write(tmp_path, "train.py", textwrap.dedent(MULTIPROCESSING))
    done = run("train.py", cwd=tmp_path)
    assert done.stdout == "[0, 0, 1, 1]\n", done.stderr


GRAPH_FUNCTIONS = """
    import numpy as np
    import tensorflow as tf
    def step(x):
        print "traced"
        if x > 2:
            y = x / 2
        else:
            y = x * 10
        return y
    dataset = tf.data.Dataset.range(5).map(step).map(lambda x: x / 2)
    element = dataset.make_one_shot_iterator().get_next()
    n = tf.constant(7) / 2
    width = tf.placeholder(tf.float32, [None, 7]).get_shape()[1]
    print width / 2, 15 / width, np.divide(7, 2), np.divide([7.0], 2)
    feature = tf.train.Feature(bytes_list=tf.train.BytesList(value=["a", "\\xff"]))
    feature.bytes_list.value.append("text")
    print [len(value) for value in feature.bytes_list.value]
    with tf.Session() as session:
        print [session.run(element) for _ in range(5)], session.run(n), session.run(3 / tf.constant(2.0))
    """


def test_tensors_and_autograph(tmp_path):
    write(tmp_path, "train.py", textwrap.dedent(GRAPH_FUNCTIONS))
    done = run("train.py", cwd=tmp_path)
    expected = "traced\n3 2 3 [3.5]\n[1, 1, 4]\n[0, 5, 10, 0, 1] 3 1.5\n"
    assert done.stdout == expected, done.stderr
    assert "could not" not in done.stderr


STRINGS = """
    import os
    import numpy as np
    import tensorflow as tf
    numbers, suffix = {"cat": 0, "dog": 1}, ".txt"
    def number_of(name): return "%d" % numbers[name] + suffix
    with tf.Session() as session:
        name, names = session.run([tf.constant("cat"), tf.constant(["cat", "dog"])])
        print [name], names, numbers[name], name + suffix, suffix + name, name in numbers, [numbers[n] for n in names]
        print session.run(tf.py_func(number_of, [name], tf.string)), names == "cat", "".join(names)
    with tf.python_io.TFRecordWriter("records") as writer:
        writer.write("cat")
    print [numbers[record] + 1 for record in tf.python_io.tf_record_iterator("records")]
    tf.gfile.GFile("image.jpg", "w").write("\\xff\\xd8")
    image = tf.gfile.FastGFile("image.jpg").read()
    print len(image), image == tf.gfile.GFile("image.jpg", "rb").read(), np.fromstring("ab", np.uint8)
    """


def test_strings_in_steps_and_files(tmp_path):
    """The output of Python 2.7 with TensorFlow 1.15.0."""
    write(tmp_path, "train.py", textwrap.dedent(STRINGS))
    done = run("train.py", cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "['cat'] ['cat' 'dog'] 0 cat.txt .txtcat True [0, 1]",
        "0.txt [ True False] catdog",
        "[1]",
        "2 True [97 98]",
    ], done.stderr
