"""Removed methods, arguments and conversions in a program's own calls."""

import array
import json
import math
import random
import types
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.programs.cli.test_run import run
from tfmini._src.programs.runner import call_shims, method_shims, single_element_shims

SOURCE = """\
import array, io, json, math, random
import numpy as np
import xml.etree.ElementTree as tree
a = np.array([[1, 2], [3, 5]], np.int16)
print(a.tostring() == a.tobytes(), np.float32(1).tostring(), array.array("B", [65]).tostring(), a.ptp(), a.ptp(axis=0))
a.itemset((0, 1), 7); a.itemset(3, 9); print(a.tolist(), a.newbyteorder()[0, 0])
bytes_ = array.array("B"); bytes_.fromstring(b"AB"); print(bytes_.tolist())
one = np.array([2.5])
print(float(one), int(one), math.floor(one), "%.2f %d %s" % (one, one, one), "%05.1f" % one, "%d of %s" % (1, "x"))
print([child.tag for child in tree.fromstring("<a><b/><c/></a>").getchildren()])
print(json.loads('{"k": 1}', encoding="utf-8"), np.vstack(x for x in ([1], [2])).tolist(), np.hstack(map(list, ["a"])))
print(np.histogram([1, 2], 1, normed=True)[0], open("text", "rU").read(), np.expand_dims([1], 3).shape)
random.seed(1); print(random.sample({3}, 1)); x = [1, 2, 3]; random.shuffle(x, lambda: 0.0); print(x)
print(tree.tostring(tree.Element("a")), float("2"), int("11", 2), math.sqrt(4.0), "%s" % (a,) == str(a))
try: float(np.ones(2))
except TypeError as error: print(type(error).__name__)
try: (3).tostring()
except AttributeError as error: print(error)
"""

SHOWN = """\
True b'\\x00\\x00\\x80?' b'A' 4 [2 3]
[[1, 7], [3, 9]] 256
[65, 66]
2.5 2 2 2.50 2 [2.5] 002.5 1 of x
['b', 'c']
{'k': 1} [[1], [2]] ['a']
[1.] text (1, 1)
[3]
[2, 3, 1]
b'<a />' 2.0 3 2.0 True
TypeError
'int' object has no attribute 'tostring'
"""


def test_removed_methods_work_in_program(tmp_path):
    (tmp_path / "text").write_text("text")
    (tmp_path / "old.py").write_text(SOURCE)
    process = run("old.py", cwd=tmp_path)
    assert process.stdout == SHOWN, process.stderr
    assert "ElementTree.Element" not in process.stderr  # a class, by its own name
    assert "Element.getchildren was removed; list replaces it." in process.stderr
    assert "loads(encoding=...) was removed; it is left out." in process.stderr


def test_strict_mode_leaves_methods_alone(tmp_path):
    process = run("--strict", "-c", "import array; array.array('B', [65]).tostring()", cwd=tmp_path)
    assert process.returncode == 1
    assert "AttributeError: 'array.array' object has no attribute 'tostring'" in process.stderr


def test_user_defined_methods_take_precedence():
    class Own:
        def tostring(self, x, *, y):
            return x + y

        def sample(self, values):
            return values

    assert method_shims.method(Own(), "tostring", call_shims.call, 1, y=2) == 3
    assert call_shims.call(Own().sample, {1}) == {1}
    assert method_shims.current_keywords(Own().sample, {"normed": 1, "b": 2}) == {
        "normed": 1,
        "b": 2,
    }
    assert call_shims.call(np.dtype(np.int32).newbyteorder, ">") == np.dtype(">i4")


def test_errors_are_unchanged():
    with pytest.raises(TypeError, match="must be"):
        call_shims.call(float, [1.0])
    with pytest.raises(ValueError, match="could not convert"):
        call_shims.call(float, "a")
    with pytest.raises(TypeError, match="must be real number"):
        call_shims.call(math.sqrt, "a")
    with pytest.raises(TypeError, match="not all arguments|not enough"):
        single_element_shims.percent("%d %d", 1)
    with pytest.raises(TypeError, match="real number"):
        single_element_shims.percent("%d", "a")
    with pytest.raises(
        json.JSONDecodeError, match="Expecting property name enclosed in double quotes"
    ):
        call_shims.call(json.loads, "{", encoding="utf-8")


def test_sequence_sampling_matches_python():
    random.seed(3)
    expected = random.sample(range(9), 3)
    values = list(range(5))
    random.shuffle(values)
    random.seed(3)
    assert call_shims.call(random.sample, range(9), 3) == expected
    others = list(range(5))
    call_shims.call(random.shuffle, others)
    assert others == values


def test_element_tree_methods():
    root = ElementTree.fromstring("<a><b><c/></b></a>")
    result = method_shims.method(ElementTree.ElementTree(root), "getiterator", call_shims.call)
    assert [e.tag for e in result] == ["a", "b", "c"]
    actual = method_shims.method(array.array("B", [1]), "tostring", call_shims.call)
    assert actual == b"\x01"


def test_matplotlib_arguments(tmp_path):
    pytest.importorskip("matplotlib")
    source = """\
import matplotlib; matplotlib.use("Agg", warn=False)
import matplotlib.pyplot as plt
plt.style.use("seaborn-white")
figure = plt.figure(); axes = figure.gca(projection="3d"); print(axes.name, figure.gca(projection="3d") is axes)
plt.figure(); axes = plt.subplot(111, axisbg="r"); print(axes.get_axis_bgcolor()[:3])
axes.set_axis_bgcolor("w"); axes.hold(True); axes.set_color_cycle(["g"]); figure.canvas.set_window_title("t")
print(plt.hist([1, 2], 1, normed=True)[0], axes.plot([1], hold=True)[0].get_color())
print(plt.get_cmap("spectral").name, plt.cm.get_cmap("Vega10").name, plt.cm.spectral.name)
plt.grid(b=True); plt.semilogy([1, 2], basey=2); print(axes.get_yscale())
print(*(draw([[1.0, 2.0], [3.0, 4.0]]).get_array().tolist() for draw in (plt.pcolor, plt.pcolormesh)))
"""
    process = run("-c", source, cwd=tmp_path)
    assert process.stdout.splitlines() == [
        "3d True",
        "(1.0, 0.0, 0.0)",
        "[1.] g",
        "spectral Vega10 nipy_spectral",
        "log",
        "[1.0, 2.0, 3.0, 4.0] [1.0, 2.0, 3.0, 4.0]",
    ], process.stderr


def test_itemset():
    """By an index, a tuple or one index per axis, as in numpy 1."""
    for index in ((3,), ((1, 1),), (1, 1)):
        numbers = np.zeros((2, 2), int)
        method_shims._itemset(numbers, *index, 5)
        assert numbers.tolist() == [[0, 0], [0, 5]]


def named(module, name):
    """A function with this module and name that returns its arguments."""

    def made(*args, **kwargs):
        return args, kwargs

    made.__module__, made.__name__ = module, name
    return made


@pytest.mark.parametrize(
    "module, name, inputs, expected",
    [
        ("matplotlib.axes", "subplot", {"axisbg": 1, "hold": True}, {"facecolor": 1}),
        ("matplotlib.pyplot", "semilogx", {"basex": 2}, {"base": 2}),
        ("matplotlib.pyplot", "loglog", {"basey": 2, "nonposx": 3}, {"base": 2, "nonpositive": 3}),
        ("matplotlib.pyplot", "loglog", {"nonposy": "clip"}, {"nonpositive": "clip"}),
        ("matplotlib.pyplot", "grid", {"b": True, "which": 1}, {"visible": True, "which": 1}),
        ("matplotlib.pyplot", "plot", {"b": True}, {"b": True}),
        ("matplotlib.pyplot", "savefig", {"frameon": True, "dpi": 9}, {"dpi": 9}),
        ("matplotlib.pyplot", "legend", {"frameon": True}, {"frameon": True}),
        ("matplotlib", "use", {"warn": False}, {}),
        ("matplotlib.pyplot", "hist", {"normed": 1}, {"density": 1}),
        ("numpy", "histogram", {"normed": True}, {"density": True}),
        ("numpy", "histogram2d", {"normed": True}, {"density": True}),
        ("numpy", "histogramdd", {"normed": True}, {"density": True}),
        ("numpy", "other", {"normed": True}, {"normed": True}),
        ("sklearn.preprocessing", "OneHotEncoder", {"sparse": 1}, {"sparse_output": 1}),
        ("sklearn.preprocessing", "LabelBinarizer", {"sparse": 1}, {"sparse": 1}),
        ("json", "load", {"encoding": "utf8", "cls": None}, {"cls": None}),
        ("json.decoder", "loads", {"encoding": "utf8"}, {}),
        ("json", "dump", {"encoding": "utf8"}, {"encoding": "utf8"}),
        ("program", "hist", {"normed": 1}, {"normed": 1}),
        (None, "grid", {"b": 1}, {"b": 1}),
    ],
)
def test_renamed_keyword_arguments(messages, module, name, inputs, expected):
    before = dict(inputs)
    assert method_shims.current_keywords(named(module, name), inputs) == expected
    assert inputs == before  # the caller's own
    renamed = [word for word in before if word not in expected or before[word] != expected[word]]
    assert [text.partition("=")[0] for text in messages] == [f"{name}({word}" for word in renamed]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in versions that still have it
def test_removed_methods(messages):
    def of(value, name, *args, **kwargs):
        return method_shims.method(value, name, call_shims.call, *args, **kwargs)

    matrix = np.array([[1, 2], [3, 4]], ">i2")
    assert of(matrix, "tostring") == matrix.tobytes()
    assert of(matrix, "tostring", "F") == matrix.tobytes("F") != matrix.tobytes()
    assert of(matrix, "newbyteorder").dtype == np.dtype("<i2")
    assert of(matrix, "newbyteorder", "=").dtype == np.dtype(np.int16)
    assert of(matrix[0, 1], "newbyteorder").item() == 512
    assert of(matrix, "ptp", 1).tolist() == [1, 1] and of(matrix, "ptp") == 3
    assert of(np.ma.masked_array([1, 5, 9], [0, 0, 1]), "ptp") == 4
    of(matrix, "itemset", 2, 7)
    of(matrix, "itemset", (0, 0), 8)
    assert matrix.tolist() == [[8, 2], [7, 4]]
    letters = array.array("B", b"A")
    of(letters, "fromstring", b"BC")
    assert letters.tobytes() == b"ABC"
    root = ElementTree.fromstring("<a><b/><c><b/></c></a>")
    assert [e.tag for e in of(root, "getiterator", "b")] == ["b", "b"]
    assert [e.tag for e in of(root, "getchildren")] == ["b", "c"]
    with pytest.raises(AttributeError, match="has no attribute 'getchildren'"):
        of([], "getchildren")
    with pytest.raises(AttributeError, match="itemset"):
        of(np.float32(1), "itemset", 1)
    is_there = hasattr(matrix, "tostring")
    assert len(messages) == 7 - is_there  # each once
    assert is_there or "ndarray.tostring was removed; tobytes replaces it." in messages
    assert "array.fromstring was removed; frombytes replaces it." in messages


def test_universal_newline_modes(messages, tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"a\r\nb")
    call = call_shims.call
    for args, kwargs, expected in (
        ((path, "U"), {}, "a\nb"),
        ((path, "rU"), {}, "a\nb"),
        ((path, "Ur", -1, "utf8"), {}, "a\nb"),
        ((path,), {"mode": "rU", "newline": ""}, "a\r\nb"),
        ((path, "rbU"), {}, b"a\r\nb"),
        ((path, "rb"), {}, b"a\r\nb"),
        ((path,), {}, "a\nb"),
    ):
        with call(open, *args, **kwargs) as file:
            assert file.read() == expected
    assert messages == ["open no longer accepts mode 'U'; U is dropped here."]
    with pytest.raises(FileNotFoundError, match="none"):
        call(open, tmp_path / "none", "U")


def test_stacking_generators(messages):
    call = call_shims.call
    rows = [[1, 2], [3, 4]]
    assert call(np.stack, (row for row in rows), 1).tolist() == [[1, 3], [2, 4]]
    assert call(np.stack, iter(rows), axis=-1).tolist() == [[1, 3], [2, 4]]
    assert call(np.hstack, map(list, rows)).tolist() == [1, 2, 3, 4]
    assert call(np.dstack, rows).tolist() == [[[1, 3], [2, 4]]]
    assert call(np.column_stack, zip(*rows)).tolist() == [[1, 2], [3, 4]]
    assert call(np.vstack, rows, dtype=np.float64).dtype == np.float64
    assert messages == [
        f"np.{name} no longer accepts a generator: pass a list of arrays."
        for name in ("stack", "hstack", "column_stack")
    ]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in versions that still have it
def test_one_element_arrays_convert_to_scalars(messages):
    call, one = call_shims.call, np.array([[2.5]])
    assert call(float, one) == 2.5 and call(int, one) == 2 and call(math.floor, one) == 2
    assert (
        call(math.pow, np.array([2]), one) == 2**2.5 and call(math.isnan, np.float32([1])) is False
    )
    for invalid in (np.ones(2), np.ones(0)):
        with pytest.raises(TypeError, match="0-dimensional|only length-1"):
            call(float, invalid)
    percent = single_element_shims.percent
    whole = np.array([3])
    assert percent("%d", whole) == "3" and percent("%d %s %r", (whole, whole, whole)) == (
        "3 [3] array([3])"
    )
    assert percent("%(a)s", {"a": one}) == "[[2.5]]" and percent("%5.1f|%-4d|", (one, whole)) == (
        "  2.5|3   |"
    )
    assert percent("%s", one) == "[[2.5]]" and percent("%%", ()) == "%"
    with pytest.raises(TypeError, match="real number|not all|0-dimensional|only length-1"):
        percent("%d", np.ones(2))
    with pytest.raises(TypeError, match="real number|not all|0-dimensional|only length-1"):
        percent("%d %s", (whole, np.ones(2), 3))
    try:
        float(one)
    except TypeError:
        assert messages == [
            "numpy no longer converts a one-element array to a number; it is converted here."
        ]
    else:
        assert messages == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in versions that still have it
def test_removed_random_arguments(messages):
    call, values = call_shims.call, [0, 1, 2, 3, 4]
    numbers = iter([0.0, 0.99, 0.5, 0.3])
    call(random.shuffle, values, lambda: next(numbers))
    assert values == [2, 4, 1, 3, 0]  # indices 4 and 0 are swapped, 3 stays, then 2 and 1, 1 and 0
    assert sorted(call(random.sample, frozenset({1, 2}), 2)) == [1, 2]
    assert sorted(call(random.sample, {1: 2}.keys(), k=1)) == [1]
    with pytest.raises(TypeError, match="sequence"):
        call(random.Random(1).sample, {1}, 1)  # not the module's
    assert messages == [
        "random.shuffle no longer accepts a second argument; it is honored here.",
        "random.sample no longer accepts a set; it is converted to a sequence here.",
    ]


def test_gca_projection(messages):
    class Axes:
        name = "rectilinear"

    class Figure:
        axes = ()

        def gca(self, **words):
            return self.axes[-1] if not words else "not asked"

        def add_subplot(self, *args, **words):
            self.axes = (*self.axes, Axes())
            self.axes[-1].name, self.axes[-1].args = words["projection"], args
            return self.axes[-1]

    figure = Figure()
    gca = types.MethodType(named("matplotlib.figure", "gca"), figure)
    first = call_shims.call(gca, projection="3d")
    assert call_shims.call(gca, projection="3d") is first and len(figure.axes) == 1
    other = call_shims.call(gca, 1, projection="polar")
    assert other is figure.axes[1] and other.args == (1,)
    own = named("program", "gca")
    assert call_shims.call(own, projection="3d") == ((), {"projection": "3d"})
    assert messages == ["gca(projection=...) was removed; add_subplot replaces it."]


def test_affected_calls_are_recognized():
    looks = method_shims.has_old_word
    assert looks("gca", ["projection"]) and not looks("gca", ["other"])
    assert looks("anything", ["axisbg"]) and looks("hist", ["bins", "normed"])
    assert looks("grid", ["b"]) and not looks("f", ["b"]) and not looks("f", ["normed", None])
    assert not looks("savefig", []) and looks("savefig", ["frameon"])


SEVERAL = """\
import numpy as np
grid = np.meshgrid([1, 2], [3]); grid.append(0); print(len(grid), grid[1].tolist())
print([type(several).__name__ for several in (np.broadcast_arrays(1, [2]), np.atleast_2d(1, 2), np.atleast_1d(1))])
"""


def test_meshgrid_results_are_lists(tmp_path):
    (tmp_path / "program.py").write_text(SEVERAL)
    process = run("program.py", cwd=tmp_path)
    assert process.stdout == "3 [[3, 3]]\n['list', 'list', 'ndarray']\n"
