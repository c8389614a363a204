"""Row T4: two GPUs by CUDA_VISIBLE_DEVICES, a fraction of their memory, memory growth."""

import pytest

import tfmini as tf
from tests.support import snippets
from tests.support.gpu.gpus import fake_gpus


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_output_matches_tensorflow(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t4_memory", tf)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_gpu_output_matches_tensorflow(count, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(devices=count) as machine:
        snippets.check("t4_memory", tf)
    assert machine.counters.launches > 0
