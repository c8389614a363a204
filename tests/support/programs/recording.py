"""Builds and runs a program with either implementation, and records the results.

Runs under TensorFlow 1.15.5 on Python 3.7 (`ci/record`) and under tfmini, so that the two records can be compared
by `tests/support/programs/comparing.py`. A record is plain data:

    {"graph": bytes of the GraphDef, "outputs": {node: ["float32(2,?)", ...]},
     "collections": {key: [names]}, "facts": {label: value},
     "steps": [{"label": text, "value": value, "fetches": [names], "feeds": {name: value}}, ...]}

A step that is a function has no fetches and feeds: it cannot be rerun by name.

A program is a module of a family in `tests/conformance/recorded_programs` with `build(tf)`, which returns a dict
with

    steps    list of (label, fetches, feed_dict) or (label, function(session)), run in order
    facts    optional: plain values worth comparing (names, reprs, static shapes)
    config   optional: the session's ConfigProto

and optional module constants: SEED (the graph seed, 7 by default), TOLERANCE (relative, 1e-5 by default, for floats
in the steps) and REPLAYABLE (False: another process cannot run it).
"""

import functools
import importlib
import inspect
import os
import warnings

import numpy as np

from tests.support import goldens, packed_graph

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def names_in(folder):
    """Names of the Python modules below a folder of tests/."""
    return sorted(_modules_in(folder))


@functools.lru_cache(16)
def _modules_in(folder):
    """The modules below a folder of tests/, by their last name component."""
    results = {}
    for here, _, files in os.walk(os.path.join(HERE, folder)):
        package = os.path.relpath(here, os.path.dirname(HERE)).replace(os.sep, ".")
        for name in files:
            if name.endswith(".py") and not name.startswith(("_", "test_")):
                results[name[:-3]] = package + "." + name[:-3]
    return results


def load(name):
    return importlib.import_module(_modules_in("conformance/recorded_programs")[name])


def source(name):
    """A program's source text, without importing it: importing all programs takes a second and 10 MB."""
    module = _modules_in("conformance/recorded_programs")[name]
    path = os.path.join(os.path.dirname(HERE), *module.split(".")) + ".py"
    with open(path, encoding="utf-8") as file:
        return file.read()


def tolerance(name):
    return getattr(load(name), "TOLERANCE", 1e-5)


def tolerance_on_gpus(name):
    """The elementwise tolerance on a GPU, where large terms may cancel."""
    return getattr(load(name), "TOLERANCE_ON_CARDS", 1e-4)


def record(tf, name):
    """Builds the program in a new default graph, runs its steps, and returns the record."""
    program, built = build(tf, name)
    graph = tf.get_default_graph()
    result = {
        "graph": graph.as_graph_def().SerializeToString(deterministic=True),
        "outputs": {op.name: [signature(t) for t in op.outputs] for op in graph.get_operations()},
        "collections": collection_items(graph),
        "facts": {key: plain(value) for key, value in built.get("facts", {}).items()},
    }
    with session(tf, built) as sess:
        result["steps"] = [recorded(sess, *step) for step in built["steps"]]
    return result


def build(tf, name):
    """The program's module and the result of its `build`, in a new default graph."""
    program = load(name)
    tf.reset_default_graph()
    if getattr(program, "SEED", 7) is not None:
        tf.set_random_seed(getattr(program, "SEED", 7))
    with warnings.catch_warnings():
        # The seed above prevents a warning from dataset functions that draw random numbers without a seed.
        warnings.filterwarnings(
            "ignore", "Seed .* from outer graph might be getting used", UserWarning
        )
        return program, program.build(tf)


def session(tf, built):
    one_thread = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    return tf.Session(config=built.get("config") or one_thread)


def recorded(sess, label, fetches, feed=None):
    if inspect.isfunction(fetches):
        return {"label": label, "value": plain(fetches(sess))}
    row = {"label": label, "value": plain(sess.run(fetches, feed_dict=feed))}
    if not any(hasattr(key, "indices") for key in feed or {}):
        row["fetches"] = fetch_names(fetches)
        row["feeds"] = {fetch_names(key)[0]: feed_value(sess, key, feed[key]) for key in feed or {}}
    return row


def fetch_names(fetch):
    """Names of all fetches, in the order in which `leaves` finds their values."""
    if isinstance(fetch, str):
        return [fetch]
    if isinstance(fetch, dict):
        fetch = list(fetch.values())
    elif type(fetch).__name__ == "SparseTensor":
        fetch = [fetch.indices, fetch.values, fetch.dense_shape]
    elif hasattr(fetch, "indices"):
        fetch = [
            part for part in (fetch.values, fetch.indices, fetch.dense_shape) if part is not None
        ]
    if isinstance(fetch, (list, tuple)):
        return [name for part in fetch for name in fetch_names(part)]
    return [getattr(fetch, "_as_graph_element", lambda: fetch)().name]


def feed_value(sess, key, value):
    if isinstance(key, str):
        key = sess.graph.get_tensor_by_name(key)
    return plain(np.asarray(value, key.dtype.as_numpy_dtype))


def leaves(value):
    """The arrays and None's of a value encoded by `plain`, in order."""
    if isinstance(value, dict) and "dtype" not in value:
        kind, items = next(iter(value.items()))
        if kind == "bytes":
            return [value]
        items = [pair[1] for pair in items] if kind in ("dict", "fields") else items
        return [leaf for item in items for leaf in leaves(item)]
    return [value]


def signature(tensor):
    """Dtype and static shape as one word: "float32_ref(2,?)", or "int32 of any rank"."""
    shape = tensor.get_shape()
    if shape.ndims is None:
        return tensor.dtype.name + " of any rank"
    dims = ["?" if d is None else str(d) for d in shape.as_list()]
    return f"{tensor.dtype.name}({','.join(dims)})"


def collection_items(graph):
    """The named collections, each as an ordered list of item names."""
    keys = [key for key in graph.get_all_collection_keys() if isinstance(key, str)]
    return {
        key: [getattr(item, "name", None) or str(item) for item in graph.get_collection_ref(key)]
        for key in sorted(keys)
    }


def plain(value):
    """Encodes a value and its type for JSON without losing anything visible to users."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin1")}
    if isinstance(value, dict):
        return {"dict": [[plain(key), plain(item)] for key, item in value.items()]}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"fields": [[f, plain(getattr(value, f))] for f in value._fields]}
    if isinstance(value, tuple):
        return {"tuple": [plain(item) for item in value]}
    if isinstance(value, list):
        return {"list": [plain(item) for item in value]}
    if isinstance(value, (np.ndarray, np.generic)):
        return {
            "kind": "array" if isinstance(value, np.ndarray) else "scalar",
            "dtype": value.dtype.name,
            "shape": list(value.shape),
            "data": numerals(value),
        }
    raise TypeError(f"a golden program's step returned {value!r}")


def numerals(array):
    """The elements of an array in order; single-precision floats with the fewest digits that identify them."""
    if array.dtype == np.float32:
        return [float(str(item)) for item in array.ravel()]
    return [numeral(item) for item in array.ravel().tolist()]


def numeral(item):
    if isinstance(item, complex):
        return [item.real, item.imag]
    return {"bytes": item.decode("latin1")} if isinstance(item, bytes) else item


def recording_path(name):
    return goldens.golden_path("programs", name + ".json.xz")


def write(made, path, graph_class):
    """Writes a record, with `outputs` in the order of the graph's nodes."""
    graph = packed_graph.pack(graph_class.FromString(made["graph"]))
    outputs = [made["outputs"][name] for name in graph["names"]]
    assert len(outputs) == len(made["outputs"])
    rest = {key: made[key] for key in ("collections", "facts", "steps")}
    goldens.write(path, dict(graph=graph, outputs=outputs, **rest))


def read(path, graph_class=None):
    """Reads a record; without the GraphDef class, the graph stays in columns."""
    result = goldens.read(path)
    result["outputs"] = dict(zip(result["graph"]["names"], result["outputs"]))
    if graph_class is not None:
        graph = packed_graph.unpack(result["graph"], graph_class)
        result["graph"] = graph.SerializeToString(deterministic=True)
    return result
