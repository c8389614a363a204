"""Interoperation of tfmini and TensorFlow 1.15.5: clients on each other's servers, and mixed clusters."""

import json

import pytest

from tests.cluster.tasks import cluster_of, run_program

PROGRAM = """
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if sys.argv[1] == "tensorflow":
    import tensorflow as tf
else:
    import tfmini as tf
tf.logging.set_verbosity(tf.logging.ERROR)
import numpy as np
with tf.device(sys.argv[3] if len(sys.argv) > 3 else None):
    kept = tf.Variable(tf.ones([3, 2]), name="kept")
    texts = tf.string_join([tf.constant(["a", "b"]), tf.constant(["c", "d"])])
    shared = tf.get_variable("shared", [2], use_resource=True, initializer=tf.zeros_initializer())
with tf.device(sys.argv[4] if len(sys.argv) > 4 else None):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    loss = tf.reduce_mean(tf.square(tf.matmul(x, kept) + shared - 1.0))
    train = tf.train.AdamOptimizer(0.1).minimize(loss)
    here = tf.identity(texts)
    side = tf.cond(loss > -1.0, lambda: tf.reduce_sum(kept) * 0.0, lambda: tf.reduce_sum(shared))
    bad = tf.check_numerics(tf.reduce_sum(kept) / 0.0, "bad", name="bad")
with tf.Session(sys.argv[2]) as session:
    session.run(tf.global_variables_initializer())
    losses = [session.run([loss, train], {x: np.eye(3)})[0] for _ in range(30)]
    found = {"loss": [float(losses[0]), float(losses[-1])]}
    found["texts"] = [text.decode() for text in session.run(here)]
    found["side"] = float(session.run(side, {x: np.eye(3)}))
    run = session.make_callable(loss, [x])
    found["same"] = abs(float(run(np.eye(3))) - float(session.run(loss, {x: np.eye(3)}))) < 1e-6
    try:
        session.run(bad)
    except tf.errors.InvalidArgumentError as error:
        found["error"] = "bad : Tensor had Inf values" in error.message and error.op.name
    try:
        never = tf.FIFOQueue(1, [tf.float32]).dequeue()
        session.run(never, options=tf.RunOptions(timeout_in_ms=300))
    except tf.errors.DeadlineExceededError:
        found["late"] = True
    found["devices"] = len([d for d in session.list_devices() if "XLA" not in d.name])
print(json.dumps(found))
"""


def check(text, devices):
    actual = json.loads(text.splitlines()[-1])
    first, last = actual.pop("loss")
    assert first == 0.0 or last < first
    assert last < 0.01
    expected = {"texts": ["ac", "bd"], "side": 0.0, "same": True, "error": "bad", "late": True}
    assert actual == {**expected, "devices": devices}


@pytest.mark.reference
@pytest.mark.parametrize("client", ["tensorflow", "tfmini"])
@pytest.mark.parametrize("server", ["tensorflow", "tfmini"])
def test_mixed_client_and_server(reference, client, server):
    references = [("worker", 0)] if server == "tensorflow" else []
    with cluster_of({"worker": 1}, references, reference) as tasks:
        python = reference if client == "tensorflow" else None
        check(run_program(PROGRAM, client, tasks["worker", 0].target, python=python), 1)


@pytest.mark.reference
@pytest.mark.parametrize("client", ["tensorflow", "tfmini"])
@pytest.mark.parametrize("theirs", [("ps", 0), ("worker", 0)], ids=["ps", "worker"])
def test_mixed_tasks(reference, client, theirs):
    with cluster_of({"ps": 1, "worker": 1}, [theirs], reference) as tasks:
        python = reference if client == "tensorflow" else None
        devices = ["/job:ps/task:0", "/job:worker/task:0"]
        target = tasks["worker", 0].target
        check(run_program(PROGRAM, client, target, *devices, python=python), 2)
