"""Notebooks as programs: cells in order, with IPython's magics."""

import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest

from tfmini._src.programs.runner.notebooks import cell_to_python, notebook
from tfmini._src.programs.runner.programs import NoProgramError


def written(path, *cells, **more):
    """A version 4 notebook with these code cells, separated by text cells."""
    parts = []
    for cell in cells:
        parts.append({"cell_type": "markdown", "source": ["# A text"]})
        parts.append({"cell_type": "code", "source": cell.splitlines(keepends=True), "outputs": []})
    path.write_text(json.dumps({"cells": parts, "nbformat": 4, "metadata": {}, **more}))
    return path


def run(path, *arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "tfmini", "run", path.name, *arguments],
        cwd=path.parent,
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, **environment},
    )


# The output of IPython 8's TransformerManager for the same lines, with `pass` for questions.
LINES = [
    ("x = 1", "x = 1"),
    ("%matplotlib inline", "get_ipython().run_line_magic('matplotlib', 'inline')"),
    ("if x:\n  %time f(x)", "if x:\n  get_ipython().run_line_magic('time', 'f(x)')"),
    ("a, b = %sx ls", "a, b = get_ipython().run_line_magic('sx', 'ls')"),
    ("!ls -l 'a b'", "get_ipython().system(\"ls -l 'a b'\")"),
    ("files = !ls", "files = get_ipython().getoutput('ls')"),
    ("!!ls", "get_ipython().getoutput('ls')"),
    ("!ls \\\n  -l\nx", "get_ipython().system('ls   -l')\n\nx"),
    ("print?", "pass"),
    ("?print", "pass"),
    ("y = ('%d'\n     % x)", "y = ('%d'\n     % x)"),
    ("y = 7 \\\n  % x", "y = 7 \\\n  % x"),
    ("'''\n%time\n!ls\n'''", "'''\n%time\n!ls\n'''"),
    ("s = 'it''s (' # [\n%pwd", "s = 'it''s (' # [\nget_ipython().run_line_magic('pwd', '')"),
    ("s = '\\'('\n%pwd", "s = '\\'('\nget_ipython().run_line_magic('pwd', '')"),
    ("%%time\nx = 1\n%pwd", "get_ipython().run_cell_magic('time', '', 'x = 1\\n%pwd')"),
    ("x != 1", "x != 1"),
    ("f(x) % 3", "f(x) % 3"),
    (" x = f(1,\n       2)\ny = 3", "x = f(1,\n      2)\ny = 3"),
]


@pytest.mark.parametrize("cell, expected", LINES, ids=[cell for cell, _ in LINES])
def test_magics_preserve_line_numbers(cell, expected):
    assert cell_to_python(cell) == expected + "\n"


def test_cells_share_names_and_print_last_value(tmp_path):
    path = written(
        tmp_path / "train.ipynb",
        "%matplotlib inline\nimport tensorflow as tf\nx = tf.constant([1.0, 2.0])",
        "def double():\n    return 2 * x\nprint(__name__, '__file__' in globals())",
        "tf.Session().run(double())",
        "x;",
        "None",
        "import sys; sys.argv",
    )
    result = run(path, "--steps", "3")
    assert result.stderr == ""
    assert result.stdout == (
        "__main__ False\narray([2., 4.], dtype=float32)\n['train.ipynb', '--steps', '3']\n"
    )
    assert result.returncode == 0


def test_cells_without_imports_keep_old_calls_and_kernel(tmp_path):
    pytest.importorskip("pandas")
    first = "import pandas as pd\ndf = pd.DataFrame({'a': [1, 1, 2], 'b': [3, 4, 5]})"
    sizes = "print(df.groupby('a', as_index=False).size().tolist())\nprint(3 / 2)"
    cells = (first, "df.drop('b', 1).shape", sizes)
    for about in ({"kernelspec": {"name": "python2"}}, {"language_info": {"version": "2.7.6"}}):
        path = written(tmp_path / "old.ipynb", *cells, metadata=about)
        assert run(path).stdout == "(3, 1)\n[2, 1]\n1\n"


def test_magics_behave_as_in_jupyter(tmp_path):
    path = written(
        tmp_path / "train.ipynb",
        "name = 'seen'\n!echo {name} $name $$HOME {{1,2}} $nothing {nothing}",
        "lines = !printf 'a\\nb\\n'\nlines",
        "%env SEEN = yes \nimport os; os.environ['SEEN']",
        "%%writefile made.txt\none\n%two",
        "print(open('made.txt').read())",
        "%%bash\necho from bash",
        "%cd '..'\n%pwd",
        "%%time\ny = 3\n%load_ext autoreload",
        "y",
        "%%html\n<b>",
        "!pip install tensorflow==1.15\n!sudo apt-get install -y x\n%pip install y",
        "!exit 3\nprint(_exit_code)",
        "display(1, 'a')",
        "get_ipython().magic('load_ext x')",
        "print('last')",
    )
    result = run(path, HOME="/home")
    lines = result.stdout.splitlines()
    assert lines[:9] == [
        *("seen seen /home {1,2} {nothing}", "['a', 'b']", "'yes'", "one", "%two", "from bash"),
        *(repr(str(tmp_path.parent)), lines[7], "3"),
    ]
    assert lines[7].startswith("Wall time: ")
    assert lines[9:] == ["3", "1", "'a'", "last"]
    assert result.stderr.splitlines() == [
        "skipped, installs packages: pip install tensorflow==1.15",
        "skipped, installs packages: sudo apt-get install -y x",
        "skipped, installs packages: pip install y",
    ]
    assert result.returncode == 0


def test_timeit_and_tensorboard_magics(tmp_path):
    path = written(
        tmp_path / "train.ipynb",
        "x = 3\n%load_ext tensorboard\n%tensorboard --logdir logs\n%timeit -n 10 -r1 x + 1",
        "%%timeit -r 2 y = 4\nz = x + y",
        "'z' in globals()",
    )
    result = run(path, PYTHONIOENCODING="ascii")
    amount = r"[\d.e+]+ (ns|us|ms|s)"
    time = rf"{amount} \+- {amount} per loop \(mean \+- std\. dev\. of"
    first, second, third = result.stdout.splitlines()
    assert re.fullmatch(rf"{time} 1 run, 10 loops each\)", first)
    assert re.fullmatch(rf"{time} 2 runs, [\d,]+ loops each\)", second)
    assert third == "False"
    assert result.stderr == "skipped, no browser: run tensorboard --logdir logs\n"


def test_error_names_cell_and_line(tmp_path):
    first = "%matplotlib inline\nfrom __future__ import print_function\n"
    first += "def f():\n    raise ValueError('seen')"
    result = run(written(tmp_path / "train.ipynb", first, "x = xrange(3)\nprint(1, 2)\nf()"))
    assert result.stdout == "1 2\n"
    assert result.stderr.startswith(
        'Traceback (most recent call last):\n  File "train.ipynb, cell 4", line 3, in <module>\n    f()\n'
    )
    assert '  File "train.ipynb, cell 2", line 4, in f\n    raise ValueError(' in result.stderr
    assert "tfmini/" not in result.stderr


def test_unknown_magic_is_an_error_of_its_cell(tmp_path):
    result = run(written(tmp_path / "train.ipynb", "x = 1", "%no_such_magic x"))
    assert 'File "train.ipynb, cell 4", line 1' in result.stderr
    assert (
        "NotImplementedError: %no_such_magic: not supported, because tfmini runs notebooks without"
        in result.stderr
    )
    assert "magics.py" not in result.stderr
    assert result.returncode == 1


def test_syntax_error_stops_notebook_before_execution(tmp_path):
    result = run(written(tmp_path / "train.ipynb", "print('ran')", "two = = 2"))
    assert result.stdout == ""
    assert 'File "train.ipynb, cell 4", line 1' in result.stderr
    assert "SyntaxError" in result.stderr
    assert result.returncode == 1


@pytest.mark.skipif(importlib.util.find_spec("IPython") is not None, reason="IPython is installed")
def test_displayed_values_are_printed(tmp_path):
    first = "from IPython.display import HTML, Image, clear_output, display\nclear_output()"
    second = "import IPython\ndisplay(HTML('<b>'), 3)\nprint(len(Image(filename='a.png').data))"
    third = "IPython.display.display_png(5)\nIPython.get_ipython() is get_ipython()"
    fourth = "Image(filename='b.png')"
    (tmp_path / "a.png").write_bytes(b"1234")
    result = run(written(tmp_path / "show.ipynb", first, second, third, fourth))
    assert result.stdout.splitlines() == ["<IPython.core.display.HTML object>", *"345", "True"]
    assert "FileNotFoundError" in result.stderr and result.returncode == 1


def test_pictures_are_drawn_without_ipython(tmp_path):
    """Matplotlib registers with IPython for the end of each cell."""
    pytest.importorskip("matplotlib")
    cell = "import matplotlib.pyplot as plt\n%matplotlib inline\nplt.plot([1, 3])\nplt.ion()\nplt.savefig('p.png')"
    process = run(written(tmp_path / "b.ipynb", cell, "plt.show()\nplt.ioff()\nprint('drawn')"))
    assert process.returncode == 0, process.stderr
    assert "drawn" in process.stdout and (tmp_path / "p.png").stat().st_size > 1000


def test_version_3_notebook(tmp_path):
    cells = [{"cell_type": "code", "input": ["x = 3\n", "x"], "language": "python"}]
    path = tmp_path / "old.ipynb"
    path.write_text(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3, "metadata": {}}))
    assert run(path).stdout == "3\n"


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "is not a notebook: JSONDecodeError"),
        ("[]", "is not a notebook: TypeError"),
        ("{}", "is not a notebook: KeyError: 'cells'"),
        ('{"cells": [{}]}', "is not a notebook: KeyError: 'cell_type'"),
        (
            '{"cells": [], "metadata": {"language_info": {"name": "R"}}}',
            "is a notebook in R, not in Python",
        ),
    ],
)
def test_invalid_notebooks_are_refused(tmp_path, text, message):
    path = tmp_path / "train.ipynb"
    path.write_text(text)
    with pytest.raises(NoProgramError, match=message):
        notebook(str(path))


def test_first_nonblank_line_sets_indentation():
    assert cell_to_python("\n    x = 1\n      \n    if x:\n        y = 2\n") == (
        "\nx = 1\n  \nif x:\n    y = 2\n"
    )
