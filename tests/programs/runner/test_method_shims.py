"""Methods, arguments and conversions that went, in a program's own calls."""

import array
import json
import math
import random
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.programs.cli.test_run import run
from tfmini._src.programs.runner import call_shims, method_shims

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
print(np.histogram([1, 2], 1, normed=True)[0], open("text", "rU").read())
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
[1.] text
[3]
[2, 3, 1]
b'<a />' 2.0 3 2.0 True
TypeError
'int' object has no attribute 'tostring'
"""


def test_a_program_has_them(tmp_path):
    (tmp_path / "text").write_text("text")
    (tmp_path / "old.py").write_text(SOURCE)
    done = run("old.py", cwd=tmp_path)
    assert done.stdout == SHOWN, done.stderr
    assert "ElementTree.Element" not in done.stderr  # a class by its own name
    assert "Element.getchildren was removed; list replaces it." in done.stderr
    assert "loads(encoding=...) was removed; it is left out." in done.stderr


def test_strictly_nothing_is_mended(tmp_path):
    done = run("--strict", "-c", "import array; array.array('B', [65]).tostring()", cwd=tmp_path)
    assert done.returncode == 1
    assert "AttributeError: 'array.array' object has no attribute 'tostring'" in done.stderr


def test_what_others_have_by_these_names_is_called():
    class Own:
        def tostring(self, x, *, y):
            return x + y

        def sample(self, values):
            return values

    assert method_shims.method(Own(), "tostring", call_shims.call, 1, y=2) == 3
    assert call_shims.call(Own().sample, {1}) == {1}
    assert method_shims.words(Own().sample, {"normed": 1, "b": 2}) == {"normed": 1, "b": 2}
    assert call_shims.call(np.dtype(np.int32).newbyteorder, ">") == np.dtype(">i4")


def test_errors_stay_what_they_are():
    with pytest.raises(TypeError, match="must be"):
        call_shims.call(float, [1.0])
    with pytest.raises(ValueError, match="could not convert"):
        call_shims.call(float, "a")
    with pytest.raises(TypeError, match="must be real number"):
        call_shims.call(math.sqrt, "a")
    with pytest.raises(TypeError, match="not all arguments|not enough"):
        method_shims.percent("%d %d", 1)
    with pytest.raises(TypeError, match="number is required"):
        method_shims.percent("%d", "a")
    with pytest.raises(
        json.JSONDecodeError, match="Expecting property name enclosed in double quotes"
    ):
        call_shims.call(json.loads, "{", encoding="utf-8")


def test_samples_and_shuffles_of_sequences_are_python_s():
    random.seed(3)
    expected = random.sample(range(9), 3)
    values = list(range(5))
    random.shuffle(values)
    random.seed(3)
    assert call_shims.call(random.sample, range(9), 3) == expected
    others = list(range(5))
    call_shims.call(random.shuffle, others)
    assert others == values


def test_elements_of_a_tree():
    root = ElementTree.fromstring("<a><b><c/></b></a>")
    found = method_shims.method(ElementTree.ElementTree(root), "getiterator", call_shims.call)
    assert [e.tag for e in found] == ["a", "b", "c"]
    assert array.array("B", [1]).tobytes() == method_shims.method(
        array.array("B", [1]), "tostring", call_shims.call
    )


def test_arguments_of_matplotlib(tmp_path):
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
"""
    done = run("-c", source, cwd=tmp_path)
    assert done.stdout.splitlines() == [
        "3d True",
        "(1.0, 0.0, 0.0)",
        "[1.] g",
        "spectral Vega10 nipy_spectral",
        "log",
    ], done.stderr


def test_one_item_is_set():
    """By a number, by a tuple or by as many numbers as there are axes, as numpy 1 did."""
    for index in ((3,), ((1, 1),), (1, 1)):
        numbers = np.zeros((2, 2), int)
        method_shims._itemset(numbers, *index, 5)
        assert numbers.tolist() == [[0, 0], [0, 5]]
