"""Row T4: two GPUs by CUDA_VISIBLE_DEVICES, a fraction of their memory, taken as needed."""

import pytest

import tfmini as tf
from tests import snippets


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_prints_what_tensorflow_printed(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t4_memory", tf)
