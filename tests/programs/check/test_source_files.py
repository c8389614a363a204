"""File selection, and the code of notebooks."""

import json

import pytest

from tfmini._src.programs.check.programs import findings
from tfmini._src.programs.check.source_files import files


def notebook(tmp_path, *cells, language="python"):
    path = tmp_path / "train.ipynb"
    read = [{"cell_type": "code", "source": cell.splitlines(True)} for cell in cells]
    about = {"language_info": {"name": language}}
    path.write_text(json.dumps({"cells": read, "nbformat": 4, "metadata": about}))
    return str(path)


def test_directory_walk_skips_hidden_and_environments(tmp_path):
    for name in ("b.py", "a.ipynb", "c.txt", ".hidden.py", ".git/d.py", "sub/e.py", "env/lib/f.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).touch()
    (tmp_path / "env" / "pyvenv.cfg").touch()
    actual = [str(tmp_path / name) for name in ("a.ipynb", "b.py", "sub/e.py")]
    assert list(files([str(tmp_path)])) == actual
    text = str(tmp_path / "c.txt")
    assert list(files([text, str(tmp_path), text])) == [text, *actual]
    with pytest.raises(FileNotFoundError, match="no such file or directory"):
        list(files([str(tmp_path / "none")]))


def test_notebook_cells_share_names(tmp_path):
    cells = (
        "%matplotlib inline\n!pip install tensorflow\nimport tensorflow as tf",
        "%%time\nx = 1\ntf.quantization.quantized_concat([[1]])",
        "%%bash\nls",
        "def f():\n    return tf.quantization.quantized_concat([[1]])",
    )
    actual = findings(notebook(tmp_path, *cells))
    assert [(f.place, f.problem.name) for f in actual] == [
        ("cell 2:3", "tf.quantization.quantized_concat"),
        ("cell 4:2", "tf.quantization.quantized_concat"),
    ]


def test_python2_syntax_in_cell(tmp_path):
    (actual,) = findings(notebook(tmp_path, "x = 1", "x = 2\nprint x"))
    assert (actual.place, actual.problem.kind) == ("cell 2:2", "Python 2")


def test_invalid_notebooks_are_unreadable(tmp_path):
    (actual,) = findings(notebook(tmp_path, "x <- 1", language="R"))
    assert actual.problem.kind == "unreadable" and "notebook in R" in actual.problem.advice
    path = tmp_path / "broken.ipynb"
    path.write_text("{")
    (actual,) = findings(str(path))
    assert actual.problem.kind == "unreadable" and "is not a notebook" in actual.problem.advice


@pytest.mark.parametrize(
    "data", [b"x = 1\0", b"# coding: nope\n", b"\xff\xfe", b"(" * 10_000, b"x = " + b"-" * 100_000]
)
def test_undecodable_source_is_unreadable(tmp_path, data):
    path = tmp_path / "x.py"
    path.write_bytes(data)
    (actual,) = findings(str(path))
    assert actual.problem.kind == "unreadable"


def test_declared_encoding_is_honored(tmp_path):
    path = tmp_path / "x.py"
    path.write_bytes("# -*- coding: latin-1 -*-\nx = 'é' + '\\d'\n".encode("latin-1"))
    assert findings(str(path)) == []


def test_long_expressions_are_parsed(tmp_path):
    path = tmp_path / "x.py"
    path.write_text("import tensorflow as tf\nx = " + "+".join(["tf.nope", *["1"] * 700]))
    assert [f.problem.name for f in findings(str(path))] == ["tf.nope"]


@pytest.mark.parametrize("start", ["x = ", "f = lambda: "])
def test_deeply_nested_tree_is_unreadable(tmp_path, start):
    path = tmp_path / "x.py"
    path.write_text(f"import tensorflow as tf\ntf.nope\n{start}y" + ".y" * 1500)
    *_, last = findings(str(path))  # some Pythons do not even parse it
    assert last.problem.kind == "unreadable"
