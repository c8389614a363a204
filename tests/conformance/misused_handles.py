"""TensorFlow's errors for handles of wrong kinds: their stage and class, "ok" without one.

RECORD has them by op, answer and misuse, except for misuses that crash TensorFlow.
`python -m tests.conformance.misused_handles FOLDER`, in TensorFlow's Python, answers the pickled misuses there.
"""

import json
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

from tests.support import goldens

RECORD = goldens.golden_path("misused_handles.json.xz")


def answer(tf, graph_def, steps, wait):
    """A library's outcome for one misuse, and its error."""
    moment = "build"
    try:
        config = tf.ConfigProto(operation_timeout_in_ms=wait)
        with tf.Graph().as_default(), tf.Session(config=config) as session:
            tf.import_graph_def(tf.GraphDef.FromString(graph_def), name="")
            moment = "run"
            for step in steps:
                session.run(step)
    except Exception as error:  # any class: the class is compared
        return f"{moment} {type(error).__name__}", error
    return "ok", None


def recorded():
    """The recorded outcomes by op and misuse."""
    found = goldens.read(RECORD)
    return {
        op: {what: said for said, misuses in answers.items() for what in misuses}
        for op, answers in found.items()
    }


def write(reference, misuses):
    """Records TensorFlow's outcomes for misuses: by op, rows of a description, a GraphDef's bytes and steps."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "misuses").write_bytes(pickle.dumps(misuses, protocol=4))
        command = [reference, "-W", "ignore", "-m", "tests.conformance.misused_handles", folder]
        subprocess.run(command, check=True, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
        lines = pathlib.Path(folder, "answers").read_text().splitlines()
    found = {}
    for op, what, said in map(json.loads, lines):
        if said == "build NotFoundError":  # the op's package is not loaded
            continue
        found.setdefault(op, {}).setdefault(said, []).append(what)
    goldens.write(RECORD, found, sort_keys=True)


def answer_all(folder):
    """Runs in TensorFlow's Python: a child answers until a misuse crashes it, another one continues after it."""
    import tensorflow as tf  # noqa: PLC0415

    rows = pickle.loads(pathlib.Path(folder, "misuses").read_bytes())
    rows = [(op, *row) for op, several in rows.items() for row in several]
    begin = 0
    while begin < len(rows):
        reading, writing = os.pipe()
        if not os.fork():
            with os.fdopen(writing, "w") as pipe:
                for op, what, graph_def, steps in rows[begin:]:
                    said, _ = answer(tf, graph_def, steps, 400)
                    pipe.write(json.dumps([op, what, said]) + "\n")
                    pipe.flush()
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as pipe, open(os.path.join(folder, "answers"), "a") as out:
            lines = pipe.readlines()
            out.writelines(lines)
        os.wait()
        begin += len(lines) + 1


if __name__ == "__main__":
    answer_all(sys.argv[1])
