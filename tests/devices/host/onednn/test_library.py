"""Without oneDNN, a message is logged once, and NumPy computes."""

import logging
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event

import numpy as np

import tfmini as tf
from tfmini._src.devices.host.onednn import convolution, library


def test_missing_library_is_logged_once(undecided, monkeypatch, caplog):
    monkeypatch.setattr(library, "_library_path", lambda: None)
    monkeypatch.setattr(convolution, "_MIN_MULTIPLICATIONS", 0)
    x, w = np.ones([1, 5, 5, 4], "f"), np.ones([3, 3, 4, 2], "f")
    y = tf.nn.conv2d(x, w, 1, "VALID")
    logger = logging.getLogger("tensorflow")
    monkeypatch.setattr(logger, "propagate", True)
    with caplog.at_level(logging.INFO, logger="tensorflow"), tf.Session() as session:
        for _ in range(2):
            np.testing.assert_array_equal(session.run(y), np.full([1, 3, 3, 2], 36, "f"))
    lines = [record.getMessage() for record in caplog.records if "onednn" in record.getMessage()]
    assert len(lines) == 1


def test_library_is_located_or_disabled(undecided, monkeypatch, tmp_path):
    files = tmp_path / "packages" / "onednn_cpu_gomp-1.dist-info"
    files.mkdir(parents=True)
    (files / "RECORD").write_text("a.py,,\n../lib/libdnnl.so.3,sha256=x,1\n")
    monkeypatch.setattr("sys.path", [str(tmp_path / "none"), str(files.parent)])
    assert library._library_path() is None  # listed, but missing
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libdnnl.so.3").touch()
    assert library._library_path() == str(tmp_path / "lib" / "libdnnl.so.3")
    monkeypatch.setenv("TFMINI_ONEDNN", "0")
    assert library._library_path() is None


def test_unloadable_library_falls_back_to_numpy(undecided, monkeypatch, tmp_path):
    path = tmp_path / "libdnnl.so.3"
    path.write_bytes(b"not a library")
    monkeypatch.setattr(library, "_library_path", lambda: str(path))
    assert library.library() is None


def test_second_thread_waits_for_loading(undecided, monkeypatch):
    begun, comes, may_end = Event(), Event(), Event()

    def found():
        begun.set()
        assert may_end.wait(60)
        return "path"

    monkeypatch.setattr(library, "_library_path", found)
    monkeypatch.setattr(library, "Library", str)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(library.library)
        assert begun.wait(60)
        second = pool.submit(lambda: comes.set() or library.library())
        assert comes.wait(60)
        wait([second], 0.2)
        may_end.set()
        assert (first.result(), second.result()) == ("path", "path")


def test_forked_child_falls_back_to_numpy():
    state = library._State()
    state.forget()
    assert state.decided and state.library is None
