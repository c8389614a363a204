"""fuse_gpu_layers: a normalization with its epilogue takes two launches per direction, with the CPU's results."""

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import gpus_with_graphs, session_on_gpu  # noqa: F401

pytestmark = pytest.mark.usefixtures("gpus_with_graphs")


def randn(*shape, seed=0):
    return np.random.RandomState(seed).randn(*shape).astype("f")


def launched(make, **options):
    """Runs the (fetches, feeds) returned by `make()`; returns the values and launches of the second run."""
    with session_on_gpu(**options) as (session, machine):
        fetches, feeds = make()
        session.run(fetches, feeds)
        machine.counters.reset()
        return session.run(fetches, feeds), dict(machine.counters.launch_names)


def on_cpu(make):
    config = tf.ConfigProto(device_count={"GPU": 0})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        return session.run(*make())


FORWARD = {"batch_moments_f32", "batch_normalize_f32"}
BACK = {"batch_gradient_sums_f32", "batch_gradients_f32"}


def block(training, sums, rectifies, dims=(4, 5, 6, 3)):
    def make():
        x, beside = (tf.placeholder(tf.float32, dims) for _ in range(2))
        scale, offset, *more = (tf.constant(randn(dims[3], seed=n)) for n in range(2, 6))
        statistics = {} if training else {"mean": more[0], "variance": tf.square(more[1])}
        y = tf.nn.fused_batch_norm(x, scale, offset, is_training=training, **statistics)[0]
        if sums is not None:
            y = sums(y, beside)
        y = tf.nn.relu(y) if rectifies else y
        gradients = tf.gradients(y, [x, scale, offset], beside)
        return [y, *gradients], {x: randn(*dims), beside: randn(*dims, seed=1)}

    return make


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("sums", [None, tf.add, lambda y, beside: tf.raw_ops.AddV2(x=beside, y=y)])
@pytest.mark.parametrize("rectifies", [True, False])
def test_residual_block_takes_two_launches_per_direction(training, sums, rectifies):
    make = block(training, sums, rectifies)
    got, names = launched(make)
    for value, expected in zip(got, on_cpu(make)):
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)
    forward = FORWARD if training else {"normalize_by_f32"}
    computed = {name for name in names if name.startswith(("batch", "norm"))}
    assert computed == forward | BACK
    assert not {"add", "maximum", "relu_gradient_f32", "fused"} & set(names)
    assert all(names[name] == 1 for name in computed)


def test_intermediates_read_elsewhere_are_computed():
    """The sum before the ReLU and the gradient after it are fetched."""

    def make():
        x = tf.placeholder(tf.float32, [4, 5, 6, 3])
        scale = tf.constant([1.0, 2.0, 3.0])
        y = tf.nn.fused_batch_norm(x, scale, scale)[0] + 1.0
        z = tf.nn.relu(y)
        of_y, of_x = tf.gradients(z, [y, x])
        return [y, z, of_y, of_x], {x: randn(4, 5, 6, 3)}

    got, _ = launched(make)
    for value, expected in zip(got, on_cpu(make)):
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)


def test_broadcast_sum_is_not_fused():
    """Shapes are known only at run time: batch sizes of one and four."""

    def make():
        x, beside = (tf.placeholder(tf.float32, [None, 5, 6, 3]) for _ in range(2))
        y = tf.nn.fused_batch_norm(x, tf.ones([3]), tf.ones([3]))[0]
        return tf.nn.relu(y + beside), {x: randn(4, 5, 6, 3), beside: randn(1, 5, 6, 3, seed=1)}

    got, _ = launched(make)
    np.testing.assert_allclose(got, on_cpu(make), rtol=1e-4, atol=1e-4)


def test_sum_of_two_normalizations_fuses_with_one():
    """As in a residual block that changes the number of channels."""

    def make():
        x, other = (tf.placeholder(tf.float32, [4, 5, 6, 3]) for _ in range(2))
        scale = tf.constant([1.0, 2.0, 3.0])
        shortcut, y = (tf.nn.fused_batch_norm(each, scale, scale)[0] for each in (other, x))
        z = tf.nn.relu(shortcut + y)
        feeds = {x: randn(4, 5, 6, 3), other: randn(4, 5, 6, 3, seed=1)}
        return [z, *tf.gradients(z, [x, other])], feeds

    got, names = launched(make)
    for value, expected in zip(got, on_cpu(make)):
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)
    assert not {"add", "maximum", "fused"} & set(names)


def test_errors_name_original_op():
    def make():
        x, scale = tf.placeholder(tf.float32, [4, 5, 6, 3]), tf.placeholder(tf.float32, [None])
        y = tf.nn.relu(tf.nn.fused_batch_norm(x, scale, tf.ones([3]), name="norm")[0])
        return y, {x: randn(4, 5, 6, 3), scale: randn(2)}

    with pytest.raises(tf.errors.InvalidArgumentError, match="(?s)scale must have one.*norm"):
        launched(make)


@pytest.mark.parametrize("training", [True, False])
def test_channels_first_normalizes_without_transpose(training):
    """Only TensorFlow's gradient transposes; the CPU supports channels last only."""
    turn, back = [0, 3, 1, 2], [0, 2, 3, 1]

    def make(first):
        x, grad = (tf.placeholder(tf.float32, [4, 5, 6, 3]) for _ in range(2))
        scale, offset, mean, root = (tf.constant(randn(3, seed=n)) for n in range(2, 6))
        statistics = {} if training else {"mean": mean, "variance": tf.square(root)}
        images = tf.transpose(x, turn) if first else x
        y = tf.nn.fused_batch_norm(
            *(images, scale, offset),
            is_training=training,
            data_format="NCHW" if first else "NHWC",
            **statistics,
        )[0]
        y = tf.nn.relu(y)
        y = tf.transpose(y, back) if first else y
        return [y, *tf.gradients(y, [x, scale, offset], grad)], {
            x: randn(4, 5, 6, 3),
            grad: randn(4, 5, 6, 3, seed=1),
        }

    got, names = launched(lambda: make(True))
    for value, expected in zip(got, on_cpu(lambda: make(False))):
        np.testing.assert_allclose(value, expected, rtol=1e-4, atol=1e-4)
    assert set(names) >= ({"batch_normalize_f32"} if training else {"normalize_by_f32"})


@pytest.mark.parametrize("largest", [True, False])
def test_channels_first_pools_without_transpose(largest):
    pool = tf.nn.max_pool2d if largest else tf.nn.avg_pool2d
    images, grads = randn(2, 3, 8, 7), randn(2, 3, 3, 3, seed=1)

    def make(first):
        turn = (lambda array: array) if first else lambda array: np.moveaxis(array, 1, -1)
        x, grad = (tf.placeholder(tf.float32, turn(a).shape) for a in (images, grads))
        y = pool(x, 3, 2, "VALID", "NCHW" if first else "NHWC")
        return [y, tf.gradients(y, x, grad)[0]], {x: turn(images), grad: turn(grads)}

    got, names = launched(lambda: make(True))
    assert sum(names.values()) == 2 + largest  # the first maximum of overlapping windows counts
    for value, expected in zip(got, on_cpu(lambda: make(False))):
        np.testing.assert_allclose(np.moveaxis(value, 1, -1), expected, rtol=1e-5, atol=1e-5)
