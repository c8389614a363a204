"""Training steps on a GPU: launches, absence of waits, and the same learning as on the CPU."""

import contextlib

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.devices.cuda import kernel_sources

pytestmark = pytest.mark.usefixtures("gpu")

ON_CPU = {"device_count": {"GPU": 0}}
OPTIMIZERS = {
    "sgd": lambda: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda: tf.train.MomentumOptimizer(0.1, 0.9),
    "nesterov": lambda: tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True),
    "adam": lambda: tf.train.AdamOptimizer(0.01),
    "adagrad": lambda: tf.train.AdagradOptimizer(0.1),
    "adadelta": lambda: tf.train.AdadeltaOptimizer(1.0),
    "rmsprop": lambda: tf.train.RMSPropOptimizer(0.01, momentum=0.5),
    "centered": lambda: tf.train.RMSPropOptimizer(0.01, centered=True),
}


def perceptron(optimizer, use_resource=False):
    """Two layers and a softmax: the step, the loss, its feed and the variables."""
    rng = np.random.RandomState(0)
    x, y = tf.placeholder(tf.float32, [32, 20]), tf.placeholder(tf.float32, [32, 10])
    with tf.variable_scope("layers", use_resource=use_resource):
        sizes = (20, 64), (64, 10)
        values = [rng.randn(m, n).astype("f") / 4 for m, n in sizes]
        weights = [tf.get_variable(f"w{i}", initializer=v) for i, v in enumerate(values)]
        biases = [
            tf.get_variable(f"b{i}", initializer=np.zeros(n, "f")) for i, n in ((0, 64), (1, 10))
        ]
    hidden = tf.nn.relu(tf.nn.bias_add(tf.matmul(x, weights[0]), biases[0]))
    logits = tf.nn.bias_add(tf.matmul(hidden, weights[1]), biases[1])
    losses = tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits)
    loss = tf.reduce_mean(losses)
    feed = {x: rng.randn(32, 20).astype("f"), y: np.eye(10, dtype="f")[rng.randint(0, 10, 32)]}
    return optimizer.minimize(loss), loss, feed


def embedded(optimizer, use_resource=False):
    """Averaged embedding rows with dropout: gradients are IndexedSlices."""
    rng = np.random.RandomState(1)
    ids, labels = tf.placeholder(tf.int32, [16, 5]), tf.placeholder(tf.int32, [16])
    with tf.variable_scope("model", use_resource=use_resource):
        table = tf.get_variable("table", initializer=rng.randn(50, 8).astype("f"))
        weights = tf.get_variable("weights", initializer=rng.randn(8, 4).astype("f"))
    words = tf.reduce_mean(tf.nn.embedding_lookup(table, ids), 1)
    logits = tf.matmul(tf.nn.dropout(words, rate=0.25, seed=3), weights)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_mean(losses)
    feed = {ids: rng.randint(0, 50, [16, 5]), labels: rng.randint(0, 4, 16)}
    return optimizer.minimize(loss), loss, feed


def recurrent(optimizer):
    """Five steps of an LSTM cell with clipped gradients."""
    rng = np.random.RandomState(2)
    x, y = tf.placeholder(tf.float32, [6, 5, 3]), tf.placeholder(tf.float32, [6, 4])
    kernel = tf.get_variable("kernel", initializer=rng.randn(7, 16).astype("f") / 2)
    bias = tf.get_variable("bias", initializer=np.zeros(16, "f"))
    c = h = tf.zeros([6, 4])
    for step in tf.unstack(x, axis=1):
        gates = tf.nn.bias_add(tf.matmul(tf.concat([step, h], 1), kernel), bias)
        i, j, f, o = tf.split(gates, 4, axis=1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
    loss = tf.reduce_mean(tf.square(h - y))
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, [kernel, bias]), 0.5)
    step = optimizer.apply_gradients(zip(gradients, [kernel, bias]))
    return step, loss, {x: rng.randn(6, 5, 3), y: rng.rand(6, 4)}


def learned(build, *arguments, machine=None, **config):
    """The losses of four steps and the final variables; the GPU step waits only for the loss."""
    with tf.Graph().as_default(), tf.Session(config=tf.ConfigProto(**config)) as session:
        step, loss, feed = build(*arguments)
        session.run(tf.global_variables_initializer())
        losses = []
        for _ in range(4):
            if machine is not None:
                machine.counters.reset()
            with contextlib.nullcontext() if machine is None else machine.forbid_sync():
                losses.append(session.run([step, loss], feed)[1])
        return losses, session.run(tf.global_variables())


def check(machine, build, *arguments):
    """GPU training matches the CPU's."""
    want_losses, want = learned(build, *arguments, **ON_CPU)
    losses, got = learned(build, *arguments, machine=machine)
    np.testing.assert_allclose(losses, want_losses, rtol=2e-4)
    for a, b in zip(got, want):
        np.testing.assert_allclose(a, b, rtol=2e-4, atol=2e-6)


def launches(machine, build):
    """The launches of one step, by name; it waits only for the loss."""
    with tf.Graph().as_default(), tf.Session() as session:
        step, loss, feed = build()
        session.run(tf.global_variables_initializer())
        session.run([step, loss], feed)
        machine.counters.reset()
        with machine.forbid_sync():
            session.run([step, loss], feed)
        assert (machine.counters.waits, machine.counters.syncs) == (1, 0)
        return machine.counters.launch_names


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_perceptron_matches_cpu(gpu, name, use_resource):
    check(gpu, lambda: perceptron(OPTIMIZERS[name](), use_resource))


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_perceptron_launch_count(gpu, name, use_resource):
    """Five products, two with their biases, one of these with its Relu, two with sums of rows; the losses with their
    gradients, the mean, the way back through the Relu and the update; Adam's also moves two powers on."""
    result = launches(gpu, lambda: perceptron(OPTIMIZERS[name](), use_resource))
    assert result.total() <= (15 if name == "adam" else 11), result
    assert (result["cublasLtMatmul"], result["cublasSgemm_v2"]) == (4, 1)
    assert not result["bias_add_f32"] + result["column_sums_f32"]
    assert result["cross_entropy_f32"] == result["relu_gradient_f32"] == 1


@pytest.mark.parametrize("use_resource", [False, True])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_embeddings_with_dropout_match_cpu(gpu, name, use_resource):
    check(gpu, lambda: embedded(OPTIMIZERS[name](), use_resource))


def test_embeddings_launch_count(gpu):
    assert launches(gpu, lambda: embedded(OPTIMIZERS["sgd"]())).total() <= 22


@pytest.mark.parametrize("name", ["sgd", "adam"])
def test_unrolled_lstm_matches_cpu(gpu, name):
    check(gpu, lambda: recurrent(OPTIMIZERS[name]()))


def test_unrolled_lstm_launch_count(gpu):
    assert launches(gpu, lambda: recurrent(OPTIMIZERS["sgd"]())).total() <= 61


def test_kernels_share_one_option_set(gpu, monkeypatch):
    """CuPy compiles an empty program for each set, 25 to 45 ms."""
    monkeypatch.setattr(kernel_sources, "_functions", {})
    launches(gpu, lambda: perceptron(OPTIMIZERS["adam"]()))
    assert len(gpu.option_sets) == 1
