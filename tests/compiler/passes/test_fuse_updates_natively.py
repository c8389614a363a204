"""fuse_optimizer_updates on a CPU: several updates of one kind are a single call of the native library."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.compiler.passes import fuse_optimizer_updates
from tfmini._src.devices.host.native.library import library
from tfmini._src.devices.host.native.optimizers import update_functions
from tfmini._src.graph.opdef import raw

WITHOUT_GPUS = tf.ConfigProto(device_count={"GPU": 0})


@pytest.fixture
def calls(monkeypatch):
    """The number of variables in each call."""
    if library() is None:
        pytest.skip("the CPU's kernels are not built here")
    created = []

    def counted(kind, dtype):
        update = update_functions(kind, dtype)

        def call(variables, *rest):
            done = update(variables, *rest)
            if done:
                created.append(len(variables))
            return done

        return call if update is not None else None

    monkeypatch.setattr(fuse_optimizer_updates, "update_functions", counted)
    return created


def variables_of(*shapes, resource=False):
    return [
        tf.get_variable(f"v{i}", initializer=np.full(shape, i + 1, "f"), use_resource=resource)
        for i, shape in enumerate(shapes)
    ]


def session_of(fetches, feed=None):
    """A session with initialized variables, after one run of the fetches."""
    session = tf.Session(config=WITHOUT_GPUS)
    session.run(tf.global_variables_initializer())
    return session, session.run(fetches, feed)


@pytest.mark.parametrize("resource", [False, True])
def test_optimizer_updates_are_one_call(calls, resource):
    variables = variables_of((3,), (), (40, 50), (0, 2), resource=resource)
    loss = tf.add_n([tf.reduce_sum(v * v) for v in variables])
    step = tf.train.MomentumOptimizer(0.25, 0.5).minimize(loss)
    session, _ = session_of(step)
    with session:
        assert calls == [4]
        for i, value in enumerate(session.run(variables)):
            np.testing.assert_array_equal(value, np.full(value.shape, (i + 1) / 2))
        session.run(step)
        for value in session.run(variables):  # the gradient is x, plus half of the momentum
            np.testing.assert_array_equal(value, np.full(value.shape, 0))


def test_single_and_other_updates_are_not_joined(calls):
    one, two, three = variables_of((3,), (3,), (3,))
    fetches = [
        raw.ApplyGradientDescent(one, 0.5, tf.ones(3)),
        raw.ApplyGradientDescent(two, 0.25, tf.ones(3)),
        raw.ApplyProximalGradientDescent(three, 0.5, 0.0, 0.0, tf.ones(3)),
    ]
    session, values = session_of(fetches)
    session.close()
    assert not calls
    np.testing.assert_array_equal(values, [[0.5] * 3, [1.75] * 3, [2.5] * 3])


def test_updates_with_checked_scalars_are_joined_only_for_constants(calls):
    cells = variables_of(*[(3,)] * 4)
    rate = tf.constant(0.5)
    updates = [
        raw.ApplyProximalAdagrad(*pair, rate, 0.0, 0.0, tf.zeros(3))
        for pair in (cells[:2], cells[2:])
    ]
    session, _ = session_of(updates)
    with session:
        session.run(updates, {rate: 0.25})
        with pytest.raises(tf.errors.InvalidArgumentError, match="lr is not a positive scalar"):
            session.run(updates, {rate: -1.0})
    assert calls == [2]


def test_earlier_reads_are_not_overwritten(calls):
    first, second = variables_of((300,), (300,))
    read = tf.identity(first) * 1.0
    with tf.control_dependencies([read]):
        updates = [raw.ApplyGradientDescent(v, 0.5, tf.ones(300)) for v in (first, second)]
    session, (before, *after) = session_of([read, *updates])
    with session:
        assert calls == [2]
        np.testing.assert_array_equal(before, np.ones(300))
        np.testing.assert_array_equal(after, [np.full(300, 0.5), np.full(300, 1.5)])
        held = session.run(first)
        session.run(updates)
        np.testing.assert_array_equal(held, np.full(300, 0.5))


def test_failed_update_changes_no_variable(calls):
    first, second = variables_of((3,), (3,))
    gradient = tf.placeholder(tf.float32)
    updates = [raw.ApplyGradientDescent(v, 0.5, gradient) for v in (first, second)]
    session, _ = session_of([], None)
    with session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="do not have the same shape"):
            session.run(updates, {gradient: np.ones(4, "f")})
        np.testing.assert_array_equal(session.run(first), np.ones(3))
        session.run(updates, {gradient: np.ones(3, "f")})
        np.testing.assert_array_equal(session.run(second), np.full(3, 1.5))
    assert calls == [2]


def test_concurrent_steps_in_opposite_orders(calls):
    """Two threads update the same variables in opposite orders."""
    variables = variables_of(*[(70,)] * 4)
    steps = [
        tf.group(*(raw.ApplyGradientDescent(v, 1.0, tf.ones(70)) for v in order))
        for order in (variables, variables[::-1])
    ]
    session, _ = session_of([], None)
    with session:
        threads = [
            threading.Thread(target=lambda step=step: [session.run(step) for _ in range(100)])
            for step in steps
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
            assert not thread.is_alive()
        for i, value in enumerate(session.run(variables)):
            np.testing.assert_array_equal(value, np.full(70, i + 1 - 200))
