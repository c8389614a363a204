"""Random graphs of elementwise ops, products, slices and assignments: same results on a GPU as on the CPU."""

import numpy as np
import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus

UNARY = [tf.tanh, tf.sigmoid, tf.square, tf.negative, tf.nn.relu, tf.sin]
BINARY = [tf.add, tf.multiply, tf.subtract, tf.maximum, lambda x, y: tf.add_n([x + y, y + x])]
SIZE = 4


@pytest.fixture(autouse=True)
def gpu(gpu_environment):
    with fake_gpus(devices=2) as machine:
        yield machine


def grown(rng, feeds):
    """Tensors, each computed from earlier ones; all are [SIZE, SIZE] or broadcast to that."""
    tensors = list(feeds)
    variable = tf.get_variable("variable", initializer=np.full([SIZE, SIZE], 0.5, "f"))
    result = []

    def some():
        return tensors[rng.randint(max(0, len(tensors) - 8), len(tensors))]

    for _ in range(40):
        kind = rng.randint(12)
        with tf.device(f"/gpu:{rng.randint(5) // 4}"):
            if kind < 4:
                tensor = UNARY[rng.randint(len(UNARY))](some())
            elif kind < 8:
                tensor = BINARY[rng.randint(len(BINARY))](some(), some())
            elif kind == 8:
                tensor = tf.tanh(tf.matmul(some() + feeds[0], some() + feeds[0]))
            elif kind == 9:
                wide = tf.concat([some() + feeds[0], some() + feeds[0]], 1)
                tensor = tf.split(wide, 2, axis=1)[1]
            elif kind == 10:
                tensor = tf.reduce_mean(some() + feeds[0], rng.randint(2), keepdims=True)
            else:
                with tf.control_dependencies(result[-1:]):
                    assigned = variable.assign(tf.tanh(some() + feeds[0]))
                with tf.control_dependencies([assigned]):
                    tensor = variable.read_value() * 1.0
                result = [tensor]
        if result:  # following nodes run after the assignment and before the next one
            with tf.control_dependencies(result):
                tensor = tf.identity(tensor)
            result = [tensor]
        tensors.append(tensor)
    chosen = [tensors[i] for i in rng.choice(len(tensors), 6, replace=False)]
    return [*chosen, tensors[-1]], variable


def values(seed, **config):
    rng = np.random.RandomState(seed)
    shapes = [SIZE, SIZE], [SIZE, 1], [SIZE], []
    with tf.Graph().as_default():
        feeds = [tf.placeholder(tf.float32, shape) for shape in shapes]
        fetches, variable = grown(rng, feeds)
        feed = {t: rng.randn(*shape) for t, shape in zip(feeds, shapes)}
        config = tf.ConfigProto(allow_soft_placement=True, **config)
        with tf.Session(config=config) as session:
            session.run(variable.initializer)
            return [*session.run(fetches, feed), *session.run(fetches, feed), session.run(variable)]


@pytest.mark.parametrize("seed", range(12))
def test_random_graphs(seed):
    want = values(seed, device_count={"GPU": 0})
    got = values(seed)
    for one, other in zip(got, want):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=2e-5)
