"""Ranks that wait for a busy one."""

import threading

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.horovod.test_reductions import in_ranks
from tfmini._src.cluster.rendezvous import Future
from tfmini._src.distribute.horovod.stalls import StallCheck

_CHECK = "HOROVOD_STALL_CHECK_TIME_SECONDS"
_SHUTDOWN = "HOROVOD_STALL_SHUTDOWN_TIME_SECONDS"


def test_stalled_operation_warns_and_completes(monkeypatch, caplog):
    monkeypatch.setenv(_CHECK, "0.05")
    is_warned = threading.Event()

    def work(comm):
        if comm.rank == 1:
            assert is_warned.wait(60)
        return comm.sum("gradient", np.ones(3))

    class Watch:
        def __call__(self, record):
            if "gradient of rank 1 for more than 0.05 seconds" in record.getMessage():
                is_warned.set()
            return True

    watch = Watch()
    caplog.handler.addFilter(watch)
    try:
        for total in in_ranks(2, work):
            np.testing.assert_array_equal(total, [2, 2, 2])
    finally:
        caplog.handler.removeFilter(watch)


def test_stalled_operation_times_out(monkeypatch):
    monkeypatch.setenv(_SHUTDOWN, "0.2")
    monkeypatch.setenv(_CHECK, "0.1")

    def work(comm):
        return comm.sum(("one", "other")[comm.rank], np.ones(3))

    for rank, error in enumerate(in_ranks(2, work)):
        assert isinstance(error, tf.errors.UnknownError)
        name = ("one", "other")[rank]
        expected = f"Rank {1 - rank} has not reached {name} within 0.2 seconds ({_SHUTDOWN})"
        assert error.message == expected


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, (60, 0)),
        ({_CHECK: "5", _SHUTDOWN: "7.5"}, (5, 7.5)),
        ({_CHECK: "0", _SHUTDOWN: "9"}, (0, 9)),
        ({_SHUTDOWN: "9", "HOROVOD_STALL_CHECK_DISABLE": "1"}, (0, 0)),
        ({_SHUTDOWN: "9", "HOROVOD_STALL_CHECK_DISABLE": "0"}, (60, 9)),
    ],
)
def test_stall_settings(monkeypatch, variables, expected):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    actual = StallCheck()
    assert (actual._warn_after, actual._fail_after) == expected


@pytest.mark.parametrize("text", ["soon", "-1", "inf", "nan"])
def test_invalid_stall_settings(monkeypatch, text):
    monkeypatch.setenv(_CHECK, text)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{_CHECK} is '{text}'"):
        StallCheck()


def test_available_result_does_not_warn(monkeypatch, caplog):
    monkeypatch.setenv(_CHECK, "0.001")
    outcome = Future()
    outcome.put(5)
    assert StallCheck().wait(outcome, "a", list) == 5
    assert not caplog.records


@pytest.mark.parametrize("late", [[0], [3], [0, 3]])
def test_late_ranks_are_named(monkeypatch, late):
    """But not other waiting ones."""
    monkeypatch.setenv(_SHUTDOWN, "2")
    monkeypatch.setenv(_CHECK, "0")
    all_failed, in_time = threading.Barrier(4), threading.Barrier(4 - len(late))

    def work(comm):
        error = None
        if comm.rank not in late:
            in_time.wait(60)
            with pytest.raises(tf.errors.UnknownError) as caught:
                comm.sum("gradient", np.ones(3))
            error = caught.value.message
        all_failed.wait(60)
        return error

    comm = [each for each in in_ranks(4, work) if each]
    named = "Rank 0 has" if late == [0] else "Rank 3 has" if late == [3] else "Rank"
    assert comm and all(each.startswith(named) for each in comm)
    assert not any(f"{rank} ha" in each for each in comm for rank in (1, 2))
