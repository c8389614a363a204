"""`tfmini check --fix` and `--diff`: a script is converted to Python 3, and computes the same."""

import subprocess
import sys

import pytest

from tests.programs.cli.test_devices import tfmini
from tests.programs.cli.test_run import write
from tfmini._src.programs.check.python3 import convert

pytest.importorskip("fissix", reason="no fissix here")

OLD = """\
import string
n = 10
half = n / 3
def f(m):
    k = 7
    k /= 2
    return len([1, 2, 3]) / 2, k, m / 2, (n /
        4), 7 / 2.0
for i in xrange(3):
    print "a", i / 2,
d, e = {"a": 1}, [3, 1]; e.sort(lambda a, b: b - a, reverse=True)
print d.has_key("a"), string.letters[:3], f(9.0), half, d.keys()[0], e
"""


def test_converted_script_prints_the_same(tmp_path):
    """Python 2.7 prints this line, with rounded thirds."""
    path = write(tmp_path, "train.py", "")
    path.write_text(OLD)
    process = tfmini("check", "--fix", str(path))
    assert (process.returncode, process.stderr) == (0, "")
    lines = process.stdout.splitlines()
    assert lines[-1] == "1 file converted."
    assert any(line.startswith(f"{path}:8 ") and "use // for integers" in line for line in lines)
    run = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    assert run.stdout == "a 0 a 0 a 1 True abc (1, 3, 4.5, 2, 3.5) 3 a [1, 3]\n"
    repeated = tfmini("check", "--fix", str(path))
    assert repeated.stdout.splitlines()[-1] == "0 files converted."


@pytest.mark.parametrize("options", [["--diff"], ["--fix", "--diff"]])
def test_diff_leaves_file_unchanged(tmp_path, options):
    path = write(tmp_path, "train.py", "print 'a'\n")
    process = tfmini("check", *options, str(path))
    assert process.stdout == f"--- {path}\n+++ {path}\n@@ -1 +1 @@\n-print 'a'\n+print('a')\n"
    assert path.read_text() == "print 'a'\n"


def test_unconvertible_files_are_left_unchanged(tmp_path):
    path = write(tmp_path, "train.py", "print 'a'\nx = = 3\n")
    write(tmp_path, "other.py", "print 'a'\n")
    write(tmp_path, "by_name/neighbor.py", "import pandas\nitems = d.iteritems()\n")
    write(tmp_path, "by_name/other.py", "xrange(3)\n")
    process = tfmini("check", "--fix", str(tmp_path))
    assert process.returncode == 1 and str(path) in process.stderr
    assert path.read_text() == "print 'a'\nx = = 3\n"
    assert (tmp_path / "other.py").read_text() == "print('a')\n"
    assert "iter(d.items())" in (tmp_path / "by_name/neighbor.py").read_text()


def test_encoding_and_line_endings_are_preserved(tmp_path):
    path = tmp_path / "train.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\r\nprint u'\xe9'\r\n")
    assert tfmini("check", "--fix", str(path)).returncode == 0
    assert path.read_bytes() == b"# -*- coding: latin-1 -*-\r\nprint('\xe9')\r\n"


NAMES = [
    ("tf.mul(a, tf.sub(b, c))", "tf.multiply(a, tf.subtract(b, c))"),
    (
        "tf.concat(1, [a, tf.concat(0, [b, tf.pack(c)])])",
        "tf.concat([a, tf.concat([b, tf.stack(c)], 0)], 1)",
    ),
    ("tf.concat([a, b], 1)", "tf.concat([a, b], 1)"),
    ("tf.split(1, 2, a)", "tf.split(a, 2, 1)"),
    ("tf.train.SummaryWriter('é')", "tf.summary.FileWriter('é')"),
    ("a.mul(b)", "a.mul(b)"),
]


@pytest.mark.parametrize(("old", "new"), NAMES)
def test_old_tensorflow_names_are_replaced(old, new):
    head = "import tensorflow as tf\nx = "
    assert convert(f"{head}{old}\n".encode(), "a.py").after == f"{head}{new}\n"


DIVISIONS = [
    ("x = 7 / 2", "x = 7 // 2"),
    ("x = y / 2; y.sort(['a'], inplace=True)", "x = y / 2; y.sort(['a'], inplace=True)"),
    ("a = 3; b = a * 2; x = b / a", "a = 3; b = a * 2; x = b // a"),
    ("a = 3; a = 0.5; x = 7 / a", "a = 3; a = 0.5; x = 7 / a"),
    ("for i in range(3): x = i / 2", "for i in range(3): x = i // 2"),
    ("for i in y: x = i / 2", "for i in y: x = i / 2"),
    ("x = int(y) / len(z) / 2", "x = int(y) // len(z) // 2"),
    ("a = 9; a /= 2", "a = 9; a //= 2"),
    ("a = 9; a /= 2.0; x = a / 2", "a = 9; a /= 2.0; x = a / 2"),
    ("x = -7 / 2", "x = -7 // 2"),
]


@pytest.mark.parametrize(("old", "new"), DIVISIONS)
def test_integer_division_is_converted(old, new):
    assert convert(f"print 'a'\n{old}\n".encode(), "a.py").after == f"print('a')\n{new}\n"


def test_future_division_is_preserved():
    source = b"from __future__ import division\nprint 7 / 2\n"
    result = convert(source, "a.py")
    assert result.after == "from __future__ import division\nprint(7 / 2)\n" and not result.guesses


def test_script_imports_stay_absolute_and_package_imports_relative(tmp_path):
    """A script's imports stay absolute despite an `__init__.py`; those of an imported package become relative."""
    write(tmp_path, "job/__init__.py", "")
    write(tmp_path, "job/train.py", "import model\nprint model.half(7)\n")
    write(
        tmp_path, "job/model.py", "import layers.dense\ndef half(n): return n // layers.dense.two\n"
    )
    write(tmp_path, "job/layers/__init__.py", "")
    write(
        tmp_path, "job/layers/dense.py", "import numbers2\nprint numbers2.two\ntwo = numbers2.two\n"
    )
    write(tmp_path, "job/layers/numbers2.py", "two = 2\n")
    assert tfmini("check", "--fix", str(tmp_path / "job")).returncode == 0
    assert (tmp_path / "job/train.py").read_text().startswith("import model\n")
    assert (tmp_path / "job/layers/dense.py").read_text().startswith("from . import numbers2\n")
    process = subprocess.run(
        [sys.executable, "job/train.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert process.stdout == "2\n3\n", process.stderr
