"""Horovod's interface: two processes of one script, one process alone, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tfmini as tf
from tests.cluster.tasks import environment
from tfmini._src.distribute.horovod import tensorflow as hvd
from tfmini._src.distribute.horovod.ranks import own_place
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
    """The weights and the table after the trainer's steps, by numpy."""
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
        pytest.param(True, id="restarted", marks=pytest.mark.thorough),
    ],
)
def test_two_processes(tmp_path, fails):
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
    assert ("started again" in done.stdout) == fails
    results = [line.partition("] ")[2] for line in lines if "] [[" in line]
    assert len(results) == 2 and results[0] == results[1], done.stdout
    found, begun = json.loads("[" + results[0].replace("]] [", "]], [") + "]")
    assert begun == [0.0] * 4  # those of rank 0
    weights, table, total, joined, root, slope = found
    expected = expected_training()
    np.testing.assert_allclose(weights, expected[0], atol=1e-3)
    np.testing.assert_allclose(table, expected[1], atol=1e-4)
    assert (total, joined, root) == ([4.0, 1.0], [0, 1, 1], [10])
    assert slope == [6.0] * 4  # 2 of each process's factors, 1 and 2
    places = {line.partition("place ")[2] for line in lines if "place" in line}
    assert places == {"0 2 0 2", "1 2 1 2"}


def test_one_process(alone):
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


def test_what_is_refused(alone, monkeypatch):
    sgd = tf.train.GradientDescentOptimizer(0.1)
    with tf.Session() as session:
        for root in (1, -1):
            with pytest.raises(
                tf.errors.InvalidArgumentError, match=f"root_rank is {root}, and there are 1"
            ):
                session.run(hvd.broadcast(tf.constant(1.0), root))
        with pytest.raises(tf.errors.InvalidArgumentError, match="scalar cannot be gathered"):
            session.run(hvd.allgather(tf.constant(1.0)))
    with pytest.raises(ValueError, match="supersedes average"):
        hvd.allreduce(tf.constant(1.0), average=True, op=hvd.Sum)
    with pytest.raises(tf.errors.UnimplementedError, match="Adasum"):
        hvd.DistributedOptimizer(sgd, op=hvd.Adasum)
    with pytest.raises(ValueError, match="doesn't inherit"):
        hvd.DistributedOptimizer(3)
    with pytest.raises(ValueError, match="backward_passes_per_step"):
        hvd.DistributedOptimizer(sgd, backward_passes_per_step=2)
    hvd.shutdown()
    assert not hvd.is_initialized()
    text = r"^Horovod has not been initialized; use hvd.init\(\)\.$"
    asked = (hvd.rank, hvd.size, hvd.local_rank, hvd.local_size, hvd.mpi_threads_supported)
    for each in asked:
        with pytest.raises(ValueError, match=text):
            each()
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="not been initialized"):
            session.run(hvd.allreduce(tf.constant(1.0)))
    monkeypatch.setenv("TFMINI_RANKS", "a:1,b:2,a:3")
    for name in ("HOROVOD_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="3 addresses, and HOROVOD_RANK is not"
    ):
        hvd.init()
    monkeypatch.setenv("SLURM_PROCID", "2")
    assert own_place().on_this_host == [0, 2] and own_place().rank == 2


def test_buckets():
    assert buckets([3, 3, 3, 10, 1], 6) == [[0, 1], [2], [3], [4]]
    assert buckets([], 6) == [] and buckets([0, 0], 6) == [[0, 1]]


def test_the_name_under_the_runner(tmp_path):
    code = "import tfmini.as_tensorflow, horovod.tensorflow as h; h.init(); print(h.size())"
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, timeout=120, env=environment())
    assert done.stdout == "1\n", done.stderr
    (tmp_path / "horovod.py").write_text("name = 'installed'\n")
    code = "import tfmini.as_tensorflow, horovod; print(horovod.name)"
    run = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(
        run, capture_output=True, text=True, timeout=120, env=environment(), cwd=tmp_path
    )
    assert done.stdout == "installed\n", done.stderr
