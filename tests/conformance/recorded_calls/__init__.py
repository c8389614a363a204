"""Public functions called with the arguments of TensorFlow's own tests: outcomes recorded from TensorFlow 1.15.5.

A record is plain data: "f" the public name, or ".name" of a method and "o" its object, "a" and "k" the arguments, as
`decoding` reads them. The answer has the new nodes, and of each tensor the static shape, dtype and value; or the error.
`ci/record calls` writes both.
"""

import functools
import json
import os
import pathlib
import random
import re
import zlib

import numpy as np

from tests.conformance import short_programs
from tests.conformance.recorded_calls import decoding, scopes, ways
from tests.support import goldens

RECORD = goldens.golden_path("recorded_calls.json.xz")
# The modules that derive variations of the recorded calls.
VARIED = ("options", "inputs", "members", "ways", "pairs", "elements", "narrower", "scopes")
DIFFERENT = pathlib.Path(__file__).parent / "different.tsv"
LARGE = 60  # elements: larger arrays are compared by some of them and the mean
OF_A_DATASET = 8  # elements examined
MAX_VARIABLES = 12
WAITING = re.compile("^Placeholder(V2)?$|Dequeue|TakeGradient|TakeMany|Unstage|^ReaderRead|Peek")
READS = {"Variable", "VariableV2", "VarHandleOp", "ReadVariableOp"}
TIMEOUT = 60_000  # milliseconds, for a step that should not block
GROUP = 160  # calls


def answer(tf, record, timeout=TIMEOUT):
    """The outcome of a call in a separate graph: new nodes, results, or the error."""
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        np.random.seed(1)
        random.seed(1)
        try:
            function, arguments, named = function_of(tf, record)
            before = len(graph.get_operations())
            result = function(*arguments, **named)
            new = graph.get_operations()[before:]
            fetched = []
            found = {}
            if new:
                found["nodes"] = " ".join(op.type for op in new)
                found["graph"] = short_programs.sums(graph, ())
            found["gave"] = describe(tf, result, fetched)
            if _has_values(graph, new, fetched):
                steps = 2 if record.get("w") == "again" else 1
                found.update(_values(tf, graph, fetched, timeout, steps))
        except Exception as error:  # any class: the class is compared
            return {"error": type(error).__name__, "text": _first_line(error)}
    return found


def function_of(tf, record):
    """The function to call, its positional and its keyword arguments."""
    if "w" not in record:
        return decoding.called(tf, record)

    def call():
        function, arguments, named = decoding.called(tf, record)
        return function(*arguments, **named), (arguments, named)

    way = {**ways.WAYS, **scopes.WAYS}[record["w"]]
    return lambda: way(tf, call), (), {}


def _first_line(error):
    """The first line of an error's text; for errors from converted code, the line of the error itself."""
    lines = (getattr(error, "message", None) or str(error)).strip().split("\n")
    if lines[0] == "in converted code:":
        of_error = [line for line in lines if re.match(r"\s+\w+: ", line)] or lines[-1:]
        lines = [of_error[0].partition(": ")[2]]
    return short_programs.plain(lines[0])


def describe(tf, result, fetched):
    """A result without values; its tensors are added to those to fetch."""
    if isinstance(result, tf.Tensor) or isinstance(result, tf.Variable):
        # Bytes of a resource are process-specific.
        fetched.append(result.op if result.dtype in (tf.resource, tf.variant) else result)
        return f"{result.dtype.name} {result.shape}"
    if isinstance(result, tf.Operation):
        fetched.append(result)
        return "operation " + result.type
    if isinstance(result, (tf.SparseTensor, tf.IndexedSlices, tf.RaggedTensor)):
        fetched.append(result)
        return f"{type(result).__name__} {result.dtype.name}"
    if isinstance(result, tf.data.Dataset):
        shapes, types = tf.data.get_output_shapes(result), tf.data.get_output_types(result)
        elements = tf.data.make_one_shot_iterator(result).get_next()
        fetched.append(elements)
        return f"dataset {shapes} {types}"
    if isinstance(result, dict):
        return {str(key): describe(tf, result[key], fetched) for key in result}
    if isinstance(result, (list, tuple)):
        return [describe(tf, each, fetched) for each in result]
    if isinstance(result, (tf.DType, tf.TensorShape, tf.Dimension, float, np.ndarray, np.generic)):
        return _of_array(result)
    if result is None or isinstance(result, (bool, int, str, bytes)):
        return short_programs.described(result)
    return "an object"


def _of_array(value):
    """An array, abridged if large; other values in short form."""
    if isinstance(value, dict):
        return {str(key): _of_array(value[key]) for key in value}
    if isinstance(value, (list, tuple)):
        return [_of_array(each) for each in value]
    if isinstance(value, np.ndarray) and value.size > LARGE:
        some = value.ravel()[:: value.size // (LARGE // 2) + 1]
        mean = value.astype("f8").mean() if value.dtype.kind in "biuf" else None
        return {"of": list(value.shape), "mean": mean, "some": short_programs.described(some)}
    return short_programs.described(value)


def _has_values(graph, new, fetched):
    """Whether a session can run the results: nothing to feed, nothing that blocks."""
    return (fetched or new) and not any(WAITING.search(op.type) for op in graph.get_operations())


def _values(tf, graph, fetched, timeout, steps):
    """The values of tensors in the last step, then those of the graph's variables."""
    config = tf.ConfigProto(operation_timeout_in_ms=timeout)
    config.intra_op_parallelism_threads = config.inter_op_parallelism_threads = 1
    found = {}
    variables = tf.global_variables() + tf.local_variables()
    initializers = [
        op
        for op in graph.get_operations()
        if op.type.startswith("Assign") and op.name == op.inputs[0].op.name + "/Assign"
    ]
    initializers += graph.get_collection(tf.GraphKeys.TABLE_INITIALIZERS)
    if not fetched and not variables:
        return found
    in_sequence = initializers and fetched and _order_matters(tf, graph, fetched)
    with tf.Session(config=config) as session:
        if initializers:
            session.run(initializers)
        for _ in range(steps if fetched else 0):
            if in_sequence:
                found["values"] = [_of_array(session.run(each)) for each in fetched]
            else:
                found["values"] = _of_array(session.run(fetched))
        if variables:
            kept = variables[:MAX_VARIABLES]
            values = session.run(kept)
            found["variables"] = {v.name: _of_array(value) for v, value in zip(kept, values)}
    return found


def _order_matters(tf, graph, fetched):
    """Whether fetches in one step may differ from fetches in sequence: they need an op that has state or may write a
    reference.
    """
    elements = map(graph.as_graph_element, tf.nest.flatten(fetched, expand_composites=True))
    remaining = [getattr(each, "op", each) for each in elements]
    needed = set()
    while remaining:
        op = remaining.pop()
        if op in needed:
            continue
        if op.op_def.is_stateful and op.type not in READS:
            return True
        if op.type != "Identity" and any(each.dtype._is_ref_dtype for each in op.inputs):
            return True
        needed.add(op)
        remaining += [*(each.op for each in op.inputs), *op.control_inputs]
    return False


def key(record):
    """A short name of a record."""
    return f"{zlib.crc32(json.dumps(record, sort_keys=True).encode()):08x}"


def path_of(kind):
    """The file of outcomes of a module in `VARIED`."""
    return goldens.golden_path(f"recorded_{kind}.json.xz")


PATHS = RECORD, *map(path_of, VARIED)
GROUPS = goldens.golden_path("recorded_groups.json.xz")


def read(*paths):
    """Groups of calls by name: [(full name, record, outcome)]; from all files unless some are given."""
    found = {}
    for path in paths or PATHS:
        found.update(goldens.read(path))
    return found


@functools.lru_cache(maxsize=1)  # tests of one file run sequentially
def _text(path):
    return goldens.read_bytes(path).decode()


def read_group(path, group):
    """One group of a file: decoding all of them takes a hundred times as long, and 30 MB."""
    text, key = _text(path), json.dumps(group) + ":"
    return json.JSONDecoder().raw_decode(text, text.index(key + "[[") + len(key))[0]


def groups():
    """The file of each group, from a small index: the calls themselves take seconds to read."""
    listed = goldens.read(GROUPS)
    return {group: path for path in PATHS for group in listed[os.path.basename(path)]}


def write_groups():
    """Writes the index of groups for the current files."""
    goldens.write(GROUPS, {os.path.basename(path): [*goldens.read(path)] for path in PATHS})


def known_to_differ():
    """The keys of calls with known differences, each with the reason on its line."""
    lines = DIFFERENT.read_text().splitlines()
    return {line.split("\t")[0] for line in lines if not line.startswith("#")}


def differences(tf, record, wanted):
    """The differences between a call's outcome and the recorded one, as lines."""
    found = json.loads(json.dumps(answer(tf, record, timeout=0)))  # none: no thread for each step
    return [
        f"{part}: tfmini {_short(found.get(part))}, TensorFlow {_short(wanted.get(part))}"
        for part in sorted(set(found) | set(wanted))
        if not (part == "graph" and "graph" not in wanted)
        and not short_programs.same(found.get(part), wanted.get(part))
    ]


def _short(value):
    text = str(value)
    return text if len(text) < 400 else text[:400] + "..."
