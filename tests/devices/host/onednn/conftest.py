"""The library as in a process that has not asked for it yet."""

import importlib.metadata

import pytest

from tfmini._src.devices.host.onednn import library

try:
    importlib.metadata.version("onednn-cpu-gomp")
    INSTALLED = True
except importlib.metadata.PackageNotFoundError:
    INSTALLED = False
needs_library = pytest.mark.skipif(not INSTALLED, reason="the extra onednn is not installed")


@pytest.fixture
def undecided(monkeypatch):
    monkeypatch.setattr(library, "_state", library._State())
    monkeypatch.delenv("TFMINI_ONEDNN", raising=False)
