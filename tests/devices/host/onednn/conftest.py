"""Resets the library to the state of a process that has not loaded it."""

import importlib.metadata
import threading
from concurrent import futures

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


def interrupted_by(monkeypatch, first, second):
    """The first call's result, and the results of a second call, run on another thread before each of the first's
    primitives.
    """
    loaded, owner, results = library.library(), threading.get_ident(), []
    execute = loaded.execute

    def stopping(*arguments):
        if threading.get_ident() == owner:
            results.append(pool.submit(second).result(60))
        return execute(*arguments)

    with futures.ThreadPoolExecutor(1) as pool, monkeypatch.context() as patch:
        patch.setattr(loaded, "execute", stopping)
        return first(), results
