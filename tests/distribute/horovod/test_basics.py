"""Horovod's interface: two processes of one script, a single process, and errors."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tfmini._src.distribute.horovod import basics, tensorflow as hvd
from tfmini._src.distribute.horovod.ranks import RankInfo, own_rank_info
from tfmini._src.distribute.horovod.reductions import buckets

TRAINER = Path(__file__).with_name("trainer.py")


@pytest.fixture
def alone(monkeypatch):
    monkeypatch.delenv("TFMINI_RANKS", raising=False)
    hvd.init()
    with tf.Graph().as_default():
        yield
    hvd.shutdown()


def expected_training():
    """The weights and the table after the trainer's steps, computed by numpy."""
    weights, table = np.zeros([4, 1]), np.ones([6, 1])
    sources = [np.random.RandomState(rank) for rank in range(2)]
    for _ in range(20):
        grads = []
        for source in sources:
            features = source.rand(8, 4).astype("float32").astype(float)
            wrong = features @ weights - features @ [[1], [2], [3], [4]]
            grads.append(features.T @ wrong * 2 / 8)
        weights = weights - 0.2 * sum(grads) / 2
        for row in (0, 5, 1, 5):
            table[row] -= 0.2 * 0.1 / 2
    return weights.ravel(), table.ravel()


@pytest.mark.parametrize(
    "fails",
    [
        pytest.param(False, id="well"),
        pytest.param(True, id="restarted", marks=pytest.mark.full),
    ],
)
def test_two_ranks_train_and_restart(tmp_path, fails):
    command = [str(TRAINER), *([str(tmp_path / "marker")] if fails else [])]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tfmini", "launch", "--ranks", "2", *command],
        capture_output=True,
        text=True,
        timeout=240,
        env=environment(),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert ("restarting" in done.stdout) == fails
    results = [line.partition("] ")[2] for line in lines if "] [[" in line]
    assert len(results) == 2 and results[0] == results[1], done.stdout
    actual, begun = json.loads("[" + results[0].replace("]] [", "]], [") + "]")
    assert begun == [0.0] * 4  # rank 0's
    weights, table, total, joined, root, slope = actual
    expected = expected_training()
    np.testing.assert_allclose(weights, expected[0], atol=1e-3)
    np.testing.assert_allclose(table, expected[1], atol=1e-4)
    assert (total, joined, root) == ([4.0, 1.0], [0, 1, 1], [10])
    assert slope == [6.0] * 4  # 2 for each process's factors, 1 and 2
    positions = {line.partition("place ")[2] for line in lines if "place" in line}
    assert positions == {"0 2 0 2", "1 2 1 2"}


def test_single_rank_operations(alone):
    assert (hvd.rank(), hvd.size(), hvd.local_rank(), hvd.local_size()) == (0, 1, 0, 1)
    value = tf.constant([1.0, 2.0])
    slices = tf.IndexedSlices(tf.ones([2, 3]), tf.constant([0, 4]), tf.constant([5, 3]))
    sparse = hvd.allreduce(slices)
    results = [hvd.allreduce(value), hvd.allgather(value), hvd.broadcast(value, 0)]
    variable = tf.get_variable("v", initializer=[1.0, 1.0])
    optimizer = hvd.DistributedOptimizer(tf.train.MomentumOptimizer(0.1, 0.9))
    train = optimizer.minimize(tf.reduce_sum(variable * value))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert [each.tolist() for each in session.run(results)] == [[1.0, 2.0]] * 3
        assert session.run(hvd.allreduce(tf.constant([3, 5]))).tolist() == [3, 5]
        assert session.run(sparse.values).shape == (2, 3)
        session.run(train)
        session.run(hvd.broadcast_global_variables(0))
        np.testing.assert_allclose(session.run(variable), [0.9, 0.8], rtol=1e-6)
    assert optimizer.get_slot_names() == ["momentum"]
    assert optimizer.get_slot(variable, "momentum") is not None and optimizer.variables()


def test_single_rank_api_coverage(alone, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "cupy", raising=False)  # another test may have loaded it
    value = tf.constant([[1.0], [2.0]])
    assert hvd.broadcast_object([3]) == hvd.broadcast_object_fn()([3]) == [3]
    assert hvd.allgather_object({"a": 1}) == [{"a": 1}]
    assert (hvd.mpi_enabled(), hvd.gloo_enabled(), hvd.cuda_built()) == (False, True, False)
    assert hvd.nccl_built() == 0 and hvd.is_homogeneous()
    assert hvd.mpi_built() == (importlib.util.find_spec("mpi4py") is not None)
    hvd.start_timeline(str(tmp_path / "timeline.json"))
    hvd.stop_timeline()
    assert json.loads((tmp_path / "timeline.json").read_text()) == [{}]
    sent = hvd.alltoall(value, splits=[2])
    with tf.Session() as session:
        session.run(hvd.join())
        assert session.run(sent).tolist() == [[1.0], [2.0]]
        assert session.run(tf.gradients(sent, value)[0]).tolist() == [[1.0], [1.0]]
        assert session.run(hvd.allreduce(value, op=hvd.Adasum)).tolist() == [[1.0], [2.0]]
        assert session.run([hvd.rank_op(), hvd.size_op(), hvd.local_rank_op()]) == [0, 1, 0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be 1 row counts"):
            session.run(hvd.alltoall(value, splits=[1]))


def test_sync_batch_normalization_of_single_rank(alone):
    layer = hvd.SyncBatchNormalization()
    x = np.array([[1.0, 5.0], [3.0, 5.0]], np.float32)
    result = layer(x, training=True)
    assert layer.name == "sync_batch_normalization" and len(tf.get_collection("update_ops")) == 2
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        np.testing.assert_allclose(session.run(result), [[-1, 0], [1, 0]], atol=1e-3)
    for fused in (True, None):
        with pytest.raises(ValueError, match="does not support fused=True"):
            hvd.SyncBatchNormalization(fused=fused)


def test_backward_passes_accumulate_gradients(alone):
    """Accumulated gradients are applied in every second pass; skipped steps count too."""
    variable, unused = tf.get_variable("v", initializer=[1.0, 1.0]), tf.get_variable("u", [1])
    inputs = tf.placeholder(tf.float32, [2])
    optimizer = hvd.DistributedOptimizer(
        tf.train.GradientDescentOptimizer(1.0), backward_passes_per_step=2
    )
    pairs = optimizer.compute_gradients(tf.reduce_sum(variable * inputs), [variable, unused])
    assert pairs[1] == (None, unused)
    step = tf.train.get_or_create_global_step()
    train = optimizer.apply_gradients(pairs, step)
    seen = []
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for i in range(4):
            session.run(train, {inputs: [1.0, i]})
            seen.append([*session.run(variable).tolist(), int(session.run(step))])
    assert seen == [[1, 1, 1], [-1, 0, 2], [-1, 0, 3], [-3, -5, 4]]


def test_invalid_arguments(alone, monkeypatch):
    sgd = tf.train.GradientDescentOptimizer(0.1)
    with tf.Session() as session:
        for root in (1, -1):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=f"root_rank is {root}, but there are 1"
            ):
                session.run(hvd.broadcast(tf.constant(1.0), root))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot gather a scalar"):
            session.run(hvd.allgather(tf.constant(1.0)))
        with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot split a scalar"):
            session.run(hvd.alltoall(tf.constant(1.0)))
        for splits in ([1, 1], [3], [-1]):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match="must be 1 row counts that sum to 2"
            ):
                session.run(hvd.alltoall(tf.constant([1.0, 2.0]), splits=splits))
    for root in (1, -1):
        with pytest.raises(ValueError, match=f"root_rank is {root}, but there are 1 processes"):
            hvd.broadcast_object(3, root)
    with pytest.raises(ValueError, match="supersedes average"):
        hvd.allreduce(tf.constant(1.0), average=True, op=hvd.Sum)
    with pytest.raises(ValueError, match="op is 7: it must be hvd.Average"):
        hvd.allreduce(tf.constant(1.0), op=7)
    with pytest.raises(NotImplementedError, match="does not currently support sparse tensors"):
        hvd.allreduce(tf.IndexedSlices(tf.ones([1, 3]), [0]), op=hvd.Adasum)
    refused = {
        "doesn't inherit from either legacy": {"optimizer": 3},
        "backward_passes_per_step must be > 0": {"backward_passes_per_step": 0},
        "not supported with op != Average": {"op": hvd.Sum, "gradient_predivide_factor": 2.0},
        "Adasum does not support average_aggregated_gradients": {
            "op": hvd.Adasum,
            "average_aggregated_gradients": True,
        },
        "Adasum is not supported yet with Keras": {
            "op": hvd.Adasum,
            "optimizer": tf.keras.optimizers.SGD(0.1),
        },
    }
    for message, options in refused.items():
        with pytest.raises(ValueError, match=message):
            hvd.DistributedOptimizer(**{"optimizer": sgd, **options})
    table = tf.get_variable("table", [4, 2])
    optimizer = hvd.DistributedOptimizer(sgd, backward_passes_per_step=2)
    with pytest.raises(ValueError, match="IndexedSlices are not supported when"):
        optimizer.compute_gradients(tf.reduce_sum(tf.gather(table, [1])))
    with pytest.raises(tf.errors.UnimplementedError, match="communicators of a subset"):
        hvd.init([0, 1])
    monkeypatch.setattr(basics, "_places", [RankInfo(0, ("a:1", "b:1", "c:1"))])
    with pytest.raises(NotImplementedError, match="non-power of 2 ranks is not supported yet"):
        hvd.DistributedOptimizer(sgd, op=hvd.Adasum)
    hvd.shutdown()
    assert not hvd.is_initialized()
    text = r"^Horovod has not been initialized; use hvd.init\(\)\.$"
    asked = [hvd.rank, hvd.size, hvd.local_rank, hvd.local_size, hvd.mpi_threads_supported]
    asked += [hvd.is_homogeneous, hvd.stop_timeline, lambda: hvd.start_timeline("none")]
    for each in asked:
        with pytest.raises(ValueError, match=text):
            each()
    with tf.Session() as session:
        for made in (hvd.allreduce(tf.constant(1.0)), hvd.local_rank_op(), hvd.join()):
            with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
                session.run(made)
    monkeypatch.setenv("TFMINI_RANKS", "a:1,b:2,a:3")
    for name in ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)
    invalid = tf.errors.InvalidArgumentError
    with pytest.raises(invalid, match="3 addresses, but HOROVOD_RANK is not set$"):
        hvd.init()
    monkeypatch.setenv("SLURM_PROCID", "3")
    with pytest.raises(invalid, match="3 addresses, but SLURM_PROCID is 3$"):
        hvd.init()
    monkeypatch.setenv("SLURM_PROCID", "2")
    info = own_rank_info()
    assert info.on_each_host == {"a": [0, 2], "b": [1]}
    assert info.on_this_host == [0, 2] and info.rank == 2


def test_tensors_are_grouped_into_buckets():
    assert buckets([3, 3, 3, 10, 1], 6) == [[0, 1], [2], [3], [4]]
    assert buckets([], 6) == [] and buckets([0, 0], 6) == [[0, 1]]


def test_import_under_compatibility_runner(tmp_path):
    code = "import tfmini.as_tensorflow, horovod.tensorflow as h; h.init(); print(h.size())"
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, env=environment())
    assert done.stdout == "1\n", done.stderr
    code = (
        "import tfmini.as_tensorflow, horovod.tensorflow.keras.callbacks as first\n"
        "import horovod, horovod.tensorflow.keras as hvd, horovod.keras.callbacks\n"
        "from horovod.tensorflow.compression import Compression\n"
        "print(horovod.__version__, hvd.Compression is Compression, first.MetricAverageCallback "
        "is horovod.keras.callbacks.MetricAverageCallback is hvd.callbacks.MetricAverageCallback)"
    )
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, env=environment())
    assert done.stdout == "0.21.3 True True\n", done.stderr
    (tmp_path / "horovod.py").write_text("name = 'installed'\n")
    code = "import tfmini.as_tensorflow, horovod; print(horovod.name)"
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(
        run, capture_output=True, text=True, timeout=120, env=environment(), cwd=tmp_path
    )
    assert done.stdout == "installed\n", done.stderr


def test_gradients_of_single_rank(alone):
    """Each operation returns its input, and so does its gradient."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    result = {
        "sum": hvd.allreduce(x, op=hvd.Sum),
        "gathered": hvd.allgather(x),
        "broadcast": hvd.broadcast(x, 0),
        "adasum": hvd.allreduce(x, op=hvd.Adasum),
        "sent": hvd.alltoall(x),
        "grouped": hvd.grouped_allreduce([x, 2 * x])[1],
    }
    weights = tf.constant([[1.0, 0.0], [0.5, -2.0]])
    gradients = {name: tf.gradients(y * weights, x)[0] for name, y in result.items()}
    with tf.Session() as session:
        for name, gradient in session.run(gradients).items():
            factor = 2 if name == "grouped" else 1
            assert gradient.tolist() == [[factor, 0.0], [factor * 0.5, -2.0 * factor]], name


def test_gradient_tape_of_single_rank(alone):
    x = tf.get_variable("x", initializer=[1.0, 2.0], use_resource=True)
    y = tf.get_variable("y", initializer=3.0, use_resource=True)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(x * x) * y
    distributed = hvd.DistributedGradientTape(tape)
    assert isinstance(distributed, tf.GradientTape) and type(distributed).__name__ == "GradientTape"
    result = distributed.gradient(loss, {"x": x, "more": [y, y]})
    one = distributed.gradient(loss, x, output_gradients=tf.constant(2.0))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        values = session.run(result)
        assert values["x"].tolist() == [6.0, 12.0] and values["more"] == [5.0, 5.0]
        assert session.run(one).tolist() == [12.0, 24.0]
    with pytest.raises(ValueError, match="op|Sum|Average|reduction"):
        hvd.DistributedGradientTape(tape, op=77)


def test_uninitialized_use_is_rejected(monkeypatch):
    monkeypatch.setattr(basics, "_places", [])
    assert not hvd.is_initialized()
    for ask in (hvd.rank, hvd.size, hvd.local_rank, hvd.local_size, hvd.is_homogeneous):
        with pytest.raises(ValueError, match="initialized"):
            ask()
    for ask in (hvd.mpi_threads_supported, hvd.stop_timeline):
        with pytest.raises(ValueError, match="initialized"):
            ask()
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises((ValueError, tf.errors.OpError), match="initialized"):
            session.run(hvd.allreduce(tf.constant(1.0), op=hvd.Sum))
    assert hvd.gloo_built() is True
    assert hvd.ddl_built() is hvd.ccl_built() is hvd.rocm_built() is False
    assert not hvd.mpi_enabled() and not hvd.gloo_enabled()
    with pytest.raises(tf.errors.UnimplementedError, match="communicators of a subset are not"):
        hvd.init(comm=[0])
    hvd.init(comm=[])
    assert hvd.is_initialized() and hvd.gloo_enabled() and not hvd.mpi_threads_supported()
    hvd.init()
    hvd.shutdown()
    assert not hvd.is_initialized()
    hvd.shutdown()
