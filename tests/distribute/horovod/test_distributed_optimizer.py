"""Optimizers, tapes and states with another rank whose arrays are ten times as large."""

import pickle

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod.beside_ten import run, shown
from tfmini._src.distribute.horovod import tensorflow as hvd


def trained(optimizer, loss, steps=1, feeds=None, step=None):
    """All variables' values after optimizer steps."""
    train = optimizer.minimize(loss, step)
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for _ in range(steps):
            session.run(train, feeds)
        return {v.op.name: shown(session.run(v)) for v in tf.global_variables()}


OPTIONS = {
    "mean": ({}, 1 - 5.5 / 8),
    "sum": ({"op": hvd.Sum}, 1 - 11 / 8),
    "predivided": ({"gradient_predivide_factor": 4.0}, 1 - 5.5 / 8),
    "short": ({"compression": hvd.Compression.fp16}, 1 - 5.5 / 8),
    "groups": ({"num_groups": 2, "groups": 1}, 1 - 5.5 / 8),
    "passes": ({"backward_passes_per_step": 1, "average_aggregated_gradients": True}, 1 - 5.5 / 8),
}


@pytest.mark.parametrize("case", OPTIONS)
def test_optimizer_options(first, case):
    options, expected = OPTIONS[case]
    v = tf.get_variable("v", initializer=1.0)
    unused = tf.get_variable("unused", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(0.125)
    optimizer = hvd.DistributedOptimizer(sgd, **options)
    assert optimizer.get_name() == "DistributedGradientDescentOptimizer"
    pairs = optimizer.compute_gradients(v * 1.0)
    assert pairs[1] == (None, unused) and pairs[0][1] is v
    actual = trained(optimizer, v * 1.0)
    assert actual["v"] == pytest.approx(expected) and actual["unused"] == 1.0
    scope = "DistributedGradientDescentOptimizer_Allreduce/"
    assert pairs[0][0].op.name.startswith(scope)
    assert {entry[2][0][0] for entry in first.seen} == {"float16" if case == "short" else "float32"}
    if case == "predivided":  # a quarter is sent
        sent = [op for op in tf.get_default_graph().get_operations() if "GroupedAll" in op.type]
        assert run(sent[0].inputs[0]) == 0.25


def test_optimizer_names_devices_and_slices(first):
    table = tf.get_variable("table", initializer=[[1.0], [1.0], [1.0]])
    loss = tf.reduce_sum(tf.gather(table, [0, 2, 0]))
    sgd = tf.train.GradientDescentOptimizer(1.0, name="inner")
    made = hvd.DistributedOptimizer(sgd, "mine", True, "/cpu:0", "/cpu:1")
    ((grad, _),) = made.compute_gradients(loss)
    assert made.get_name() == "mine" and made._use_locking and isinstance(grad, tf.IndexedSlices)
    assert grad.values.device == "/device:CPU:1" and grad.values.op.name.startswith("mine_Allr")
    dense = hvd.DistributedOptimizer(sgd, "dense", device_dense="/cpu:0", sparse_as_dense=True)
    ((grad, _),) = dense.compute_gradients(loss)
    assert isinstance(grad, tf.Tensor) and grad.device == "/device:CPU:0"
    assert shown(run(grad)) == [[11.0], [0.0], [5.5]]
    momentum = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.5, 0.5), "m")
    assert momentum.apply_gradients([(grad, table)], name="named").name == "named"
    assert momentum.get_slot(table, "momentum").name == "table/Momentum:0"
    assert [v.op.name for v in momentum.variables()] == ["table/Momentum"]
    assert momentum.get_slot_names() == ["momentum"] and momentum.get_slot(table, "x") is None
    step = tf.train.get_or_create_global_step()
    assert trained(made, loss * 0.0, 2, step=step)["global_step"] == 2


@pytest.mark.parametrize("averages, expected", [(False, -21.0), (True, -10.0)])
def test_backward_passes_per_step(beside, averages, expected):
    """Gradients of 1 and 3 add up to 4; with the other rank's to 44, with mean 22, or 11 per pass."""
    v, inputs = tf.get_variable("v", initializer=1.0), tf.placeholder(tf.float32, [])
    optimizer = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0),
        backward_passes_per_step=2,
        average_aggregated_gradients=averages,
    )
    train = optimizer.minimize(v * inputs)
    locals_ = [v.op.name for v in tf.local_variables()]
    scope = f"aggregation_variables_{beside.rank}/"
    assert locals_ == [scope + "aggregation_counter", scope + "0"]
    assert not optimizer.variables() and tf.trainable_variables() == [v]
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for fed, value in ((1.0, 1.0), (3.0, expected), (1.0, expected)):
            session.run(train, {inputs: fed})
            assert session.run(v) == value
        assert shown(session.run(tf.local_variables())) == [3, 1.0]
    assert [entry[0] for entry in beside.seen] == ["sum"]
    twice = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0), backward_passes_per_step=3, sparse_as_dense=True
    )
    with tf.Graph().as_default():
        rows = tf.get_variable("rows", [2, 1])
        ((grad, _),) = twice.compute_gradients(tf.reduce_sum(tf.gather(rows, [0])), [rows])
        assert isinstance(grad, tf.Tensor)


@pytest.mark.parametrize("passes, expected", [(1, [-99.0, -199.0]), (2, [0.0, -199.0])])
def test_adasum(first, passes, expected):
    """Each step of -1 counts a hundredfold; passes before the last use the rank's own step."""
    v = tf.get_variable("v", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(1.0)
    optimizer = hvd.DistributedOptimizer(
        sgd, "own", op=hvd.Adasum, backward_passes_per_step=passes, device_dense="/cpu:1"
    )
    train = optimizer.minimize(v * 1.0, name="train")
    assert train.name.endswith("/train") and optimizer.get_slot_names() == ["delta_start"]
    assert optimizer.get_slot(v, "delta_start").op.name == "v/own"
    assert [v.op.name for v in optimizer.variables()] == ["v/own"]
    results = []
    with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as session:
        session.run(tf.global_variables_initializer())
        for _ in expected:
            session.run(train)
            results.append(float(session.run(v)))
    assert results == expected
    assert [entry[::2] for entry in first.seen] == [("adasum", "float32")] * (3 - passes)


def test_fp16_compression(first):
    v, unused = tf.get_variable("v", initializer=1.0), tf.get_variable("unused", initializer=1.0)
    sgd = tf.train.GradientDescentOptimizer(1.0)
    short = hvd.DistributedOptimizer(sgd, op=hvd.Adasum, compression=hvd.Compression.fp16)
    assert short.get_name() == "DistributedDeltaGradientDescentOptimizer"
    assert short.compute_gradients(v * 1.0)[1] == (None, unused)
    step = tf.train.get_or_create_global_step()
    result = trained(short, v * 1.0, step=step)
    assert (result["v"], result["unused"]) == (-99.0, 1.0)
    assert [entry[2] for entry in first.seen] == ["float16"]


def test_tape_options(first):
    x = tf.get_variable("x", initializer=[[1.0], [2.0]], use_resource=True)
    y = tf.get_variable("y", initializer=1.0, use_resource=True)
    unused = tf.get_variable("unused", initializer=1.0, use_resource=True)

    def gradients(**options):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(x, [1])) * y
        result = hvd.DistributedGradientTape(tape, **options)
        return result.gradient(loss, [x, (y, unused)])

    rows, (mean, nothing) = gradients(device_sparse="/cpu:1", device_dense="/cpu:2")
    assert nothing is None and rows.values.device == "/device:CPU:1"
    assert mean.device == "/device:CPU:2" and mean.op.name.startswith("DistributedGradientTape_All")
    dense, (total, _) = gradients(
        op=hvd.Sum, sparse_as_dense=True, compression=hvd.Compression.fp16, num_groups=1, groups=2
    )
    assert shown(run([dense, total])) == [[[0.0], [11.0]], 22.0]
    assert first.seen[-1][2] == [("float16", 3)]
    _, (divided, _) = gradients(gradient_predivide_factor=2.0)
    assert run(divided) == 11.0
    with pytest.raises(ValueError, match="gradient_predivide_factor not supported"):
        gradients(op=hvd.Sum, gradient_predivide_factor=2.0)


def test_sync_batch_normalization(first):
    """The other rank has ten times the mean, and ten times the mean of squares."""
    layer = hvd.SyncBatchNormalization(epsilon=0.0, name="own", momentum=0.5)
    x = tf.constant([[1.0], [3.0]])
    result = layer(x, training=True)
    mean, square = 2 * 5.5, 5 * 5.5
    variance = square - mean**2
    assert layer.name == "own" and variance < 0  # not real batches: only the sums are checked
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(tf.get_collection("update_ops"))
        moving = session.run([layer.moving_mean, layer.moving_variance])
        session.run(result)
    np.testing.assert_allclose(moving, [[mean / 2], [(1 + variance) / 2]], rtol=1e-6)


def test_keras_optimizers(first):
    keras, SGD = tf.keras, tf.keras.optimizers.SGD
    v = keras.backend.variable([1.0, 2.0])
    plain = SGD(0.25, momentum=0.5, nesterov=True, name="own")
    result = hvd.DistributedOptimizer(plain, op=hvd.Sum, compression=hvd.Compression.fp16)
    assert type(result).__name__ == "SGD" and isinstance(result, SGD) and result is not plain
    assert result.get_config() == plain.get_config() and type(result).__module__ == SGD.__module__
    (grad,) = result.get_gradients(keras.backend.sum(v * 2.0), [v])
    assert grad.dtype == tf.float32 and shown(run(grad)) == [22.0, 22.0]
    assert first.seen[-1][2] == [("float16", 2)]
    twice = hvd.DistributedOptimizer(SGD(1.0), backward_passes_per_step=2)
    update = twice.get_updates(keras.backend.sum(v), [v])
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for step, expected in ((1, [1.0, 2.0]), (2, [-10.0, -9.0]), (3, [-10.0, -9.0])):
            session.run(update)
            assert shown(session.run([twice.iterations, v])) == [step, expected]


def test_elastic_states_are_broadcast(beside):
    elastic, sent = hvd.elastic, []

    def gather(name, value):
        sent.append((name, len(value) > 0))
        return value if len(value) else np.frombuffer(pickle.dumps(told.pop(0)), np.uint8)

    beside.gather = gather
    v = tf.get_variable("v", initializer=[1.0])
    told = [[np.float32([5.0])], {"batch": 7}]
    with tf.Session() as session:
        session.run(v.initializer)
        state = elastic.TensorFlowState([v], session, batch=3)
        state.sync()
        mine = ([1.0], 3) if beside.rank == 0 else ([5.0], 7)
        assert (session.run(v).tolist(), state.batch) == mine
        session.run(v.assign([9.0]))
        state.batch = 11
        state.restore()
        assert (session.run(v).tolist(), state.batch) == mine
    is_first = beside.rank == 0
    assert sent == [
        ("broadcast_object elastic variables", is_first),
        ("broadcast_object elastic state", is_first),
    ]
