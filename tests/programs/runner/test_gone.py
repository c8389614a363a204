"""Names removed from Python's libraries, in programs under the runner."""

import importlib
import importlib.util
import sys

import pytest

from tests.programs.cli.test_run import run, start
from tfmini._src.base.names import removed_names


def shown(tmp_path, source, *options):
    (tmp_path / "old.py").write_text(source)
    process = run(*options, "old.py", cwd=tmp_path)
    return process.stdout, process.stderr


SCRIPT = """\
import inspect, sys, threading, time
from collections import Mapping
print("sklearn" in sys.modules, "matplotlib" in sys.modules, "PIL" in sys.modules)
import numpy as np
print(np.int is int, np.object is object, np.product([2, 3]), np.bool is np.bool_, isinstance({}, Mapping))
print(np.int(3), time.clock() > 0, threading.Thread().isAlive(), np.lib.pad([1], 1, "constant"))
from scipy.misc import imresize
print(imresize(np.full((4, 4), 7, np.uint8), (2, 2)).tolist())
from scipy.sparse.linalg.eigen.arpack import eigsh
from scipy.stats import frechet_r
import xml.etree.cElementTree as tree
print(eigsh.__name__, frechet_r.name, tree.fromstring("<a/>").tag)
print(inspect.ArgSpec(["x"], None, None, None) == inspect.getargspec(lambda x: x))
import scipy
lower = np.percentile([1, 2], 50, interpolation="lower")
print(scipy.sign(-2.0), scipy.sqrt(-1), lower, np.RankWarning.__name__, np.cfloat.__name__)
"""


def test_removed_names_work_and_warn_once(tmp_path):
    out, err = shown(tmp_path, SCRIPT)
    assert out.splitlines() == [
        "False False False",
        "True True 6 True True",
        "3 True False [0 1 0]",
        "[[7, 7], [7, 7]]",
        "eigsh weibull_min a",
        "True",
        "-1.0 1j 1 RankWarning complex128",
    ], err
    lines = err.splitlines()
    warning = f"WARNING:tensorflow:From {tmp_path / 'old.py'}"
    first = "collections.Mapping was removed; collections.abc.Mapping replaces it."
    assert lines[0] == f"{warning}:2: {first}"
    assert lines.count(f"{warning}:5: numpy.int was removed; int replaces it.") == 1
    assert not [line for line in lines if "numpy.bool" in line]
    assert "Traceback" not in err


def test_lazily_loaded_libraries_are_patched(tmp_path):
    (tmp_path / "networkx.py").write_text(
        "from scipy.sparse import csr_array as adjacency_matrix\n"
    )
    out, err = shown(
        tmp_path,
        "from sklearn.cross_validation import train_test_split\n"
        "from sklearn.externals import joblib\n"
        "import networkx as nx; a = nx.adjacency_matrix([[0, 2], [1, 0]])\n"
        "print(a[0].nonzero()[1], (a * a).diagonal(), a.sum(1).shape)\n"
        "import matplotlib; matplotlib.use('Agg')\n"
        "import matplotlib.mlab, matplotlib.pyplot as plt\n"
        "plt.hold(True)\n"
        "figure = plt.figure(figsize=(1, 1), dpi=10)\n"
        "figure.add_subplot('111'); figure.canvas.draw()\n"
        "print(len(figure.canvas.tostring_rgb()))\n"
        "print(train_test_split.__module__, joblib.dump.__name__, matplotlib.mlab.normpdf(0, 0, 1))\n",
    )
    assert (
        out == "[1] [2 2] (2, 1)\n300\nsklearn.model_selection._split dump 0.3989422804014327\n"
    ), err
    assert f"{tmp_path}/old.py:1: sklearn.cross_validation.train_test_split was removed; " in err


GENSIM = """\
class KeyedVectors:
    key_to_index, index_to_key, get_vecattr = {"a": 0}, ["a"], lambda self, key, name: key + name
class Word2Vec:
    def __init__(self, vector_size): self.wv, self.vector_size = KeyedVectors(), vector_size
class FastText(Word2Vec): pass
class Doc2Vec(Word2Vec): pass
"""


def test_gensim_3(tmp_path):
    (tmp_path / "gensim").mkdir()
    (tmp_path / "gensim/models.py").write_text(GENSIM)
    source = "from gensim.models import Word2Vec as M\nm = M(size=3)\nw = m.wv.vocab['a']\n"
    source += "print(m.vector_size, m.index2word, w.index, w.count, len(m.vocab), 'b' in m.vocab)\n"
    assert shown(tmp_path, source) == ("3 ['a'] 0 acount 1 False\n", "")


def test_arguments_of_contrib_data(tmp_path):
    source = (
        "import tensorflow as tf\nc = [tf.constant([1, 2]), tf.constant([0.5, 1.0])]\n"
        "d = tf.contrib.data.Dataset.from_tensor_slices(c)\n"
        "d = d.map(lambda a, b: a, num_threads=2, output_buffer_size=3)\n"
        "print(tf.Session().run(d.make_one_shot_iterator().get_next()))\n"
    )
    assert shown(tmp_path, source)[0] == "1\n"


def test_unknown_names_and_syntax_errors_still_fail(tmp_path):
    assert shown(tmp_path, "x = (1,\n")[1].endswith("\nSyntaxError: '(' was never closed\n")
    out, _ = shown(
        tmp_path,
        "import collections, numpy as np\n"
        "for module, name in ((np, 'nothing'), (collections, 'Nothing')):\n"
        "    try: getattr(module, name)\n"
        "    except AttributeError as error: print(error)\n"
        "try: from sklearn.cross_validation import Nothing\n"
        "except ImportError as error: print(error.name)\n"
        "try: import scipy.nothing\n"
        "except ImportError as error: print(error)\n",
    )
    assert out.splitlines() == [
        "module 'numpy' has no attribute 'nothing'",
        "module 'collections' has no attribute 'Nothing'",
        "sklearn.cross_validation",
        "No module named 'scipy.nothing'",
    ]


@pytest.mark.parametrize("line", ["import numpy; numpy.int", "from scipy.misc import imread"])
def test_strict_mode_and_plain_python_lack_removed_names(tmp_path, line):
    _, err = shown(tmp_path, f"{line}\n", "--strict")
    assert "Error" in err
    process = start(["-c", f"import tfmini\n{line}"], tmp_path)
    assert "Error" in process.stderr


def module_of_the_tables(name):
    """A module; None if it needs pandas or Tk and these are missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in (
            "gensim",
            "networkx",
            "pandas",
            "tkinter",
        ) or importlib.util.find_spec(error.name):
            raise
        return None


def test_table_entries_exist():
    for names in removed_names.NAMES.values():
        for new in names.values():
            home, _, name = new.rpartition(".")
            module = module_of_the_tables(home)
            assert module is None or hasattr(module, name), new
    for name in set(removed_names.MODULES.values()) - {"six"}:
        module_of_the_tables(name)


PYTHON_2 = ["print 'loss', 3", "raise ValueError, 'bad'"]
if sys.version_info < (3, 14):  # it is mistaken for two classes
    PYTHON_2.append("try: pass\nexcept ValueError, error: pass")


@pytest.mark.parametrize("source", PYTHON_2)
@pytest.mark.parametrize("imported", [False, True])
def test_python2_syntax_is_recognized(tmp_path, source, imported):
    if imported:
        (tmp_path / "older.py").write_text(f"{source}\n")
        source = "import older"
    _, err = shown(tmp_path, f"{source}\n", "--strict")
    last = err.splitlines()[-1]
    assert last.startswith("SyntaxError: ")
    assert "this is Python 2: `pip install 'tfmini-runtime[python2]'` lets tfmini run" in last


LATE = """\
import multiprocessing, unittest, urllib, xml
print(urllib.request.urlopen.__name__, urllib.parse.quote("a b"), unittest.mock.Mock.__name__)
print(multiprocessing.pool.Pool.__name__, hasattr(urllib, "nothing"), hasattr(xml, "etree"))
"""


def test_modules_imported_by_tensorflow(tmp_path):
    out, err = shown(tmp_path, LATE)
    assert out == "urlopen a%20b Mock\nPool False False\n" and err == ""
    assert "no attribute" in shown(tmp_path, "import urllib\nurllib.request\n", "--strict")[1]
