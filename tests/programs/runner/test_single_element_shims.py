"""One-element arrays, which numpy accepted as numbers, in a program's own source."""

import random

import numpy as np
import pytest

from tests.programs.cli.test_run import run as run_program
from tests.programs.runner.test_numpy_integer_shims import run
from tfmini._src.programs.runner import call_shims

# Older releases convert such arrays, with a warning.
pytestmark = pytest.mark.filterwarnings(
    "ignore:Conversion of an array:DeprecationWarning",
    "ignore:non-integer arguments to randrange:DeprecationWarning",
)

# The result of each statement in `m`, by default two by two zeros of float64, under numpy 1.18.5.
ITEMS = {
    "m[0, 1] = one": [[0, 2.5], [0, 0]],
    "m[0][1] = np.array([[2.5]])": [[0, 2.5], [0, 0]],
    "m[i, -1] = np.ones((1, 1)) * one": [[0, 0], [0, 2.5]],
    "m[(0, 1)] = np.array(['2.5'])": [[0, 2.5], [0, 0]],
    "m[0] = [1.0, one]": [[1, 2.5], [0, 0]],
    "m = np.frombuffer(b'abcd', np.uint8); m = m.reshape(np.array([2]), 2)": [[97, 98], [99, 100]],
    "import io; m = list(io.BytesIO(np.frombuffer(b'abcd', np.uint8)).read(np.array([2])))": [
        97,
        98,
    ],
    "m[0] = one": [[2.5, 2.5], [0, 0]],
    "m[:, 0] = one": [[2.5, 0], [2.5, 0]],
    "m[0, 0] += one": [[2.5, 0], [0, 0]],
    "m[i - 1, 0] += np.array([[2.5]])": [[2.5, 0], [0, 0]],
    "m[i, 0] -= one * 2": [[0, 0], [-5, 0]],
    "m += 1; m[i][i - 1] *= one; m[0, 0] /= one": [[0.4, 1], [2.5, 1]],
    "m = np.zeros(2, np.int64); m[1] = one": [0, 2],
    "m = np.zeros(2, np.uint8); m[1] = np.array([300])": [0, 44],
    "m = np.zeros(2, complex); m[0] = np.array([1 + 2j])": [1 + 2j, 0],
    "m = np.zeros(2, bool); m[i] = one > 2": [False, True],
    "m = np.array([1.0, one], dtype=np.float32)": [1, 2.5],
    "m = np.array([[1, one], [one, 2]], np.int32)": [[1, 2], [2, 2]],
    "m = np.sum(x for x in [1, 2])": 3,
    "g = (np.ones(2) for x in range(2)); m = np.sum(g, 0)": [2, 2],
    "m[...] = 3; np.sum((x for x in [np.ones(2)] * 2), out=m)": [[2, 2], [2, 2]],
    "m = np.sum(range(4)) + np.sum(m, axis=0)": [6, 6],
    "m = np.arange(np.array([3]))": [0, 1, 2],
    "m = complex(one)": 2.5 + 0j,
}


@pytest.mark.parametrize("statement", ITEMS)
def test_one_element_assignment(statement, messages):
    names = run(statement, m=np.zeros((2, 2)), one=np.array([2.5]), i=1)
    assert np.asarray(names["m"]).tolist() == ITEMS[statement]
    assert len(messages) <= 1


TEXTS = {
    "'%d' % one": "2",
    "b'%d' % one": b"2",
    "'%s ' '%.1f' % (one, one)": "[2.5] 2.5",
    "('%d' + ' %s') % (one, 'a')": "2 a",
    "'%(a)d %(b)s' % {'a': one, 'b': one}": "2 [2.5]",
    "'%i %g' % tuple(np.ones((2, 1)))": "1 1",
}


@pytest.mark.parametrize("text", TEXTS)
def test_one_element_formatting(text):
    assert run(f"got = {text}", one=np.array([2.5]))["got"] == TEXTS[text]


@pytest.mark.parametrize(
    "statement, error, text",
    [
        ("m[0, 0] = np.ones(2)", ValueError, "setting an array element with a sequence"),
        ("m[0, 0] = [1.0]", ValueError, "setting an array element with a sequence"),
        ("m[0, 0] = np.array([1j])", ValueError, "setting an array element with a sequence"),
        ("m[5, 0] = np.ones(1)", IndexError, "index 5 is out of bounds"),
        ("x = (1, 2); x[0] = np.ones(1)", TypeError, "does not support item assignment"),
        ("x = [1]; x['a' + 'b'] = m", TypeError, "list indices must be integers"),
        ("m[0, 0] += 'a' + ''", TypeError, "."),
        ("m[0] += np.ones(3)", ValueError, "operands could not be broadcast"),
        ("x = np.ones(3); m[0] += x", ValueError, "operands could not be broadcast"),
        ("np.frombuffer(m).reshape(np.array([2, 2]), 1)", TypeError, "integer scalar arrays"),
        ("'%d' % {'a': 1}", TypeError, "real number"),
        ("'%(a)d' % {'a': 'b'}", TypeError, "real number"),
        ("np.array([1.0, [2.0]], np.float32)", ValueError, "inhomogeneous"),
        ("np.sum(x / 0 for x in [1])", ZeroDivisionError, "division by zero"),
    ],
)
def test_errors_are_unchanged(statement, error, text):
    with pytest.raises(error, match=text):
        run(statement, m=np.zeros((2, 2)))


def test_other_assignments_follow_python(messages):
    """In lists and dicts, with names evaluated once, in Python's order."""
    source = """\
order = []
def note(value):
    order.append(value)
    return value
d, rows, counts = {}, [[1], [2]], [0, 0]
d[note("key")] = note("value")
d["one"] = one
rows[note(0)] += [note(3)]
counts[0] += note(5); counts[-1] -= 2
class Own:
    __slots__ = "x"
    def __setitem__(self, key, value): self.x = key, value
own = Own()
own[1, 2] = own
"""
    names = run(source, one=np.array([2.5]))
    assert names["order"] == ["value", "key", 0, 3, 5]
    assert names["d"] == {"key": "value", "one": names["one"]}
    assert names["rows"] == [[1, 3], [2]] and names["counts"] == [5, -2]
    assert names["own"].x == ((1, 2), names["own"]) and not messages


def test_randint_accepts_one_element_array():
    random.seed(3)
    expected = random.randint(0, 9)
    random.seed(3)
    assert call_shims.call(random.randint, 0, np.array([9])) == expected


def test_failing_assignment_runs_once_and_shows_line():
    source = """\
calls = []
class Own:
    def __setitem__(self, key, value):
        calls.append(key)
        raise ValueError("mine")
    def __getitem__(self, key):
        return self
    def __iadd__(self, value):
        calls.append(value)
        return self
own, x, pair, more = Own(), one, ([1], 2), [3]
def assign(): own[3] = x
def add(): own[4] += x
def extend(): pair[0] += more
"""
    names = run(source, one=np.array([2.5]))
    for name, calls in (("assign", [3]), ("add", [names["x"], 4])):
        names["calls"].clear()
        with pytest.raises(ValueError, match="mine") as failed:
            names[name]()
        assert names["calls"] == calls and failed.value.__context__ is None
        frames = [frame.name for frame in failed.traceback]
        assert frames[-2:] == [name, "__setitem__"] and frames.count(name) == 1
    with pytest.raises(TypeError, match="does not support item assignment"):
        names["extend"]()
    assert names["pair"][0] == [1, 3]


AUTOGRAPH = """\
import numpy as np
import tensorflow as tf

@tf.function(experimental_autograph_options=tf.autograph.experimental.Feature.LISTS)
def changed(x, n):
    x[1] = n
    return x

buffer = np.zeros(2)
with tf.Session() as session:
    buffer[0] = session.run(tf.constant([3.0]))
    print(session.run(changed(tf.zeros([3]), tf.constant(2.0))), buffer)
"""


def test_tensor_items_are_left_to_autograph(tmp_path):
    (tmp_path / "train.py").write_text(AUTOGRAPH)
    process = run_program("train.py", cwd=tmp_path)
    assert process.stdout == "[0. 2. 0.] [3. 0.]\n", process.stderr
