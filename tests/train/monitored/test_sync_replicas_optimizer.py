"""Replicas as threads of one session: gradients are averaged, and all see the same steps."""

import threading
from functools import partial

import pytest

import tfmini as tf
from tests.support.waiting import no_thread_stays


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_two_replicas_step_together():
    step = tf.train.get_or_create_global_step()
    weight = tf.get_variable("weight", [], initializer=tf.zeros_initializer())
    x = tf.placeholder(tf.float32, [])
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 2)
    train = optimizer.minimize(-weight * x, global_step=step)
    hook = optimizer.make_session_run_hook(is_chief=True, num_tokens=0)
    # As in TensorFlow, the thread that applies gradients waits for more until the session is closed.
    opened = partial(tf.train.MonitoredSession, hooks=[hook], stop_grace_period_secs=0)
    with no_thread_stays(), opened() as session:
        # They share the local step here, so none may be a step ahead.
        together = threading.Barrier(2)

        def replica(value):
            for _ in range(5):
                together.wait()
                session.run(train, {x: value})

        threads = [threading.Thread(target=replica, args=(value,)) for value in (1.0, 3.0)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert session.run(step) == 5
        assert session.run(weight) == pytest.approx(10.0)  # the mean gradient is 2 per step


@pytest.mark.parametrize("is_chief", [True, False])
def test_hook_requires_initialized_variables(is_chief):
    weight = tf.get_variable("weight", [])
    step = tf.train.get_or_create_global_step()
    optimizer = tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(1.0), 1)
    optimizer.minimize(weight * 2.0, global_step=step)
    hook = optimizer.make_session_run_hook(is_chief)
    hook.begin()
    text = (
        "Init operations did not make model ready for SyncReplicasOptimizer local_init. Init op: "
    )
    with tf.Session() as session:
        with pytest.raises(RuntimeError, match=text + hook._init.name + ", error: .*weight"):
            hook.after_create_session(session, None)
