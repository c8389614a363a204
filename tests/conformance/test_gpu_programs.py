"""The GPU programs of `ci/gpu` also run on the emulator, so that they are correct when a GPU is available."""

import json
from unittest import mock

import numpy as np
import pytest

import tfmini as tf
from ci.commands.benchmarks import gpu_networks, gpu_rows, gpu_sides, gpu_sizes, gpu_step_logs
from tests.on_gpus import captures, test_several_gpus, training, unpooled
from tests.on_gpus.training import Training
from tests.support.fake_cupy.memory import Segment
from tests.support.gpu.gpus import fake_gpus

pytestmark = pytest.mark.usefixtures("gpu_environment")

STEPS = 12


def losses():
    training = Training()
    return [training.step() for _ in range(STEPS)]


def test_training_matches_on_cpu_and_replaying_gpu(monkeypatch):
    actual = {}
    for graphs in "0", "1":
        monkeypatch.setenv("TFMINI_CUDA_GRAPHS", graphs)
        with fake_gpus(devices=1) as machine, tf.Graph().as_default():
            actual[graphs] = losses()
        assert machine.counters.launches > 100
    with fake_gpus(devices=0):
        expected = losses()
    assert actual["0"] == actual["1"]
    np.testing.assert_allclose(actual["0"], expected, rtol=1e-4)


@pytest.mark.parametrize("cards", [1, 2])
def test_all_reduce_and_copies_over_several_gpus(cards, capsys):
    with fake_gpus(devices=cards):
        exec(test_several_gpus.BEGIN + test_several_gpus.ALL_REDUCE, {})
        exec(test_several_gpus.BEGIN + test_several_gpus.COPIES, {})
    reduced, copied = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert reduced == [0.0, True]
    assert copied == 0.0


def test_stream_capture_support():
    """It rejects only CuPy's own concatenate and matmul."""
    with fake_gpus(devices=1):
        actual = dict(captures.captures())
    refused = {name for name, result in actual.items() if result.startswith("refused")}
    assert refused == {"concatenate of 9, of CuPy", "matmul, of CuPy"}
    assert {r for n, r in actual.items() if n not in refused} == {"captured, the same result"}


def test_training_without_memory_pool(monkeypatch, capsys):
    """The losses equal those with the pool, and each variable has a separate segment."""
    monkeypatch.setattr("sys.argv", ["training", "2"])
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", "0")
    taken, printed = [], []
    segment = Segment.__init__
    for main in (training.main, unpooled.main):
        with fake_gpus(devices=1), tf.Graph().as_default():
            with mock.patch.object(Segment, "__init__", autospec=True, side_effect=segment) as made:
                main()
        taken.append(made.call_count)
        printed.append(capsys.readouterr().out)
    assert taken[0] < 20 < 60 < taken[1]
    assert printed[0] == printed[1] != ""


@pytest.fixture
def small(monkeypatch):
    """Benchmark sizes that the emulator computes quickly; a measurement is four steps."""
    for name, value in gpu_sizes.SMALL.items():
        monkeypatch.setattr(gpu_sizes, name, value)
    monkeypatch.setattr(
        gpu_sides, "host_and_wall", lambda step, done, **_: [step() for _ in range(4)]
    )


WORKS = dict.fromkeys(row.ours for row in gpu_rows.ROWS if row.needs_card)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", [work for work in WORKS if "network" not in work])
def test_benchmark_workloads(name):
    with fake_gpus(devices=1) as machine:
        side, work = name.split(" ", 1)
        assert len(gpu_sides.answer(side, work)) == 4
    assert machine.counters.launches


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["lenet", "resnet_20"])
def test_benchmark_networks_agree_in_both_layouts(name):
    def losses(layout):
        with tf.Graph().as_default(), tf.Session() as session:
            loss = gpu_networks.tfmini_loss(tf, name, layout)
            step = tf.train.MomentumOptimizer(0.01, 0.9).minimize(loss)
            session.run(tf.global_variables_initializer())
            return [session.run([loss, step])[0] for _ in range(2)]

    result = []
    for layout, devices in (("NHWC", 0), ("NHWC", 1), ("NCHW", 1)):
        with fake_gpus(devices=devices):
            result.append(losses(layout))
    np.testing.assert_allclose(result[1:], [result[0]] * 2, rtol=1e-4)
    assert len(set(result[0])) == 2


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("build", gpu_step_logs.MODELS.values(), ids=["resnet_20", "dynamic_lstm"])
def test_step_logs(build):
    """The second runs node by node, the last one captured."""
    with fake_gpus(devices=1):
        log = gpu_step_logs.capture_logs(build)
    first, last = log.split("<tfmini plan")[1:]
    assert "launches: " in first and "graph" in last
