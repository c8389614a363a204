"""Sample ops with inputs of another rank or length, empty or with other elements: TensorFlow's errors.

RECORD has for each op, by input and change, the error of a graph of constants and that of a fed step, or the
shapes of the results. `python -m tests.conformance.wrong_inputs FOLDER`, in TensorFlow's Python, answers the pickled
rows there.
"""

import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile

import numpy as np

from tests.support import goldens
from tests.support.oracles import sample_values

RECORD = goldens.golden_path("wrong_inputs.json.xz")


def of_other_shapes(value):
    """Arrays of invalid shapes for an input, by the kind of error."""
    found = {"deeper": value[np.newaxis]}
    if value.ndim:
        found["empty"] = value[:0]
        if len(value):
            found["shallower"] = value[0] if value.ndim > 1 else np.array(value[0], value.dtype)
            found["longer"] = np.concatenate([value, value[:1]])
    return found


def of_other_elements(value):
    """Arrays of the same shape with possibly invalid integers."""
    found = {}
    if value.dtype.kind == "i":
        found["negative"] = np.asarray(-1 - value, value.dtype)
        found["larger"] = np.asarray(value + 1, value.dtype)
        found["zeros"] = np.zeros_like(value)
        if value.size > 1:  # preserves the sum; the last one is negative
            found["moved"] = moved = value.copy()
            moved.flat[0] += moved.flat[-1] + 2
            moved.flat[-1] = -2
    return found


CHANGES = (of_other_shapes, of_other_elements)


def wrong(values, changes):
    """All values for each input and each change of it."""
    for number, value in enumerate(values):
        for what, changed in changes(value).items():
            yield f"{number} {what}", [*values[:number], changed, *values[number + 1 :]]


def said(tf, graph_def, placeholders, outputs, values):
    """A library's errors for a node, in a graph of constants and in a fed step."""
    return [_said(tf, graph_def, placeholders, outputs, values, known) for known in (True, False)]


def _said(tf, graph_def, placeholders, outputs, values, known):
    try:
        with tf.Graph().as_default() as graph:
            replaced = {}
            if known:
                replaced = {n: tf.constant(v) for n, v in zip(placeholders, values)}
            tf.import_graph_def(graph_def, input_map=replaced, name="")
            if known:
                return [str(graph.get_tensor_by_name(name).shape) for name in outputs]
            with tf.compat.v1.Session() as session:
                fed = {f"{n}:0": v for n, v in zip(placeholders, values)}
                results = session.run(outputs, fed)
            return [list(np.shape(value)) for value in results]
    except Exception as error:  # any class: the class is compared
        text = getattr(error, "message", None) or str(error)
        return f"{type(error).__name__}: {re.sub('0x[0-9a-f]+', 'ADDRESS', text.split(chr(10))[0])}"


def answer_all(folder):
    """Runs in TensorFlow's Python: each row and kind of change in a child process, which may crash; the elements after
    a crash run in another one."""
    import tensorflow as tf  # noqa: PLC0415

    tf.compat.v1.logging.set_verbosity("FATAL")
    for path in sorted(pathlib.Path(folder).glob("*.in")):
        for changes in CHANGES:
            is_down = True
            while is_down:
                child = os.fork()
                if not child:
                    _answer(tf, path, changes)
                    os._exit(0)
                ended = os.waitpid(child, 0)[1]
                is_down = os.WIFSIGNALED(ended) and changes is of_other_elements


def _answer(tf, path, changes):
    graph, placeholders, outputs, values = pickle.loads(path.read_bytes())
    graph_def = tf.compat.v1.GraphDef.FromString(graph)
    out = path.with_suffix(".out")
    found = json.loads(out.read_text()) if out.exists() else {}
    for what, changed in wrong([sample_values.unpack(value) for value in values], changes):
        if what not in found:
            out.write_text(json.dumps(dict(found, **{what: None})))  # if it does not return
            found[what] = said(tf, graph_def, placeholders, outputs, changed)
    out.write_text(json.dumps(found))


def recorded():
    """TensorFlow's recorded errors, by sample, input and change."""
    return goldens.read(RECORD)


def write(reference, rows):
    """Records TensorFlow's errors for rows by name."""
    with tempfile.TemporaryDirectory() as folder:
        names = sorted(rows)
        for number, name in enumerate(names):
            *graph, values = rows[name]
            row = *graph, [sample_values.pack(value) for value in values]
            pathlib.Path(folder, f"{number:05}.in").write_bytes(pickle.dumps(row, protocol=4))
        command = [reference, "-W", "ignore", "-m", "tests.conformance.wrong_inputs", folder]
        subprocess.run(command, check=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
        found = {
            names[int(path.stem)]: json.loads(path.read_text())
            for path in sorted(pathlib.Path(folder).glob("*.out"))
        }
    goldens.write(RECORD, found, sort_keys=True)


if __name__ == "__main__":
    answer_all(sys.argv[1])
