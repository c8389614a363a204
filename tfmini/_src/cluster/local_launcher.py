"""Launches a script's tasks as processes on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.cluster.launch_environment import LAUNCHER

Task = tuple[str, int]


class Machines(Protocol):
    """Places a script's tasks on machines and starts them there."""

    def addresses(self, jobs: Mapping[str, int]) -> dict[str, list[str]]:
        """Returns the new addresses for each job's tasks, on the machines where they will run."""

    def start(self, task: Task, arguments: Sequence[str], variables: Mapping[str, str]) -> Any:
        """Starts a task's Python with arguments and environment variables, like `subprocess.Popen`."""

    def has_lost(self, task: Task) -> bool:
        """Whether a task's machine is lost, so that its address is no longer valid."""

    def host(self) -> str:
        """Returns this machine's address, as seen from those machines."""

    def capacity(self) -> int:
        """Returns the number of tasks that fit in addition to the running ones."""

    def address(self, task: Task) -> str:
        """Returns a new address for one more task."""

    def release(self, task: Task) -> None:
        """Frees the slot of a finished task."""

    def close(self) -> None:
        """Ends all processes on the machines."""


class ThisMachine:
    """This machine, for all tasks."""

    def addresses(self, jobs: Mapping[str, int]) -> dict[str, list[str]]:
        return free_addresses(jobs)

    def start(self, task: Task, arguments: Sequence[str], variables: Mapping[str, str]) -> Any:
        return start(arguments, {**variables, LAUNCHER: str(os.getpid())})

    def has_lost(self, task: Task) -> bool:
        return False

    def host(self) -> str:
        return "127.0.0.1"

    def capacity(self) -> int:
        return sys.maxsize

    def address(self, task: Task) -> str:
        return free_addresses({"rank": 1})["rank"][0]

    def release(self, task: Task) -> None:
        """Does nothing: a task keeps its port."""

    def close(self) -> None:
        """Does nothing: there is nothing to release."""


def start(
    arguments: Sequence[str], variables: Mapping[str, str], directory: str | None = None
) -> subprocess.Popen:
    """Starts this Python with arguments; its output is read line by line."""
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,  # separate, because log lines could split printed lines
        env={**os.environ, **variables, "PYTHONUNBUFFERED": "1"},
        cwd=directory,
        text=True,
        errors="replace",
    )
