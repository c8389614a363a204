"""Tasks terminate with their launcher."""

import ctypes
import os
import signal
import sys

import pytest

from tfmini._src.cluster.launch_environment import LAUNCHER, follow_launcher
from tfmini._src.cluster.local_launcher import ThisMachine


@pytest.fixture
def calls(monkeypatch):
    """System calls: prctl, and kill, which raises ProcessLookupError for a missing process."""
    created = []

    class Library:
        def __init__(self, name):
            assert name is None

        def prctl(self, *arguments):
            created.append(("prctl", *arguments))

    def kill(process, signum):
        created.append(("kill", process, signum))
        if signum == 0 and process == 999_999_999:
            raise ProcessLookupError

    monkeypatch.setattr(ctypes, "CDLL", Library)
    monkeypatch.setattr(os, "kill", kill)
    return created


FOLLOWS = ("prctl", 1, signal.SIGTERM, 0, 0, 0)


def test_parent_launcher_is_followed(calls, monkeypatch):
    monkeypatch.setenv(LAUNCHER, str(os.getppid()))
    follow_launcher()
    assert calls == [FOLLOWS] and LAUNCHER not in os.environ
    follow_launcher()
    assert calls == [FOLLOWS]


def test_task_follows_starting_process():
    program = f"import os; print(os.environ[{LAUNCHER!r}])"
    task = ThisMachine().start(("worker", 0), ["-c", program], {LAUNCHER: "1234567"})
    assert task.communicate()[0].strip() == str(os.getpid())


def test_indirect_launcher_is_checked(calls, monkeypatch):
    monkeypatch.setenv(LAUNCHER, "1234567")
    follow_launcher()
    assert calls == [FOLLOWS, ("kill", 1234567, 0)]


def test_orphaned_task_terminates_itself(calls, monkeypatch):
    monkeypatch.setenv(LAUNCHER, "999999999")
    follow_launcher()
    assert calls[2:] == [("kill", os.getpid(), signal.SIGTERM)]


def test_other_platforms_do_nothing(calls, monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setenv(LAUNCHER, "1234567")
    follow_launcher()
    monkeypatch.delenv(LAUNCHER, raising=False)
    follow_launcher()
    assert calls == []
