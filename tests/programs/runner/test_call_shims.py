"""Calls in a program's own source that did something else in its time."""

import io
import json
import pickle
import re
import sys
import types

import numpy as np
import pytest

from tests.programs.cli.test_run import run, start
from tfmini._src.programs.hook import warn_once
from tfmini._src.programs.runner import call_shims

# What Python 2's pickle.dumps({'name': '\xe9t\xe9'}, 2) wrote, from the description of the format.
PICKLE = rb"\x80\x02}U\x04nameU\x03\xe9t\xe9s."

SOURCE = f"""\
import io, pickle
import numpy as np
from numpy import array
print(np.array([[1], [1, 2]]).dtype, array([[1.0], []]).tolist(), np.asarray([[1], [2]]).dtype)
print(pickle.load(io.BytesIO(b"{PICKLE.decode("ascii")}")), pickle.loads(b"{PICKLE.decode("ascii")}"))
class Own:
    def load(self, function): return function
print(Own().load(function=3))
print(np.ndim([[1], [1, 2]]), np.shape(([1], [2, 3])), np.size([[1], [1, 2]]), np.shape([[1, 2]]))
try: np.array([[1], [1, 2]], dtype=np.float32)
except ValueError as error: print("inhomogeneous" in str(error))
"""

SHOWN = """\
object [[1.0], []] int64
{'name': 'été'} {'name': 'été'}
3
1 (2,) 2 (1, 2)
True
"""


@pytest.mark.parametrize("kind", ["script", "beside", "code", "notebook"])
def test_they_do_what_they_did(tmp_path, kind):
    if kind == "code":
        done = run("-c", SOURCE, cwd=tmp_path)
    elif kind == "notebook":
        cell = {"cell_type": "code", "source": SOURCE}
        (tmp_path / "old.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}}))
        done = run("old.ipynb", cwd=tmp_path)
    else:
        (tmp_path / "old.py").write_text(SOURCE)
        (tmp_path / "train.py").write_text("import old\n")
        done = run("old.py" if kind == "script" else "train.py", cwd=tmp_path)
    assert done.stdout == SHOWN, done.stderr
    said = done.stderr.splitlines()
    places = {"code": "<string>", "notebook": "old.ipynb, cell 1"}
    place = places.get(kind, str(tmp_path / "old.py"))
    assert said[0].startswith(f"WARNING:tensorflow:From {place}:4: numpy makes no array of lists")
    assert said[1].startswith(f"WARNING:tensorflow:From {place}:5: Python 2 wrote this pickle")
    assert len(said) == 2


def test_no_byte_code_of_it_is_left(tmp_path):
    (tmp_path / "old.py").write_text("import numpy as np\nx = np.array([[1], [1, 2]])\n")
    (tmp_path / "train.py").write_text("import old\nprint(len(old.x))\n")
    assert run("train.py", cwd=tmp_path).stdout == "2\n"
    assert "inhomogeneous" in start(["train.py"], tmp_path).stderr


def test_strictly_they_are_as_they_are(tmp_path):
    (tmp_path / "train.py").write_text("import numpy as np\nnp.array([[1], [1, 2]])\n")
    assert "inhomogeneous" in run("--strict", "train.py", cwd=tmp_path).stderr


def test_a_failing_call_shows_the_programs_line_alone(tmp_path):
    (tmp_path / "train.py").write_text("import json\njson.loads('{')\n")
    found, wanted = run("train.py", cwd=tmp_path), start(["train.py"], tmp_path)
    assert found.stderr == wanted.stderr
    assert found.returncode == wanted.returncode == 1


@pytest.mark.filterwarnings("ignore:The binary mode of fromstring:DeprecationWarning")
def test_bytes_become_arrays_that_may_be_written():
    got = call_shims.call(np.fromstring, b"\x01\x00\x02\x00", np.uint16)
    got[0] += 1
    assert got.tolist() == [2, 2]
    assert call_shims.call(np.fromstring, b"\x01\x02\x03", dtype=np.uint8, count=2).tolist() == [
        1,
        2,
    ]
    assert call_shims.call(np.fromstring, "1 2", sep=" ").tolist() == [1.0, 2.0]


def test_an_array_is_copied_where_it_has_to_be():
    values = np.arange(3)
    assert call_shims.call(np.array, values, copy=False) is values
    assert call_shims.call(np.array, [1, 2], np.float32, copy=False).tolist() == [1.0, 2.0]


# What Python 3.6's documentation says: where a pattern matches nothing, there is no split.
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


def test_nothing_is_split_where_a_pattern_matches_nothing(tmp_path):
    done = run("-c", SPLITS, cwd=tmp_path)
    assert done.stdout == SPLIT, done.stderr
    assert done.stderr.count("re.split splits at empty matches") == 1


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


def test_ragged_lists_are_saved_and_loaded(tmp_path):
    done = run("-c", SAVES, cwd=tmp_path)
    assert done.stdout == SAVED, done.stderr
    assert done.stderr.count("np.load reads objects only with allow_pickle=True") == 1


# What numpy 1.14 says of these; it told of the change to come.
KINDS = """\
import numpy as np
x, n, z = np.dtype(np.float32), np.dtype(np.int32), np.dtype(np.complex64)
print(np.issubdtype(x, np.float), np.issubdtype(n, int), np.issubdtype(z, complex))
print(np.issubdtype(n, float), np.issubdtype(np.uint8, int), np.issubdtype(x, np.float64))
print(np.issubdtype(np.float64, float), np.issubdtype(x, np.floating))
"""


def test_numbers_of_any_size_are_of_pythons_kinds(tmp_path):
    done = run("-c", KINDS, cwd=tmp_path)
    assert done.stdout == "True True True\nFalse False False\nTrue True\n", done.stderr
    assert done.stderr.count("np.floating is meant") == 1


TURNS = """\
import numpy as np
from scipy import ndimage
image = np.arange(16.0).reshape(4, 4)
by_number = ndimage.rotate(image, 30, reshape=False)
print((ndimage.rotate(image, np.array([30]), reshape=False) == by_number).all())
print((ndimage.rotate(input=image, angle=np.array([30]), reshape=False) == by_number).all())
print((ndimage.rotate(image, 30, reshape=False) == by_number).all())
"""


def test_an_angle_in_an_array(tmp_path):
    done = run("-c", TURNS, cwd=tmp_path)
    assert done.stdout == "True\nTrue\nTrue\n", done.stderr
    assert done.stderr.count("scipy.ndimage.rotate takes a number") == 1


TSNES = """\
from sklearn.manifold import TSNE
import sklearn.manifold
print(TSNE(n_components=3, n_iter=5000).max_iter, sklearn.manifold.TSNE(n_iter=300).max_iter)
print(TSNE(max_iter=400).max_iter)
"""


def test_the_steps_of_an_embedding_by_their_old_name(tmp_path):
    done = run("-c", TSNES, cwd=tmp_path)
    assert done.stdout.splitlines() == ["5000 300", "400"], done.stderr
    assert done.stderr.count("TSNE(n_iter=...) was removed") == 1


RESHAPES = """\
import numpy as np
print(np.reshape([1, 2], newshape=(2, 1)).tolist(), np.reshape(np.zeros((2, 3)), newshape=-1).shape)
def own(newshape): return newshape
print(own(newshape=3))
"""


def test_a_new_shape_by_its_old_name(tmp_path):
    done = run("-c", RESHAPES, cwd=tmp_path)
    assert done.stdout.splitlines() == ["[[1], [2]] (6,)", "3"], done.stderr


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
print(np.arange(6).reshape(2, 3)[slices])
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
True
"""


@pytest.mark.parametrize("place", ["train.py", "site-packages/keras.py"])
def test_libraries_of_that_time_read_hdf5_and_yaml(tmp_path, place):
    pytest.importorskip("h5py")
    pytest.importorskip("yaml")
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text(HDF5)
    library = "import sys\nsys.path.append('site-packages')\nimport keras\n"
    done = (
        run("train.py", cwd=tmp_path) if place == "train.py" else run("-c", library, cwd=tmp_path)
    )
    assert done.stdout == HDF5_SHOWN, done.stderr
    assert "yaml.load needs a loader" in done.stderr


def test_equal_elements_of_a_short_row_stay_in_order(tmp_path):
    """numpy below 1.25 sorted up to 16 elements by insertion."""
    (tmp_path / "train.py").write_text(
        "import numpy as np\n"
        "x = -np.float32([1, 2, 1, 1, 2, 1, 1, 3, 1, 0])\n"
        "print(np.argsort(x).tolist(), x.argsort().tolist(), np.argsort([x, x], 0)[1].sum())\n"
        "print(np.argsort(a=x, kind='mergesort')[0], x.argsort(0, 'heapsort')[0])\n"
    )
    done = run("train.py", cwd=tmp_path)
    rows = str([7, 1, 4, 0, 2, 3, 5, 6, 8, 9])
    assert done.stdout == f"{rows} {rows} 10\n7 7\n", done.stderr


@pytest.fixture
def said(monkeypatch):
    """What is said in a test, in order, each once."""
    found = []
    monkeypatch.setattr(warn_once, "_said", set())
    monkeypatch.setattr(warn_once.logs, "warning", lambda text, line, said: found.append(said))
    return found


@pytest.mark.parametrize(
    "arguments, wanted",
    [
        ((r"(\s*)", "a b  c", 1), ["a", " ", "b  c"]),
        ((r"(\s)*", "a b  c", 2), ["a", " ", "b", " ", "c"]),
        ((r"\s*", "a b  c", 0), ["a", "b", "c"]),
        ((re.compile("x*"), "xaxx"), ["", "a", ""]),
        (("x*", ""), [""]),
        (("x*", "abc"), ["abc"]),
        (("X*", "axb", 0, re.IGNORECASE), ["a", "b"]),
        (("(x)?(y)?", "axybz", 1), ["a", "x", "y", "bz"]),
        ((b"x*", b"axb"), [b"a", b"b"]),
        (("x+", "axxb"), ["a", "b"]),
        (("(x)", "axbxc", 1), ["a", "x", "bxc"]),
    ],
)
def test_splits_of_a_text(said, arguments, wanted):
    assert call_shims.call(re.split, *arguments) == wanted
    is_empty = re.compile(arguments[0]).match(arguments[1][:0]) is not None
    text = "re.split splits at empty matches since Python 3.7, but not here."
    assert said == [text] * is_empty


class Stream(io.BytesIO):
    """A file that cannot go back."""

    def seekable(self):
        return False


def test_pickles_behind_others_in_a_file(said):
    old = b"\x80\x02U\x03\xe9t\xe9."
    file = io.BytesIO(pickle.dumps(1) + old + pickle.dumps("é") + old)
    assert [call_shims.call(pickle.load, file) for _ in range(4)] == [1, "été", "é", "été"]
    assert said == ["Python 2 wrote this pickle; encoding='latin1' reads it, as here."]
    for function, argument in ((pickle.load, Stream(old)), (pickle.loads, b"")):
        with pytest.raises((UnicodeDecodeError, EOFError), match="codec can't|Ran out of input"):
            call_shims.call(function, argument)
    for words in ({"encoding": "ascii"}, {"encoding": "utf-8"}):
        with pytest.raises(UnicodeDecodeError, match="codec can't decode"):
            call_shims.call(pickle.loads, old, **words)
    assert call_shims.call(pickle.loads, old, encoding="bytes") == b"\xe9t\xe9"


def test_arrays_of_objects_are_loaded_unless_they_may_not_be(said, tmp_path, monkeypatch):
    path = str(tmp_path / "a.npy")
    np.save(path, np.array([{"k": 1}, None], object))
    np.savez(tmp_path / "b.npz", x=np.array([None], object), y=[1])
    with open(path, "rb") as file:
        assert call_shims.call(np.load, file).tolist() == [{"k": 1}, None]
    assert call_shims.call(np.load, path).tolist() == [{"k": 1}, None]
    assert call_shims.call(np.load, str(tmp_path / "b.npz"))["x"].tolist() == [None]
    assert said == ["np.load reads objects only with allow_pickle=True, as here."]
    for arguments in ((path, None, False), (path,)):
        words = {} if len(arguments) > 1 else {"allow_pickle": False}
        with pytest.raises(ValueError, match="allow_pickle=False"):
            call_shims.call(np.load, *arguments, **words)
    with pytest.raises(FileNotFoundError, match="none.npy"):
        call_shims.call(np.load, str(tmp_path / "none.npy"))
    monkeypatch.setattr(call_shims, "is_safe", lambda: True)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        call_shims.call(np.load, path)
    with pytest.raises(ValueError, match="allow_pickle=False"):
        call_shims.call(np.load, str(tmp_path / "b.npz"))["x"]


def named(module, name, function=lambda *args, **kwargs: (args, kwargs)):
    """A function that says what it is called with, of this module and name."""

    def made(*args, **kwargs):
        return function(*args, **kwargs)

    made.__module__, made.__name__ = module, name
    return made


def test_files_of_arrays_without_a_mode(said):
    opened = []

    def file(name, **words):
        opened.append((name, words))
        if name in fails.get(words.get("mode"), ()):
            raise OSError(name)
        return words["mode"]

    fails = {"r+": ["only to read", "new"], "r": ["new"]}
    function = named("h5py._hl.files", "File", file)
    call = call_shims.call
    assert [call(function, n, driver="core") for n in ("old", "only to read", "new")] == [
        *("r+", "r", "w-"),
    ]
    assert opened[-1] == ("new", {"driver": "core", "mode": "w-"})
    assert said == ["h5py.File without a mode only reads today; here it writes too, as it did."]
    assert call(function, "x", mode="a") == "a" and call(function, "x", mode=None) == "r+"
    assert call(named("h5py._hl.files", "File"), "x", "w") == (("x", "w"), {})


def test_what_libraries_have_renamed(said):
    call, one = call_shims.call, np.array([30])
    full = object()
    sys.modules.setdefault("yaml", types.ModuleType("yaml"))
    loader = getattr(sys.modules["yaml"], "FullLoader", None)
    sys.modules["yaml"].FullLoader = loader or full
    load = named("yaml", "load")
    assert call(load, "a") == (("a",), {"Loader": loader or full})
    assert call(load, "a", 3) == (("a", 3), {}) and call(load, "a", Loader=4)[1] == {"Loader": 4}
    rotate, zoom = named("scipy.ndimage", "rotate"), named("scipy.ndimage", "zoom")
    assert call(rotate, 1, one, 5, reshape=False) == ((1, 30, 5), {"reshape": False})
    assert call(rotate, 1, angle=one, order=2) == ((1,), {"angle": 30, "order": 2})
    assert call(zoom, 1, one)[0][1] is one
    many = np.array([1, 2])
    assert call(rotate, 1, many)[0][1] is many and call(rotate, 1, 45) == ((1, 45), {})

    def tsne(n_components=2, max_iter=9):
        return n_components, max_iter

    tsne.__module__ = "sklearn.manifold._t_sne"
    assert call(tsne, 3, n_iter=5) == (3, 5) and call(tsne, max_iter=4) == (2, 4)
    other = named("sklearn.cluster", "KMeans")
    assert call(other, n_iter=5) == ((), {"n_iter": 5})
    assert said == [
        "yaml.load needs a loader; yaml.FullLoader is taken here.",
        "scipy.ndimage.rotate takes a number, no longer an array of one.",
        "TSNE(n_iter=...) was removed; max_iter=... replaces it.",
    ]
    if loader is None:
        del sys.modules["yaml"]


def test_arrays_of_rows_of_other_lengths(said):
    call, rows = call_shims.call, [[1], [1, 2]]
    for function in (np.array, np.asarray):
        assert call(function, rows).tolist() == rows
        with pytest.raises(ValueError, match="inhomogeneous"):
            call(function, rows, np.int32)
        with pytest.raises(ValueError, match="inhomogeneous"):
            call(function, rows, dtype=None)
    assert call(np.array, rows, copy=False).dtype == object
    assert call(np.array, [300], np.uint8).tolist() == [44]
    assert call(np.array, [-1, 2], dtype="uint8", copy=False).tolist() == [255, 2]
    with pytest.raises(OverflowError, match="too large"):
        call(np.array, [10**400], np.float64)
    assert [call(f, rows) for f in (np.ndim, np.shape, np.size)] == [1, (2,), 2]
    assert call(np.size, [[1, 2], [3, 4]], 0) == 2 and call(np.shape, 3) == ()
    saved = io.BytesIO()
    call(np.savez_compressed, saved, rows, 3, a=(rows, [0.5]), b=np.zeros(2))
    saved.seek(0)
    found = call(np.load, saved)
    assert sorted(found) == ["a", "arr_0", "arr_1", "b"]
    assert found["arr_0"].tolist() == rows and found["arr_1"] == 3
    assert found["a"].tolist() == [rows, [0.5]]
    assert said[0] == (
        "numpy makes no array of lists of unequal lengths unless it is told dtype=object, as here."
    )


def test_kinds_of_numbers(said):
    ask, integer = (lambda *a: call_shims.call(np.issubdtype, *a)), np.dtype(np.uint16)
    assert ask(np.float16, float) and ask("f4", float) and ask(np.int8, int) and ask("c8", complex)
    assert not any([ask(integer, int), ask(integer, float), ask(np.float32, complex)])
    assert ask(integer, np.integer) and not ask(np.float32, np.float64) and ask(np.bool_, bool)
    assert said == [
        f"np.issubdtype(dtype, {a}) is of one size today; np.{b} is meant."
        for a, b in (
            ("float", "floating"),
            ("int", "signedinteger"),
            ("complex", "complexfloating"),
        )
    ]


def test_orders_of_equal_elements(monkeypatch):
    asked = []

    class Row(np.ndarray):
        def argsort(self, *args, **kwargs):
            asked.append((args, kwargs))
            return super().argsort(*args, **kwargs)

    row = np.array([2, 1, 1]).view(Row)
    for args, kwargs in (((), {}), ((0,), {}), ((-1, "heapsort"), {}), ((), {"kind": "mergesort"})):
        assert call_shims.call(row.argsort, *args, **kwargs)[2] == 0
    assert asked == [
        ((), {"kind": "stable"}),
        ((0,), {"kind": "stable"}),
        ((-1, "heapsort"), {}),
        ((), {"kind": "mergesort"}),
    ]
    assert call_shims.call(np.argsort, [3, 1], 0).tolist() == [1, 0]
    assert call_shims.call(np.argsort, [3, 1], 0, "heapsort").tolist() == [1, 0]
    own = named("program", "argsort")
    assert call_shims.call(own, 1) == ((1,), {})


def test_items_by_lists_of_slices(said):
    values = np.arange(6).reshape(2, 3)
    slices = [slice(1, 2), slice(0, 2)]
    assert call_shims.item(values, slices).tolist() == [[3, 4]]
    assert said == ["numpy takes slices in a tuple, no longer in a list."]
    assert call_shims.item(values, [0, 1]).tolist() == values.tolist()
    assert call_shims.item({"a": 1}, "a") == 1 and call_shims.item([5, 6], 1) == 6
    assert call_shims.decode("é") == "é" and call_shims.decode("é".encode(), "utf8") == "é"
    assert call_shims.decode(b"\xe9", encoding="latin1", errors="strict") == "é"
    with pytest.raises(AttributeError, match="decode"):
        call_shims.decode(3)


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
}


@pytest.mark.parametrize("source", CHANGED)
def test_only_some_calls_are_changed(source):
    """Of the others a program's code is the same as Python's."""
    plain = compile(source, "p.py", "exec").co_names
    found = call_shims.compiled(source, "p.py").co_names
    assert any(name.startswith("__tfmini") for name in found) == CHANGED[source], (plain, found)
