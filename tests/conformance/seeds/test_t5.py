"""Row T5: towers on two GPUs, averaged gradients, collections of models and losses."""

import pytest

import tfmini as tf
from tests.support import snippets
from tests.support.gpu.gpus import fake_gpus


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_output_matches_tensorflow(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t5_towers", tf)


@pytest.mark.parametrize(
    "count",
    [pytest.param(1, marks=pytest.mark.full), 2, pytest.param(3, marks=pytest.mark.full)],
)
def test_gpu_output_matches_tensorflow(count, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(devices=count) as machine:
        snippets.check("t5_towers", tf)
    assert machine.counters.launches > 0
