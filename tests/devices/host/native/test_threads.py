"""Work divided among the library's threads: every part runs once, for any caller, with the caller's settings."""

import os
import threading

import numpy as np
import pytest

from tfmini._src.devices.host import threads
from tfmini._src.devices.host.denormals import FLUSHES, flush_denormals
from tfmini._src.devices.host.native import rows


@pytest.fixture(params=[1, 2, 9])
def count(request, monkeypatch):
    monkeypatch.setattr(threads._threads, "count", request.param)


def test_all_rows_are_processed(build, count):
    for shape in ((300, 1000), (3, 100_000), (100_000, 32), (1, 300_000)):
        x = np.random.RandomState(0).randint(-9, 9, shape).astype("f")
        np.testing.assert_array_equal(rows.row_sums(x), x.sum(1))
        np.testing.assert_array_equal(rows.extremes("fmax", x, -np.inf), x.max(1))


@pytest.mark.parametrize("is_sorted", [True, False])
def test_sums_preserve_row_order(build, count, is_sorted):
    rng = np.random.RandomState(0)
    for columns, segments in ((1, 7), (100, 1), (100, 40), (3, 90_000)):
        inputs = rng.randn(300_000 // columns, columns).astype("f")
        ids = rng.randint(0, segments, len(inputs))
        ids = np.sort(ids) if is_sorted else ids
        expected = np.zeros((segments, columns), "f")
        np.add.at(expected, ids, inputs)
        assert rows.sum_rows(inputs, ids, segments).tobytes() == expected.tobytes()


def test_concurrent_callers(build, count):
    inputs = [np.random.RandomState(i).randn(400, 700).astype("f") for i in range(6)]
    expected = [x.max(1) for x in inputs]
    wrong = []

    def call(i):
        for _ in range(20):
            if (rows.extremes("maximum", inputs[i], -np.inf) != expected[i]).any():
                wrong.append(i)

    callers = [threading.Thread(target=call, args=(i,)) for i in range(len(inputs))]
    for each in callers:
        each.start()
    for each in callers:
        each.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_during_computation(build, monkeypatch):
    monkeypatch.setattr(threads._threads, "count", 3)
    x = np.random.RandomState(0).randn(400, 700).astype("f")
    expected = x.max(1)
    done = threading.Event()

    def call():
        while not done.is_set():
            rows.extremes("maximum", x, -np.inf)

    callers = [threading.Thread(target=call) for _ in range(2)]
    for each in callers:
        each.start()
    ended = []
    for _ in range(4):
        child = os.fork()
        if not child:
            os._exit(int((rows.extremes("maximum", x, -np.inf) != expected).any()))
        ended.append(os.waitpid(child, 0)[1])
    done.set()
    for each in callers:
        each.join()
    assert ended == [0] * 4


@pytest.mark.skipif(not FLUSHES, reason="this processor has no such setting")
def test_denormal_mode_follows_caller(build, count):
    tiny = np.full((300, 1000), 1e-42, "f")
    assert (rows.row_sums(tiny) > 0).all()
    with flush_denormals():
        assert (rows.row_sums(tiny) == 0).all()
    assert (rows.row_sums(tiny) > 0).all()


@pytest.mark.skipif(not FLUSHES, reason="this processor has no such setting")
def test_running_threads_adopt_caller_denormal_mode(build, monkeypatch):
    monkeypatch.setattr(threads._threads, "count", 2)
    assert (rows.row_sums(np.full((300, 1000), 1e-42, "f")) > 0).all()
    tiny = np.full((1000, 10_000), 1e-42, "f")  # long enough for the other thread to wake up
    with flush_denormals():
        for _ in range(4):
            assert (rows.row_sums(tiny) == 0).all()
