"""CUDA graphs of plans: their memory, eviction, and the work between launches."""

import gc
import itertools
import threading
import types

import numpy as np
import pytest

import tfmini as tf
from tests.executor.capturing import (
    OPTIMIZERS,
    X,
    Y,
    compare,
    gpus_with_graphs,
    graphs,
    network,
    session_on_gpu,
    trained,
)
from tests.support.cuda_on_cpu.module import HAS_COMPILER
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.base import proto
from tfmini._src.devices.cuda import process_gpus as gpus
from tfmini._src.devices.cuda.capture import replay
from tfmini._src.devices.cuda.cublas import Cublas

pytestmark = pytest.mark.usefixtures(gpus_with_graphs.__name__)


def test_step_is_one_graph():
    with session_on_gpu() as (session, machine):
        x, y, loss = network()
        step = tf.train.AdamOptimizer().minimize(loss)
        session.run(tf.global_variables_initializer())
        run = session.make_callable(step, [x, y])
        for _ in range(4):
            run(X, Y)
        machine.counters.reset()
        run(X, Y)
        assert machine.counters.launch_names == {"stage": 1, "graph": 1}
        assert not machine.counters.copies["d2d"]


def test_uninitialized_variable(monkeypatch):
    with session_on_gpu() as (session, machine):
        v = tf.get_variable("v", initializer=np.ones([30], "f"))
        total = tf.reduce_sum(tf.exp(tf.sin(v) * 2.0) + tf.cos(v) * tf.tanh(v))
        session.run(v.initializer)
        for _ in range(6):
            want = session.run(total)
        count = graphs(machine)
        assert count
        session._resources.variable(v.op).clear()
        for _ in range(6):
            with pytest.raises(tf.errors.FailedPreconditionError, match="uninitialized value v"):
                session.run(total)
        session.run(v.initializer)
        for _ in range(12):
            assert session.run(total) == want
        assert graphs(machine) > count


def test_results_are_not_overwritten():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        a = tf.sin(x) * 2.0 + 1.0
        b = tf.reduce_sum(tf.exp(a) * tf.cos(x))
        retained = []
        for index in range(8):
            retained.append((index, session.run([a, b], {x: np.full(1000, index, "f")})))
        assert graphs(machine) > 3
        for index, (first, second) in retained:
            want = np.sin(np.float32(index)) * 2 + 1
            np.testing.assert_allclose(first, np.full(1000, want), rtol=1e-6)
            np.testing.assert_allclose(
                second, np.exp(want) * np.cos(np.float32(index)) * 1000, rtol=1e-4
            )


def test_uncapturable_node_splits_segment():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        a = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        chosen = tf.boolean_mask(a, a > 0.1)  # the GPU reports its size
        b = tf.reduce_sum(tf.tanh(tf.sin(chosen) * 2.0 + tf.cos(chosen)) * tf.exp(-chosen))
        fed = np.linspace(0, 3, 900).astype("f")
        want = session.run(b, {x: fed})
        for _ in range(9):
            assert session.run(b, {x: fed}) == want
        assert graphs(machine)


def test_environment_variable_disables_graphs(monkeypatch):
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    with session_on_gpu() as (session, machine):
        x, y, loss = network()
        trained(session, x, y, loss, OPTIMIZERS["sgd"]().minimize(loss))
        assert not graphs(machine)


@pytest.mark.skipif(not HAS_COMPILER, reason="needs g++")
def test_threads_and_sessions():
    with fake_gpus(devices=1) as machine, tf.Graph().as_default():
        x = tf.placeholder(tf.float32, [None])
        v = tf.get_variable("v", initializer=np.zeros([500], "f"))
        y = tf.reduce_sum(tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x))
        step = v.assign_add(tf.sin(x) * tf.cos(x) * tf.exp(x) * 0.0 + tf.ones_like(x)).op
        sessions = [tf.Session(), tf.Session()]
        errors = []

        def work(session, index):
            try:
                fed = np.full(500, index / 4, "f")
                want = session.run(y, {x: fed})
                for _ in range(20):
                    assert session.run([y, step], {x: fed})[0] == want
            except BaseException as error:
                errors.append(error)

        for session in sessions:
            session.run(v.initializer)
        threads = [
            threading.Thread(target=work, args=(session, n))
            for n in range(2)
            for session in sessions
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert [session.run(v)[0] for session in sessions] == [40, 40]
        assert graphs(machine) > 40
        for session in sessions:
            session.close()


def test_memory_is_constant():
    with session_on_gpu(memory=64 << 20) as (session, _):
        x, y, loss = network(0.3)
        step = OPTIMIZERS["adam"]().minimize(loss)
        session.run(tf.global_variables_initializer())
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        used = []
        for i in range(200):
            session.run([loss, step], {x: X[: 32 + i % 2], y: Y[: 32 + i % 2]})
            used.append(gpu.pool.used_bytes())
        assert used[20] == used[-1]
        assert max(used) < gpu.limit_bytes


def test_graphs_share_memory(monkeypatch):
    """Graphs for five batch sizes share the largest one's memory, and return the same as each alone."""
    sizes = (20, 64, 33, 7, 50)

    def program(session):
        x, y, loss = network(0.3)
        step = OPTIMIZERS["adam"]().minimize(loss)
        session.run(tf.global_variables_initializer())
        order = np.random.RandomState(0).permutation(np.repeat(sizes, 12))
        got = [session.run([loss, step], {x: X[:size], y: Y[:size]})[0] for size in order]
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        retained.append(gpu.own_memory().get("recorded graphs", 0))
        return got

    retained = []
    compare(monkeypatch, program, 30)
    sizes = (64,)
    compare(monkeypatch, program, 8)
    assert retained[0] == retained[2] == 0
    assert retained[1] == retained[3] > 0


def test_out_of_memory_is_retried():
    """Graph instantiation may fail for lack of device memory; it is tried again later."""
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x))
        fed = np.ones(900, "f")
        want = [session.run(y, {x: fed}) for _ in range(2)][0]
        there = machine.devices[0]
        total, there.total = there.total, there.allocated
        assert session.run(y, {x: fed}) == want
        there.total = total
        for _ in range(12):
            assert session.run(y, {x: fed}) == want
        assert graphs(machine) > 1


def test_graphs_are_dropped_for_memory():
    """When out of memory, graphs' blocks are freed, so that a step that fits without them succeeds."""
    with session_on_gpu(memory=50 << 20) as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x))
        for size in (1 << 17, 3 << 17, 5 << 17, 1 << 20):
            fed = np.ones(size, "f")
            want = session.run(y, {x: fed})
            for _ in range(4):
                assert session.run(y, {x: fed}) == want
        assert graphs(machine) > 4
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        assert gpu.pool.used_bytes() < gpu.limit_bytes


def test_error_between_replays():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        size = tf.placeholder(tf.int32, [2])
        a = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        b = tf.reduce_sum(tf.reshape(a, size) * 2.0, 0)
        fed = np.ones(600, "f")
        want = session.run(b, {x: fed, size: [6, 100]})
        for _ in range(6):
            assert session.run(b, {x: fed, size: [6, 100]}).tobytes() == want.tobytes()
            with pytest.raises(tf.errors.InvalidArgumentError, match="600 values.*700") as failed:
                session.run(b, {x: fed, size: [7, 100]})
            assert failed.value.op is b.op.inputs[0].op.inputs[0].op
        assert graphs(machine)


def test_fetched_gpu_arrays_survive_replays():
    with session_on_gpu() as (session, machine):
        x = tf.placeholder(tf.float32, [None])
        y = tf.tanh(tf.sin(x) * 2.0 + tf.cos(x)) * tf.exp(-x)
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        options = proto.CallableOptions(feed=[x.name], fetch=[y.name])
        options.feed_devices[x.name] = options.fetch_devices[y.name] = "/gpu:0"
        run = session._make_callable_from_options(options)
        fed = [gpu.xp.full(900, i, "f") for i in range(7)]
        got = [run(array)[0] for array in fed]
        assert graphs(machine)
        for i, (array, result) in enumerate(zip(fed, got)):
            value = np.full(900, i, "f")
            assert (array + 0).get().tobytes() == value.tobytes()
            assert (result + 0).get().tobytes() == session.run(y, {x: value}).tobytes()


def test_closed_session_frees_memory():
    with fake_gpus(devices=1), tf.Graph().as_default():
        x, y, loss = network()
        step = OPTIMIZERS["adam"]().minimize(loss)
        gc.collect()
        gc.disable()
        try:
            session = tf.Session()
            (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
            session.run(tf.global_variables_initializer())
            for _ in range(5):
                session.run([loss, step], {x: X, y: Y})
            assert gpu.recorded
            session.close()
            gpu.release_finished()
            assert not gpu.recorded
            assert gpu.pool.used_bytes() == Cublas.WORKSPACE_BYTES
        finally:
            gc.enable()


def test_constants_are_uploaded_once(monkeypatch):
    with session_on_gpu() as (session, machine):
        uploads = []
        (gpu,) = (gpu for _, gpu in gpus._gpus_by_index.values())
        upload = gpu.upload
        monkeypatch.setattr(
            gpu, "upload", lambda value: uploads.append(np.shape(value)) or upload(value)
        )
        x = tf.placeholder(tf.float32, [6])
        chosen = tf.boolean_mask(tf.exp(X * x), x > 0.5, axis=1)  # it cannot be recorded
        total = tf.reduce_sum(chosen)
        for _ in range(8):
            session.run(total, {x: np.ones(6)})
        assert graphs(machine)
        assert uploads.count(X.shape) == 1


def test_towers_are_separate_segments():
    """Shared variables are copied first, so the copies split no tower."""
    with session_on_gpu(devices=2) as (session, machine):
        v = [tf.get_variable(f"v{n}", [6, 6]) for n in range(5)]
        x = tf.placeholder(tf.float32, [None, 6])
        losses = []
        for i in range(2):
            with tf.device(f"/gpu:{i}"):
                h = x
                for weights in v:
                    h = tf.nn.relu(tf.matmul(h, weights))
                losses.append(tf.reduce_mean(h))
        session.run(tf.global_variables_initializer())
        want = session.run(losses, {x: X})
        for _ in range(5):
            before = graphs(machine)
            assert session.run(losses, {x: X}) == want
        assert graphs(machine) - before == 2


def test_keys_stay_unique_after_layout_eviction(monkeypatch):
    monkeypatch.setattr(replay, "_MAX_LAYOUTS", 3)
    segment = replay.CapturedSegment.__new__(replay.CapturedSegment)
    segment.gpu = types.SimpleNamespace(xp=np)
    segment._layouts, segment._records, segment._layout_ids = {}, {}, itertools.count()
    keys = {}
    for m, n in itertools.product(range(1, 6), repeat=2):
        key = segment._graph_key([np.empty(m, "f"), np.empty((n, 2), "d"), np.empty(m + n, "i")])
        assert keys.setdefault(key, (m, n)) == (m, n)
