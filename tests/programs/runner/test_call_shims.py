"""Calls in a program's source whose behavior has changed since."""

import json

import numpy as np
import pytest

from tests.programs.cli.test_run import run, start
from tests.support import cases
from tfmini._src.programs.runner import call_shims

# The output of Python 2's pickle.dumps({'name': '\xe9t\xe9'}, 2), from the description of the format.
PICKLE = rb"\x80\x02}U\x04nameU\x03\xe9t\xe9s."

SOURCE = f"""\
import inspect, io, pickle
import numpy as np
from numpy import array
print(np.array([[1], [1, 2]]).dtype, array([[1.0], []]).tolist(), np.asarray([[1], [2]]).dtype)
print(pickle.load(io.BytesIO(b"{PICKLE.decode("ascii")}")), pickle.loads(b"{PICKLE.decode("ascii")}"))
class Own:
    def load(self, function): return function, [f.function for f in inspect.stack()[:2]]
print(Own().load(function=3))
print(np.ndim([[1], [1, 2]]), np.shape(([1], [2, 3])), np.size([[1], [1, 2]]), np.shape([[1, 2]]))
try: np.array([[1], [1, 2]], dtype=np.float32)
except ValueError as error: print("inhomogeneous" in str(error))
"""

SHOWN = """\
object [[1.0], []] int64
{'name': 'été'} {'name': 'été'}
(3, ['load', '<module>'])
1 (2,) 2 (1, 2)
True
"""


@pytest.mark.parametrize("kind", ["script", "beside", "code", "notebook"])
def test_calls_keep_old_behavior(tmp_path, kind):
    if kind == "code":
        process = run("-c", SOURCE, cwd=tmp_path)
    elif kind == "notebook":
        cell = {"cell_type": "code", "source": SOURCE}
        (tmp_path / "old.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}}))
        process = run("old.ipynb", cwd=tmp_path)
    else:
        (tmp_path / "old.py").write_text(SOURCE)
        (tmp_path / "train.py").write_text("import old\n")
        process = run("old.py" if kind == "script" else "train.py", cwd=tmp_path)
    assert process.stdout == SHOWN, process.stderr
    lines = process.stderr.splitlines()
    positions = {"code": "<string>", "notebook": "old.ipynb, cell 1"}
    place = positions.get(kind, str(tmp_path / "old.py"))
    assert lines[0].startswith(f"WARNING:tensorflow:From {place}:4: numpy requires dtype=object")
    assert lines[1].startswith(f"WARNING:tensorflow:From {place}:5: Python 2 wrote this pickle")
    assert len(lines) == 2


def test_strict_mode_leaves_calls_alone(tmp_path):
    (tmp_path / "train.py").write_text("import numpy as np\nnp.array([[1], [1, 2]])\n")
    assert "inhomogeneous" in run("--strict", "train.py", cwd=tmp_path).stderr


def test_failing_call_shows_program_line_only(tmp_path):
    (tmp_path / "train.py").write_text("import json\njson.loads('{')\n")
    result, expected = run("train.py", cwd=tmp_path), start(["train.py"], tmp_path)
    assert result.stderr == expected.stderr
    assert result.returncode == expected.returncode == 1


@pytest.mark.filterwarnings("ignore:The binary mode of fromstring:DeprecationWarning")
def test_fromstring_returns_writable_array():
    actual = call_shims.call(np.fromstring, b"\x01\x00\x02\x00", np.uint16)
    actual[0] += 1
    assert actual.tolist() == [2, 2]
    actual = call_shims.call(np.fromstring, b"\x01\x02\x03", dtype=np.uint8, count=2)
    assert actual.tolist() == [1, 2]
    assert call_shims.call(np.fromstring, "1 2", sep=" ").tolist() == [1.0, 2.0]


def test_copy_false_copies_when_required():
    values = np.arange(3)
    assert call_shims.call(np.array, values, copy=False) is values
    assert call_shims.call(np.array, [1, 2], np.float32, copy=False).tolist() == [1.0, 2.0]


# Python 3.6's documented behavior: a pattern that matches the empty string does not split.
SPLITS = r"""\
import re
print(re.split(r"(\W+)?", "Bob dropped it."))
print(re.split(r"\s*", "a b  c", 1), re.split("x*", "axbxxc"), re.split(b"x*", b"axb"))
print(re.split("(a)|(b)?", "1a2b3", maxsplit=1), re.split("X*", "axb", flags=re.I))
print(re.split("(?=b)", "ab"), re.split(",", "a,b"), "a b".split(" "), re.compile("x*").split("xa"))
"""
SPLIT = """\
['Bob', ' ', 'dropped', ' ', 'it', '.', '']
['a', 'b  c'] ['a', 'b', 'c'] [b'a', b'b']
['1', 'a', None, '2b3'] ['a', 'b']
['a', 'b'] ['a', 'b'] ['a', 'b'] ['', '', 'a', '']
"""


def test_empty_matches_do_not_split(tmp_path):
    process = run("-c", SPLITS, cwd=tmp_path)
    assert process.stdout == SPLIT, process.stderr
    assert process.stderr.count("re.split splits at empty matches") == 1


SAVES = """\
import io
import numpy as np
a, b = io.BytesIO(), io.BytesIO()
np.save(a, [[1], [1, 2]])
np.savez(b, [1, 2], params=[np.zeros((2, 3)), np.zeros(3)], file_names=["a"])
a.seek(0), b.seek(0)
print(np.load(a).tolist())
found = np.load(b)
print(found["arr_0"], [p.shape for p in found["params"]], found["file_names"])
a.seek(0)
try: np.load(a, allow_pickle=False)
except ValueError as error: print("allow_pickle" in str(error))
class Saver:
    def save(self, *names, arr): return names, arr
print(Saver().save([[1], []], arr=[[1], []]))
"""
SAVED = """\
[[1], [1, 2]]
[1 2] [(2, 3), (3,)] ['a']
True
(([[1], []],), [[1], []])
"""


def test_ragged_lists_round_trip(tmp_path):
    process = run("-c", SAVES, cwd=tmp_path)
    assert process.stdout == SAVED, process.stderr
    assert process.stderr.count("np.load reads objects only with allow_pickle=True") == 1


# numpy 1.14's results, with a FutureWarning.
KINDS = """\
import numpy as np
x, n, z = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.complex64)
print(np.issubdtype(x, np.float), np.issubdtype(n, int), np.issubdtype(z, complex))
print(np.issubdtype(n, float), np.issubdtype(np.uint8, int), np.issubdtype(x, np.float64))
print(np.issubdtype(np.float64, float), np.issubdtype(x, np.floating))
"""


def test_abstract_dtypes_compare_as_before(tmp_path):
    process = run("-c", KINDS, cwd=tmp_path)
    assert process.stdout == "True True True\nFalse False False\nTrue True\n", process.stderr
    assert process.stderr.count("np.floating is meant") == 1


TURNS = """\
import numpy as np
from scipy import ndimage
image = np.arange(16.0).reshape(4, 4)
by_number = ndimage.rotate(image, 30, reshape=False)
print((ndimage.rotate(image, np.array([30]), reshape=False) == by_number).all())
print((ndimage.rotate(input=image, angle=np.array([30]), reshape=False) == by_number).all())
print((ndimage.rotate(image, 30, reshape=False) == by_number).all())
"""


def test_rotate_accepts_one_element_angle(tmp_path):
    process = run("-c", TURNS, cwd=tmp_path)
    assert process.stdout == "True\nTrue\nTrue\n", process.stderr
    assert process.stderr.count("scipy.ndimage.rotate no longer accepts a one-element array") == 1


TSNES = """\
from sklearn.manifold import TSNE
import sklearn.manifold
print(TSNE(n_components=3, n_iter=5000).max_iter, sklearn.manifold.TSNE(n_iter=300).max_iter)
print(TSNE(max_iter=400).max_iter)
"""


def test_tsne_n_iter_argument(tmp_path):
    process = run("-c", TSNES, cwd=tmp_path)
    assert process.stdout.splitlines() == ["5000 300", "400"], process.stderr
    assert process.stderr.count("TSNE(n_iter=...) was removed") == 1


RESHAPES = """\
import numpy as np
print(np.reshape([1, 2], newshape=(2, 1)).tolist(), np.reshape(np.zeros((2, 3)), newshape=-1).shape)
def own(newshape): return newshape
print(own(newshape=3))
"""


def test_reshape_newshape_argument(tmp_path):
    process = run("-c", RESHAPES, cwd=tmp_path)
    assert process.stdout.splitlines() == ["[[1], [2]] (6,)", "3"], process.stderr


HDF5 = """\
import h5py, sys, yaml
with h5py.File("a.h5") as file:
    file.attrs["version"] = "2.2.4"
    file.attrs["names"] = [b"a", b"bc"]
    file["x"] = [1.0, 2.0]
    file.attrs["back end"], file.attrs["none"], file.attrs["number"] = b"tf", [], 3
with h5py.File("a.h5", "r") as file:
    print(file.attrs["version"].decode("utf8"), [n.decode("utf8") for n in file.attrs["names"]])
    print(file.attrs["names"].tolist(), file.attrs["back end"].decode(), file.attrs["number"])
    print(file["x"].value)
    print(file.attrs["none"].tolist(), not file.attrs["none"])
with h5py.File("memory", driver="core", backing_store=False) as file:
    file["x"] = 3
    file.flush()
    print(file.fid.get_file_image()[1:4].decode())
print(b"\\xc3\\xa9".decode("utf8").encode("ascii", "replace"), yaml.load("a: [1, 2.0]"))
import numpy as np
slices = [slice(1, 2), slice(None, None, -1)]
counts = [np.arange(6).reshape(2, 3)]
print(counts[0][slices])
counts[0][slices] += 1
counts[0][slices] = counts[0][slices] * 2
print(counts[0].tolist())
import scipy as sp
print(sp.misc.logsumexp([0.0, 0.0]) == sp.log(2.0))
"""

HDF5_SHOWN = """\
2.2.4 ['a', 'bc']
[b'a', b'bc'] tf 3
[1. 2.]
[] True
HDF
b'?' {'a': [1, 2.0]}
[[5 4 3]]
[[0, 1, 2], [8, 10, 12]]
True
"""


@pytest.mark.parametrize("place", ["train.py", "site-packages/keras.py"])
def test_contemporary_libraries_read_hdf5_and_yaml(tmp_path, place):
    pytest.importorskip("h5py")
    pytest.importorskip("yaml")
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(HDF5)
    library = "import sys\nsys.path.append('site-packages')\nimport keras\n"
    done = (
        run("train.py", cwd=tmp_path) if place == "train.py" else run("-c", library, cwd=tmp_path)
    )
    assert done.stdout == HDF5_SHOWN, done.stderr
    assert "yaml.load requires a loader" in done.stderr


def test_equal_elements_sort_as_in_older_numpy(tmp_path):
    (tmp_path / "train.py").write_text(
        "import numpy as np\n"
        "x = -np.float32([1, 2, 1, 1, 2, 1, 1, 3, 1, 0])\n"
        "y = np.arange(40) * 7 % 5\n"
        "print(np.argsort(x).tolist(), x.argsort().tolist(), np.argsort([x, x], 0)[1].sum())\n"
        "print(y.argsort()[:12], y.argsort().argsort()[0], np.argsort(y, kind='mergesort')[:4])\n"
    )
    process = run("train.py", cwd=tmp_path)
    rows = str([7, 1, 4, 0, 2, 3, 5, 6, 8, 9])
    longer = "[ 0 20 15 30 10 25 35  5 23  8 33 28] 0 [ 0  5 10 15]"
    assert process.stdout == f"{rows} {rows} 10\n{longer}\n", process.stderr


CHANGED = {
    "np.array([1])": True,
    "x.load(3)": True,
    "x.decode('utf8')": False,
    "f.attrs['x'].decode('utf8')": True,
    "re.split('a', b)": True,
    "x.split('a')": False,
    "math.sqrt(x)": True,
    "'%d' % x": True,
    "x % 3": False,
    "open(a, 'rU')": True,
    "open(a, mode='U')": True,
    "open(a, 'r')": False,
    "import numpy as np; np.shape(x)": True,
    "x.shape": False,
    "plt.hist(x, normed=True)": True,
    "f(newshape=3)": True,
    "f(shape=3)": False,
    "a.tostring()": True,
    "plt.gca(projection='3d')": True,
    "f(x[i])": False,
    "x[slice(1)]": False,
    "import numpy as np; a[i] = f(x)": True,
    "import numpy as np; a[i] = len(x); a[i] += 1; a['k'] = x; a[:] = x; a[f(x)] += x": False,
    "a[i] = f(x)": False,
    "import numpy as np; np.sum(x); np.sum(x for x in y)": True,
    "import numpy as np; np.sum(x.y); x.sum()": False,
}


@cases.in_one_test
@pytest.mark.parametrize("source", CHANGED)
def test_only_affected_calls_are_rewritten(source):
    """With only other calls, a program's code is the same as Python's."""
    plain = compile(source, "p.py", "exec").co_names
    result = call_shims.compile_source(source, "p.py").co_names
    assert any(name.startswith("__tfmini") for name in result) == CHANGED[source], (plain, result)
