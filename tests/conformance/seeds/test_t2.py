"""Row T2: a session's config: soft placement, memory options, threads, device counts."""

import pytest

import tfmini as tf
from tests.support import snippets
from tests.support.gpu.gpus import fake_gpus


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_output_matches_tensorflow(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t2_config", tf)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_gpu_output_matches_tensorflow(count, monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    with fake_gpus(devices=count):
        snippets.check("t2_config", tf)
