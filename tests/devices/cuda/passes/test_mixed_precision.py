"""Float16 products on GPUs: the nodes that TensorFlow converts, their values, and their launches."""

import json
from dataclasses import replace

import numpy as np
import pytest

import tfmini as tf
from tests.devices.cuda.passes import mixed_precision_models as models
from tfmini._src.compiler.passes.prune import prune
from tfmini._src.compiler.pipeline import Target, passes_for, run

pytestmark = pytest.mark.usefixtures("gpu")

GOLDEN = json.loads(models.GOLDEN.read_text())
experimental = tf.train.experimental


def mixed(toggle=1):
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.auto_mixed_precision = toggle
    return config


@pytest.mark.parametrize("model", models.MODELS, ids=lambda model: model.__name__)
def test_rewritten_nodes_match_tensorflow(model):
    """After pruning unread nodes."""
    train, loss = model(tf)
    with tf.Session(config=mixed()) as session:
        session._place_new_nodes()
        target = Target(session._placement, session._devices)
        program = prune([loss], [], [train])
        program.devices = target.devices
        passes = passes_for(target.devices)
        end = 1 + [each.name for each in passes].index("mixed_precision")
        program = run(passes[:end], program, target)
    nodes = [node for node in program.nodes if node.opdef.name != "Cast"]
    result = {node.origin.name for node in nodes if tf.float16 in node.attrs.values()}
    assert result == {node.origin.name for node in nodes} & set(GOLDEN[model.__name__])


@pytest.fixture
def step_by_step(monkeypatch):
    """Counts launches node by node."""
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")


def trained(build, config, steps=4):
    """The losses of a model in a new graph."""
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        tf.set_random_seed(1)
        x, loss = build()
        opt = tf.train.MomentumOptimizer(0.1, 0.9)
        scaled = experimental.MixedPrecisionLossScaleOptimizer(opt, 128)
        step = scaled.minimize(loss)
        values = np.random.RandomState(0).randn(*x.shape.as_list())
        session.run(tf.global_variables_initializer())
        return [session.run([loss, step], {x: values})[0] for _ in range(steps)]


def classified(h):
    logits = tf.layers.dense(h, 4)
    return tf.losses.sparse_softmax_cross_entropy(np.arange(8) % 4, logits)


def convolutions():
    x = tf.placeholder(tf.float32, [8, 6, 6, 3])
    h = tf.layers.max_pooling2d(tf.layers.conv2d(x, 8, 3, activation=tf.nn.relu), 2, 2)
    h = tf.layers.batch_normalization(h, training=True)
    return x, classified(tf.layers.dense(tf.layers.flatten(h), 16, tf.nn.relu))


def loop():
    """Weights enter in float16; loop variables stay in float32."""
    x = tf.placeholder(tf.float32, [8, 5, 3])
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, dtype=tf.float32)
    return x, classified(outputs[:, -1])


def branch():
    x = tf.placeholder(tf.float32, [8, 6])
    h = tf.layers.dense(x, 6)
    weights = tf.get_variable("weights", [6, 6])
    h = tf.cond(tf.reduce_sum(x) > 0, lambda: tf.matmul(h, weights), lambda: h * 2.0)
    return x, classified(h)


@pytest.mark.parametrize("build", [convolutions, loop, branch], ids=lambda build: build.__name__)
def test_losses_match_float32(gpu, step_by_step, build):
    """Approximately the same values, by tensor cores with float32 accumulation."""
    expected = trained(build, tf.ConfigProto())
    assert gpu.counters.launch_names["cublasSgemm_v2"]
    gpu.counters.reset()
    losses = trained(build, mixed())
    names = gpu.counters.launch_names
    assert names["cublasGemmEx"] and not names["cublasSgemm_v2"]
    np.testing.assert_allclose(losses, expected, rtol=2e-3)
    assert losses != expected and losses[-1] < losses[0]


def test_casts_and_epilogues_are_fused(gpu, step_by_step):
    """A bias with ReLU, a pooling and a normalization are a kernel each, as in float32; casts are fused."""
    counts = []
    for config in (tf.ConfigProto(), mixed()):
        gpu.counters.reset()
        trained(convolutions, config)
        counts.append(gpu.counters.launch_names)
    plain, half = counts
    assert half["bias_add_f16"] and half["max_pooled_f16"] and half["batch_normalize_f16"]
    assert half["fused"] > plain["fused"]
    assert half.total() - half["astype"] <= 1.1 * plain.total()


def test_unsupported_tensors_stay_float32(gpu, step_by_step):
    """Fetches, as in TensorFlow; other dtypes; sessions without the option."""
    x = tf.placeholder(tf.float32, [4, 3])
    product = tf.matmul(x, tf.ones([3, 2]), name="product")
    wide = tf.matmul(tf.cast(x, tf.float64), tf.ones([3, 2], tf.float64))
    feed = {x: np.full([4, 3], 1 + 2.0**-20, "f")}
    for config, fetches in (
        (mixed(), product),
        (mixed(), tf.negative(wide)),
        (mixed(0), -product),
        (mixed(2), -product),
    ):
        with tf.Session(config=config) as session:
            assert abs(session.run(fetches, feed)[0, 0]) > 3
    with tf.Session(config=mixed(3)) as session:  # AGGRESSIVE
        assert session.run(-product, feed)[0, 0] == -3
    assert gpu.counters.launch_names["cublasGemmEx"] == 1


def test_no_tensor_cores_disables_mixed_precision(monkeypatch):
    x = tf.placeholder(tf.float32, [4, 3])
    total = tf.reduce_sum(tf.matmul(x, x, transpose_b=True))
    with tf.Session(config=mixed()) as session:
        for gpu in session._devices.values():
            monkeypatch.setattr(gpu, "physical", replace(gpu.physical, compute_capability="6.1"))
        session.run(total, {x: np.ones([4, 3])})
        (plan, _) = session._steps.popitem()[1]
    assert all(slot.dtype is not tf.float16 for slot in plan.program.slots)


def test_cpu_stays_float32():
    config = mixed()
    config.device_count["GPU"] = 0
    x = tf.placeholder(tf.float32, [4, 3])
    with tf.Session(config=config) as session:
        value = session.run(tf.matmul(x, x, transpose_b=True) + 0.0, {x: np.full([4, 3], 1.001)})
    np.testing.assert_allclose(value, np.full([4, 4], 3 * 1.001**2), rtol=1e-6)
