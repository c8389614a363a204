"""Row T22: asynchronous training by two parameter servers and two workers, four processes of one script."""

import re

import numpy as np
import pytest

import tfmini as tf
from tests.conformance.seeds.cluster_programs import asynchronous, servers_here

PLACED = (
    "[('bias', '/job:ps/task:1'), ('global_step', '/job:ps/task:0'), ('weights', '/job:ps/task:0')]"
)


def check(outputs):
    for text in outputs:
        steps, own, loss = re.search(r"steps (\d+) own (\d+) loss (\S+)", text).groups()
        assert int(steps) >= 60 and int(own) >= 5 and float(loss) < 1.0
        assert PLACED in text
    assert "saved True" in outputs[0]


def test_four_processes(tmp_path):
    check(asynchronous(tmp_path))


@pytest.mark.reference
@pytest.mark.parametrize("side", ["servers", "workers"])
def test_with_tensorflow(tmp_path, reference, side):
    check(asynchronous(tmp_path, **{side: reference}))


def test_in_graph_replication_averages_worker_gradients():
    """In-graph replication: the mean of the workers' gradients is applied on the parameter server."""
    features = np.random.RandomState(0).rand(8, 4).astype(np.float32)
    expected, wanted = np.zeros([4, 1]), [[1], [2], [3], [4]]
    with servers_here({"ps": 1, "worker": 2}) as servers, tf.Graph().as_default():
        with tf.device("/job:ps/task:0"):
            weights = tf.Variable(tf.zeros([4, 1]))
            optimizer = tf.train.GradientDescentOptimizer(0.5)
        x = tf.placeholder(tf.float32, [8, 4])
        towers = []
        for index, part in enumerate(tf.split(x, 2)):
            with tf.device(f"/job:worker/task:{index}"):
                loss = tf.reduce_mean(
                    tf.square(
                        tf.matmul(part, weights) - tf.matmul(part, tf.constant(wanted, tf.float32))
                    )
                )
                towers.append(optimizer.compute_gradients(loss)[0][0])
        with tf.device("/job:ps/task:0"):
            train = optimizer.apply_gradients([(tf.add_n(towers) / 2.0, weights)])
        with tf.Session(servers["worker", 0].target) as session:
            session.run(tf.global_variables_initializer())
            for _ in range(5):
                session.run(train, {x: features})
                expected -= 0.5 * features.T @ (features @ expected - features @ wanted) * 2 / 8
            np.testing.assert_allclose(session.run(weights), expected, rtol=1e-4)
