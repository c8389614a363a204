"""Installs the hook in this process for tests that use `tensorflow`, and removes it after each."""

import os
import sys

import pytest
import six.moves  # noqa: F401  its finder is there before others are put away

from tfmini._src.programs.hook.import_finder import install


@pytest.fixture
def tensorflow(monkeypatch):
    """`tensorflow`, imported through the hook."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setenv("PYTHONPATH", os.environ.get("PYTHONPATH", ""))
    before = set(sys.modules)
    install()
    import tensorflow

    yield tensorflow
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("tensorflow", "tensorflow_core"):
            del sys.modules[name]
