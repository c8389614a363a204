"""fuse_optimizer_updates: GPU optimizer updates fused into one launch, and the fallback."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.graph.opdef import raw

ON_CPU = {"device_count": {"GPU": 0}}


@pytest.fixture(autouse=True)
def gpu(gpu_environment):
    with fake_gpus(devices=2) as machine:
        yield machine


def variables(count, shape=(3,), dtype="f"):
    return [
        tf.get_variable(f"v{i}", initializer=np.full(shape, i + 1, dtype), use_resource=False)
        for i in range(count)
    ]


def descend(variable, rate=0.5, gradient=None):
    gradient = tf.ones_like(variable) if gradient is None else gradient
    return raw.ApplyGradientDescent(
        variable, tf.constant(rate, variable.dtype.base_dtype), gradient
    )


def updates_of(machine, fetches, feed=None):
    """The fetched values after initialization, and the number of update launches."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        machine.counters.reset()
        values = session.run(fetches, feed)
        names = machine.counters.launch_names
        return values, sum(n for name, n in names.items() if name.startswith("gradient_descent"))


def test_equal_updates_are_one_launch(gpu):
    values, count = updates_of(gpu, [descend(v) for v in variables(5)])
    assert count == 1
    np.testing.assert_array_equal(values, [np.full(3, i + 0.5) for i in range(5)])


def test_many_updates_are_split_across_launches(gpu):
    values, count = updates_of(gpu, [descend(v) for v in variables(70)])
    assert count == 2
    np.testing.assert_array_equal(values, [np.full(3, i + 0.5) for i in range(70)])


def test_different_dtypes_rates_and_devices_are_not_joined(gpu):
    first, second, third = variables(3)
    double = tf.get_variable("double", initializer=np.ones(2))
    with tf.device("/gpu:1"):
        other = tf.get_variable("other", initializer=np.ones(2, "f"))
        on_other = descend(other)
    fetches = [descend(first), descend(second, 0.25), descend(third), descend(double), on_other]
    values, count = updates_of(gpu, fetches)
    assert count == 4
    np.testing.assert_array_equal([v[0] for v in values], [0.5, 1.75, 2.5, 0.5, 0.5])


def test_float16_updates_are_not_joined(gpu):
    half = tf.get_variable("half", initializer=np.ones(2, np.float16))
    values, count = updates_of(gpu, descend(half))
    assert count == 0
    np.testing.assert_array_equal(values, [0.5, 0.5])


def test_dependent_update_runs_afterwards(gpu):
    """The second gradient is the first variable after its update."""
    first, second = variables(2)
    updated = descend(first)
    values, count = updates_of(gpu, [updated, descend(second, gradient=updated)])
    assert count == 2
    np.testing.assert_array_equal(values, [np.full(3, 0.5), np.full(3, 1.75)])


def test_control_dependent_update_runs_afterwards(gpu):
    first, second = variables(2)
    with tf.control_dependencies([descend(first)]):
        with tf.control_dependencies([tf.no_op()]):
            gradient = first.read_value()
    values, count = updates_of(gpu, [descend(second, gradient=gradient), first])
    assert count == 2
    np.testing.assert_array_equal(values, [np.full(3, 1.75), np.full(3, 0.5)])


def test_variable_updated_twice(gpu):
    (variable,) = variables(1)
    first = descend(variable)
    with tf.control_dependencies([first]):
        second = descend(variable, gradient=tf.ones(3))
    values, count = updates_of(gpu, second)
    assert count == 2
    np.testing.assert_array_equal(values, np.zeros(3))


def test_changing_learning_rate_splits_updates(gpu):
    """The updates read the learning rate before and after its assignment."""
    first, second = variables(2)
    rate = tf.get_variable("rate", initializer=np.float32(0.5))
    one = raw.ApplyGradientDescent(first, rate, tf.ones(3))
    with tf.control_dependencies([one]):
        changed = rate.assign(0.25)
    with tf.control_dependencies([changed]):
        two = raw.ApplyGradientDescent(second, rate, tf.ones(3))
    values, count = updates_of(gpu, [one, two])
    assert count == 2
    np.testing.assert_array_equal(values, [np.full(3, 0.5), np.full(3, 1.75)])


def test_variable_learning_rate_is_read_once(gpu):
    rate = tf.get_variable("rate", initializer=np.float32(0.5))
    fetches = [raw.ApplyGradientDescent(v, rate, tf.ones(3)) for v in variables(3)]
    values, count = updates_of(gpu, fetches)
    assert count == 1
    np.testing.assert_array_equal(values, [np.full(3, i + 0.5) for i in range(3)])


def test_updates_in_branches(gpu):
    first, second = variables(2)
    choice = tf.placeholder(tf.bool, [])
    steps = tf.cond(
        choice,
        lambda: tf.group(descend(first), descend(second)),
        lambda: tf.group(descend(first, 1.0)),
    )
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(steps, {choice: True})
        np.testing.assert_array_equal(session.run([first, second]), [[0.5] * 3, [1.5] * 3])
        session.run(steps, {choice: False})
        np.testing.assert_array_equal(session.run([first, second]), [[-0.5] * 3, [1.5] * 3])


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_uninitialized_variable_is_named(config):
    """The initialized variable may have been updated, as in TensorFlow."""
    first, second = variables(2)
    steps = [descend(first, gradient=tf.ones(3)), descend(second, gradient=tf.ones(3))]
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        session.run(first.initializer)
        with pytest.raises(tf.errors.FailedPreconditionError) as caught:
            session.run(steps)
    assert caught.value.message.startswith("Attempting to use uninitialized value v1\n\t [[node")
    assert "ApplyGradientDescent_1 (defined at" in caught.value.message


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_shape_mismatch_raises_op_error(config):
    gradient = tf.placeholder(tf.float32)
    steps = [descend(v, gradient=gradient) for v in variables(2)]
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"same shape\[3\] \[2\]"):
            session.run(steps, {gradient: [1.0, 2.0]})
        session.run(steps, {gradient: [1.0, 2.0, 3.0]})


@pytest.mark.parametrize("config", [{}, ON_CPU])
def test_non_scalar_rate_is_rejected(config):
    rate = tf.placeholder(tf.float32)
    step = raw.ApplyGradientDescent(variables(1)[0], rate, tf.ones(3))
    with tf.Session(config=tf.ConfigProto(**config)) as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"alpha is not a scalar: \[1\]"):
            session.run(step, {rate: [1.0]})


def test_transposed_gradient(gpu):
    (variable,) = variables(1, (2, 3))
    fetched = descend(
        variable, gradient=tf.transpose(tf.constant(np.arange(6.0).reshape(3, 2), tf.float32))
    )
    values, count = updates_of(gpu, fetched)
    assert count == 1
    np.testing.assert_array_equal(values, 1 - np.arange(6.0).reshape(3, 2).T / 2)


def test_partial_runs_update_as_feeds_arrive():
    first, second = variables(2)
    a, b = (tf.placeholder(tf.float32, [3], name) for name in "ab")
    one, two = descend(first, gradient=a), descend(second, gradient=b)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        handle = session.partial_run_setup([one, two], [a, b])
        np.testing.assert_array_equal(session.partial_run(handle, one, {a: np.ones(3)}), [0.5] * 3)
        np.testing.assert_array_equal(session.partial_run(handle, two, {b: np.ones(3)}), [1.5] * 3)
