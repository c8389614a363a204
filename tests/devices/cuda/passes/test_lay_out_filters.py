"""lay_out_filters, turn_filter_gradients: one launch converts filters to cuDNN's layout, another converts gradients
back.
"""

from dataclasses import replace

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import compare, gpus_with_graphs, session_on_gpu  # noqa: F401
from tfmini._src.devices.cuda.cudnn import convolution
from tfmini._src.devices.cuda.cudnn.algorithm_choice import Choices
from tfmini._src.devices.cuda.cudnn.convolution import FORWARD, INPUT_GRADIENT

pytestmark = pytest.mark.usefixtures("gpus_with_graphs")


def randn(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype("f")


def filters(*shapes):
    return [tf.get_variable(f"w{n}", initializer=randn(*s, seed=n)) for n, s in enumerate(shapes)]


SHAPES = (3, 3, 2, 4), (1, 1, 4, 4), (3, 3, 4, 3)


def network(x, kernels, data_format="NHWC"):
    for kernel in kernels:
        x = tf.nn.relu(tf.nn.conv2d(x, kernel, strides=1, padding="SAME", data_format=data_format))
    return x


def trained(session, steps=5, optimizer=tf.train.MomentumOptimizer, **options):
    x = tf.placeholder(tf.float32, [None, 6, 5, 2])
    loss = tf.reduce_sum(tf.square(network(x, filters(*SHAPES), **options)))
    step = optimizer(1e-4, 0.9).minimize(loss)
    session.run(tf.global_variables_initializer())
    losses = [session.run([loss, step], {x: randn(2, 6, 5, 2)})[0] for _ in range(steps)]
    return [losses, *session.run(tf.trainable_variables())]


def on_cpu(program):
    config = tf.ConfigProto(device_count={"GPU": 0})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        return program(session)


def launches_of(program, **options):
    """The result of `program(session)`, and all its launches by name."""
    with session_on_gpu(**options) as (session, machine):
        machine.counters.reset()
        return program(session), dict(machine.counters.launch_names)


def assert_close(got, expected):
    for value, other in zip(got, expected):
        np.testing.assert_allclose(value, other, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("first", [(), (INPUT_GRADIENT,), (FORWARD,)])
def test_filters_are_transposed_once_per_step(monkeypatch, first):
    """Even if only one direction is fastest with channels first."""
    copied = []

    def measured(choices, node, _):
        return choices._heuristic_choice(replace(node, channels_first=node.direction in first))

    def filters_for(filter, channels_first):
        array = filters_before(filter, channels_first)
        copied.append(array.data.ptr != filter.data.ptr)
        return array

    filters_before = convolution.to_cudnn_filter
    monkeypatch.setattr(convolution, "to_cudnn_filter", filters_for)
    monkeypatch.setattr(Choices, "_measured_choice", measured)
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    names = {steps: launches_of(lambda s, n=steps: trained(s, n))[1] for steps in (3, 5)}
    more = {name: count - names[3].get(name, 0) for name, count in names[5].items()}
    assert more["turn_4"] == 2 * 2  # all filters, all gradients
    assert more["cudnnConvolutionForward"] == more["cudnnConvolutionBackwardFilter"] == 2 * 3
    assert more["cudnnConvolutionBackwardData"] == 2 * 2
    assert not any(copied[-2 * (3 + 2) :])
    assert first or not more.get("copy")  # images with few channels are copied by CuPy


def test_captured_training_matches_cpu(monkeypatch):
    assert_close(compare(monkeypatch, trained, replays=2), on_cpu(trained))


def test_no_transposes_without_cudnn():
    got, names = launches_of(trained, cudnn=lambda: None)
    assert not any(name.startswith(("turn", "cudnn")) for name in names)
    assert_close(got, on_cpu(trained))


def test_fetched_gradients_keep_tensorflow_layout():
    """They are clipped before the update."""

    def clipped(session):
        x, kernels = tf.placeholder(tf.float32, [2, 6, 5, 2]), filters(*SHAPES)
        gradients = tf.gradients(network(x, kernels), kernels)
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        step = tf.train.GradientDescentOptimizer(0.1).apply_gradients(zip(gradients, kernels))
        session.run(tf.global_variables_initializer())
        fetched = [session.run([norm, step], {x: randn(2, 6, 5, 2)})[0] for _ in range(3)]
        return [fetched, *session.run(kernels)]

    assert_close(launches_of(clipped)[0], on_cpu(clipped))


@pytest.mark.parametrize("resource", [False, True])
def test_filter_updated_between_convolutions(resource):
    """A read after a variable's update is not moved: the second convolution uses the updated filter."""

    def program(session):
        x = tf.placeholder(tf.float32, [2, 6, 5, 2])
        kernel, other = (
            tf.get_variable(name, initializer=randn(3, 3, 2, 2, seed=n), use_resource=resource)
            for n, name in enumerate(("a", "b"))
        )
        y = tf.nn.conv2d(x, kernel, strides=1, padding="SAME")
        with tf.control_dependencies([y]):
            change = other.assign_add(tf.ones([3, 3, 2, 2]))
        with tf.control_dependencies([change]):
            z = tf.nn.conv2d(y, other.read_value(), strides=1, padding="SAME")
        gradient = tf.gradients(z, x)[0]
        session.run(tf.global_variables_initializer())
        return [session.run([y, z, gradient], {x: randn(2, 6, 5, 2)}) for _ in range(4)][-1]

    assert_close(launches_of(program)[0], on_cpu(program))


def test_channels_first():
    def program(session, first):
        turn = (lambda x: tf.transpose(x, [0, 3, 1, 2])) if first else tf.identity
        x, kernels = tf.placeholder(tf.float32, [2, 6, 5, 2]), filters(*SHAPES)
        y = network(turn(x), kernels, "NCHW" if first else "NHWC")
        step = tf.train.GradientDescentOptimizer(1e-3).minimize(tf.reduce_sum(y * y))
        session.run(tf.global_variables_initializer())
        for _ in range(4):
            session.run(step, {x: randn(2, 6, 5, 2)})
        return session.run(kernels)

    got, names = launches_of(lambda session: program(session, True))
    assert names["turn_4"]
    assert_close(got, on_cpu(lambda session: program(session, False)))


def test_filters_in_branches_and_loops():
    def program(session):
        x, kernels = tf.placeholder(tf.float32, [2, 6, 5, 2]), filters((3, 3, 2, 2), (2, 2, 2, 2))
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: network(x, kernels), lambda: x)
        _, z = tf.while_loop(lambda n, _: n < 3, lambda n, z: (n + 1, network(z, kernels)), [0, y])
        gradients = tf.gradients(z, [x, *kernels])
        session.run(tf.global_variables_initializer())
        feeds = [{x: sign * np.abs(randn(2, 6, 5, 2))} for sign in (1, -1, 1, -1)]
        return [value for feed in feeds for value in session.run([z, *gradients], feed)]

    assert_close(launches_of(program)[0], on_cpu(program))
