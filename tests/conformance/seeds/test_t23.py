"""Row T23: synchronous training by SyncReplicasOptimizer over a parameter server and two workers."""

import re

import pytest

import tfmini as tf
from tests.conformance.seeds.cluster_programs import servers_here, synchronous


def check(outputs):
    result = [re.search(r"step (\d+) own (\d+) loss (\S+)", text).groups() for text in outputs]
    assert max(int(step) for step, _, _ in result) >= 19
    assert all(int(own) > 0 and float(loss) < 1.0 for _, own, loss in result)


def test_three_processes(tmp_path):
    check(synchronous(tmp_path))


@pytest.mark.reference
@pytest.mark.parametrize("side", ["servers", "workers"])
def test_with_tensorflow(tmp_path, reference, side):
    check(synchronous(tmp_path, **{side: reference}))


def test_tokens_and_chief_queue_runner():
    """Without a hook: the chief inserts the first tokens and starts the runner, which averages and issues new ones."""
    with servers_here({"local": 1}) as servers, tf.Graph().as_default():
        weight = tf.Variable(4.0)
        step = tf.train.get_or_create_global_step()
        optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.25), 1, 1)
        train = optimizer.minimize(tf.square(weight), global_step=step)
        runner, tokens = optimizer.get_chief_queue_runner(), optimizer.get_init_tokens_op()
        with tf.Session(servers["local", 0].target) as session:
            session.run(tf.global_variables_initializer())
            session.run(optimizer.chief_init_op)
            coordinator = tf.train.Coordinator()
            runner.create_threads(session, coordinator, daemon=True, start=True)
            session.run(tokens)
            for _ in range(3):
                session.run(train)  # waits for a token, issued after the last mean has been applied
            session.run(train)
            assert session.run(step) >= 3
            assert session.run(weight) <= 4.0 / 2**3
            coordinator.request_stop()
