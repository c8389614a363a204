"""Garbage collection pauses, and resumes with its previous settings."""

import gc

import pytest

from tfmini._src.base import garbage_collection


def test_collection_resumes_after_error():
    with pytest.raises(KeyError, match="lost"), garbage_collection.pause_collection():
        assert not gc.isenabled()
        raise KeyError("lost")
    assert gc.isenabled()


def test_disabled_collection_stays_disabled():
    with garbage_collection.pause_collection():
        with garbage_collection.pause_collection():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
