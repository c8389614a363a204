"""Row T2: a session's config: soft placement, memory options, threads, device counts."""

import pytest

import tfmini as tf
from tests import snippets


@pytest.mark.parametrize("visible", ["", "0,1"])
def test_prints_what_tensorflow_printed(visible, monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    snippets.check("t2_config", tf)
