"""A process out of file descriptors: calls that need one raise ResourceExhaustedError, and later succeed."""

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, os, resource, sys
import numpy as np
import tfmini as tf

tf.logging.set_verbosity(tf.logging.FATAL)
folder = sys.argv[1]
text, prefix = os.path.join(folder, "text"), os.path.join(folder, "model")
with open(text, "w") as file:
    file.write("line")
variable = tf.get_variable("v", [3])
saver, session = tf.train.Saver(), tf.Session()
session.run(tf.global_variables_initializer())
saver.save(session, prefix)
files = tf.FIFOQueue(9, [tf.string], shapes=[[]])
session.run(files.enqueue_many([[text] * 9]))
dataset = tf.data.TextLineDataset(text).repeat()
fetches = {
    "read_file": tf.read_file(text),
    "reader": tf.TextLineReader().read(files).value,
    "dataset": tf.data.make_one_shot_iterator(dataset).get_next(),
    "map_fn": tf.map_fn(lambda x: x + 1, tf.ones([2])),
    "matmul": tf.matmul(tf.ones([2, 2]), tf.ones([2, 2])),
}
calls = {name: (lambda fetch=fetch: session.run(fetch)) for name, fetch in fetches.items()}
calls["restore"] = lambda: saver.restore(session, prefix)
calls["save"] = lambda: saver.save(session, prefix)
calls["name"] = lambda: tf.contrib.crf
calls["op"] = lambda: tf.raw_ops.Betainc
calls["server"] = lambda: tf.train.Server.create_local_server()
tf.train.Server.create_local_server, tf.contrib, tf.raw_ops


def outcome(call):
    try:
        call()
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["done", ""]


limit = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, limit[1]))
held = []
while not held or held[-1] is not None:
    try:
        held.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        held.append(None)
without = {name: outcome(call) for name, call in calls.items()}
for each in held[:-1]:
    os.close(each)
resource.setrlimit(resource.RLIMIT_NOFILE, limit)
print(json.dumps([without, {name: outcome(call) for name, call in calls.items()}]))
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    """The outcome of each call without descriptors, and afterwards."""
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(tmp_path_factory.mktemp("files"))]
    shown = subprocess.check_output(command, text=True, timeout=300)
    return json.loads(shown.splitlines()[-1])


def test_exhausted_descriptors_are_reported(outcomes):
    without, _ = outcomes
    assert without.pop("matmul") == ["done", ""]
    assert {kind for kind, _ in without.values()} == {"ResourceExhaustedError"}, without
    assert all("Too many open files" in text for _, text in without.values()), without
    assert "text; Too many open files\n\t [[node ReadFile (defined at" in without["read_file"][1]


def test_operations_recover_after_descriptors_are_freed(outcomes):
    _, after = outcomes
    assert {kind for kind, _ in after.values()} == {"done"}, after
