"""Row T5: towers on two GPUs, averaged gradients, collections of models and losses."""

import pytest

import tfmini as tf
from tests import snippets


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_prints_what_tensorflow_printed(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t5_towers", tf)
