"""A training run on a GPU: the same with and without capture and on the CPU, and 1,000 steps without memory growth."""

import gc

import numpy as np
import pytest

import tfmini as tf
from tests.on_gpus.training import Training

pytestmark = pytest.mark.gpu

RUN = "import sys; from tests.on_gpus import training; sys.argv[1:] = []; training.main()"


def losses(text):
    return [float.fromhex(line) for line in text.split()]


def test_captured_steps_match_uncaptured(in_a_process):
    captured = in_a_process(RUN, TFMINI_CUDA_GRAPHS="1", TF_FORCE_GPU_ALLOW_GROWTH="true")
    others = in_a_process(RUN, TFMINI_CUDA_GRAPHS="0", TF_FORCE_GPU_ALLOW_GROWTH="true")
    assert losses(captured) == losses(others)


def test_gpu_training_matches_cpu(in_a_process):
    on_device = losses(in_a_process(RUN, TF_FORCE_GPU_ALLOW_GROWTH="true"))
    on_cpu = losses(in_a_process(RUN, CUDA_VISIBLE_DEVICES=""))
    np.testing.assert_allclose(on_device[:10], on_cpu[:10], rtol=1e-4)
    assert on_device[-1] < on_device[0]


@pytest.mark.alone
@pytest.mark.parametrize("graphs", ["0", "1"])
def test_training_does_not_leak(graphs, monkeypatch):
    cupy = pytest.importorskip("cupy")
    monkeypatch.setenv("TFMINI_CUDA_GRAPHS", graphs)
    with tf.Graph().as_default():
        training = Training()
        for _ in range(100):
            training.step()
        (gpu,) = [g for name, g in training.session._devices.items() if name.endswith("GPU:0")]
        gc.collect()
        before = gpu.pool.total_bytes(), gpu.pool.used_bytes(), cupy.cuda.runtime.memGetInfo()[0]
        for _ in range(1000):
            training.step()
        gc.collect()
        after = gpu.pool.total_bytes(), gpu.pool.used_bytes(), cupy.cuda.runtime.memGetInfo()[0]
        training.session.close()
    assert after[0] <= before[0]
    assert after[1] <= before[1]
    assert before[2] - after[2] < 4 << 20  # others may use the GPU too


def test_float16_training_approximates_float32():
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.auto_mixed_precision = 1
    results = []
    for value in (None, config):
        with tf.Graph().as_default():
            training = Training(value)
            results.append([training.step() for _ in range(20)])
            training.session.close()
    plain, mixed = results
    assert mixed != plain
    np.testing.assert_allclose(mixed, plain, rtol=2e-2)
