"""One-line programs, a table per package: their results or errors and nodes, compared with TensorFlow 1.15.5's.

A table is a function `programs(tf)` of a file here, whose name begins with the package's. It returns programs by name:
functions without arguments, whose tensors a session runs. They run in a folder with FILE, which contains lines of
comma-separated numbers.
"""

import functools
import importlib
import json
import math
import os
import pathlib
import random
import re
import zlib

import numpy as np

from tests.support import goldens, recorded
from tests.support.programs import comparing, recording, traced_names
from tests.support.programs.wording import of_any_python

FILE, TEXT = "f.csv", "a,b,c\n1,2,3\n4,5,6\n"
RECORD = goldens.golden_path("short_programs.json.xz")
TOLERANCE = 1e-5
IN_NO_ORDER = "VarIsInitializedOp"  # Keras requests a set
OF_DTYPE = {"<f2": 200, "<V2": 1000}  # float16, bfloat16: times TOLERANCE


def table(package, tf):
    return importlib.import_module("tests.conformance.short_programs." + package).programs(tf)


def rows(text, **names):
    """Programs by their text: one per line, or one for each text after ` | `, which replaces `?`. A line that starts
    with `|`, or follows a backslash, continues the previous one."""
    names["built"] = built
    return {program: functools.partial(eval, program, names) for program in _written_out(text)}


def table_of(file):
    """The text of a table: the .txt file with the name of the given file."""
    return pathlib.Path(file).with_suffix(".txt").read_text(encoding="utf-8")


def built(given):
    """A description of results that are built but not run, since they would block."""
    return [built(each) for each in given] if isinstance(given, (list, tuple)) else str(given)


@functools.lru_cache(None)
def _written_out(text):
    found = []
    text = re.sub(r"\n\s*\|", " |", re.sub(r"\\\n\s*", "", text))
    for line in filter(None, map(str.strip, text.splitlines())):
        form, *options = line.split(" | ")
        found += [form.replace("?", option.strip()).strip() for option in options] or [form]
    return found


def answer(tf, package, name):
    """The outcome of a program: its results as lists, numbers and strings, and graph checksums; or its error's class
    and first line."""
    kept = tf.keras.utils.custom_object_scope({})  # discards registrations of the program
    with kept, tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        np.random.seed(1)  # Keras draws seeds from it
        random.seed(1)
        try:
            given = table(package, tf)[name]()
            if _has_tensors(tf, given):
                with tf.Session() as session:
                    session.run(
                        [
                            tf.global_variables_initializer(),
                            tf.local_variables_initializer(),
                            tf.tables_initializer(),
                        ]
                    )
                    given = session.run(given)
        except Exception as error:  # any class: the class is compared
            text = getattr(error, "message", None) or str(error)
            return {"error": type(error).__name__, "text": plain(text.split("\n")[0])}
        return {"value": described(given), **sums(graph)}


def graph_lines(graph, unordered=IN_NO_ORDER):
    """The graph of a program as lines: nodes with all attrs, output shapes, collections."""
    definition = graph.as_graph_def()
    traced_names.normalize(definition)
    functions = sorted(definition.library.function, key=lambda function: function.signature.name)
    operations = [op for op in graph.get_operations() if not op.name.startswith(unordered)]
    nodes = [node for node in definition.node if not node.name.startswith(unordered)]
    return {
        "nodes": _rows(nodes),
        "functions": [line for f in functions for line in [f.signature.name, *_rows(f.node_def)]],
        "shapes": [" ".join([op.name, *map(recording.signature, op.outputs)]) for op in operations],
        "collections": [f"{k} {v}" for k, v in recording.collection_items(graph).items() if v],
    }


def _rows(nodes):
    return [f"{name} {row}" for name, row in comparing.describe_nodes(nodes).items()]


def sums(graph, unordered=IN_NO_ORDER):
    """The number of `graph_lines` of each kind, and the checksum of their text."""
    made = graph_lines(graph, unordered)
    return {k: [len(v), zlib.crc32(plain("\n".join(v)).encode())] for k, v in made.items() if v}


def _has_tensors(tf, given):
    kinds = (tf.Tensor, tf.SparseTensor, tf.IndexedSlices, tf.Variable, tf.Operation)
    if isinstance(given, (list, tuple)):
        return any(_has_tensors(tf, each) for each in given)
    if isinstance(given, dict):
        return any(_has_tensors(tf, each) for each in given.values())
    return isinstance(given, kinds)


def plain(text):
    """A text without memory addresses, random parts, either implementation's module names, and notes that a node failed
    because of another."""
    text = text.replace("[_Derived_]", "")
    text = re.sub(  # in the wording of Python before 3.12
        r"without an implementation for abstract methods ([\w', ]+)",
        lambda found: "with abstract methods " + found[1].replace("'", ""),
        text,
    )
    # Separately: a pattern that begins with a letter is searched for in a tenth of the time.
    text = re.sub(r"0x[0-9a-f]{6,}", "ADDRESS", text)
    text = re.sub(r"id=\d+", "id=ADDRESS", text)
    text = re.sub(r"_temp_[0-9a-f]{32}", "ADDRESS", text)
    if re.search(r"-[0-9a-f]{4}-[0-9a-f]{4}-", text):
        text = re.sub(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "ADDRESS", text)
    if "tensorflow" in text or "tfmini" in text:
        text = re.sub(r"\b(?:tensorflow|tfmini)(?:\.\w+)*\.(?=\w)", "", text)
    return text


def described(value):
    if isinstance(value, dict):
        return {str(key): described(value[key]) for key in value}
    if isinstance(value, (list, tuple)):
        return [described(each) for each in value]
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype == object or array.dtype.kind in "SU":
            items = [i if isinstance(i, str) else bytes(i).decode("latin1") for i in array.ravel()]
            return {"shape": list(array.shape), "strings": items}
        if array.dtype.kind == "c":
            array = np.stack([array.real, array.imag], -1)
        numbers = (
            array[array.dtype.names[0]] if array.dtype.names else array
        )  # for quantized dtypes
        return {
            "dtype": array.dtype.str,
            "shape": list(array.shape),
            "numbers": numbers.ravel().tolist(),
        }
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin1")}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return plain(str(value))


def records(tf, packages):
    """TensorFlow's outcomes, for `ci/record short_programs`."""
    return {
        package: {name: answer(tf, package, name) for name in table(package, tf)}
        for package in packages
    }


def packages():
    """The names of the tables."""
    return sorted(p.stem for p in pathlib.Path(__file__).parent.glob("[a-z]*.py"))


@functools.lru_cache(None)
def _recorded():
    return goldens.read(RECORD)


@functools.lru_cache(None)
def _names():
    """The names of the programs of each table; processes that only collect tests do not keep the outcomes."""
    return {table: list(programs) for table, programs in goldens.read(RECORD).items()}


def programs(package):
    """The programs of a package by table."""
    return {table: names for table, names in _names().items() if table.split("_")[0] == package}


def cases(package):
    """The programs of a package by table, each as "TABLE PROGRAM"."""
    return {
        table: [f"{table} {name}" for name in names] for table, names in programs(package).items()
    }


def check(tf, case):
    """Fails unless the outcome of a program, given as "TABLE PROGRAM", equals the recording."""
    package, _, name = case.partition(" ")
    wanted = _recorded()[package][name]
    found = json.loads(json.dumps(answer(tf, package, name)))
    graph = f"its graph: python -m tests.conformance.short_programs {package} {name}, with either Python"
    recorded.same(found, wanted, graph, same)


def same(found, wanted, tolerance=TOLERANCE):
    """Whether two outcomes agree: floats within a tolerance relative to the maximum, or to 1."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        tolerance *= _scale(wanted)
        return found.keys() == wanted.keys() and all(
            same(found[key], wanted[key], tolerance) for key in wanted
        )
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(
            same(*pair, tolerance) for pair in zip(found, wanted)
        )
    if isinstance(wanted, float) and isinstance(found, float):
        are_nan = math.isnan(found) and math.isnan(wanted)
        return are_nan or math.isclose(found, wanted, rel_tol=TOLERANCE, abs_tol=tolerance)
    if isinstance(wanted, str) and isinstance(found, str) and found != wanted:
        return of_any_python(found) == of_any_python(wanted)
    return type(found) is type(wanted) and found == wanted


def _scale(answer):
    """The factor of an array's tolerance, by its size, and for half precision."""
    if not isinstance(answer.get("dtype"), str):
        return 1
    finite = [abs(each) for each in answer.get("numbers", ()) if math.isfinite(each)]
    return max([1, *finite]) * OF_DTYPE.get(answer["dtype"], 1)


def in_folder(folder):
    """Creates FILE in a folder and changes to it."""
    os.chdir(str(folder))
    pathlib.Path(FILE).write_text(TEXT)
