"""Launches elastic ranks, which may join and leave: a round trains with the current ranks, oldest first.

A round begins once all running ranks, at least `min_processes`, have requested it. A failed rank is restarted, up to
`restarts` times; the remaining ranks also request the next round. When slots are free, more ranks are started, and the
current round is marked as changed once one of them waits for the next round.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty
from threading import Condition, Thread
from time import monotonic
from typing import Any, TextIO

from tfmini._src.base import logs
from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.launcher import RANK_JOB, Launch
from tfmini._src.cluster.local_launcher import Machines, Task

DRIVER = "TFMINI_ELASTIC"  # the launcher's address, a slash and a secret
WORKER = "TFMINI_ELASTIC_WORKER"  # number of this process in the job
WAIT_SECONDS = 600.0  # seconds to wait for enough ranks

_CHECK_SECONDS = 1.0
_SCRIPT_SECONDS = 60.0


class ElasticLaunch(Launch):
    """Ranks of elastic training, all running one command.

    Args:
      command: the script and its arguments.
      min_processes, max_processes: minimum and maximum number of ranks.
      slots: returns the number of ranks that currently fit.
      restarts: maximum number of restarts of failed ranks, in total.
      log: receives their output lines.
      machines: machines of the ranks, by default this one.
    """

    def __init__(
        self,
        command: Sequence[str],
        min_processes: int,
        max_processes: int,
        slots: Callable[[], int] | None = None,
        restarts: int = 3,
        log: TextIO | None = None,
        machines: Machines | None = None,
    ):
        super().__init__({}, command, restarts, log, machines)
        self._minimum, self._maximum = min_processes, max_processes
        self._slots = slots
        self._restarts = restarts
        self._abandoned_count = 0  # failed ranks that are not restarted
        self._started = 0
        self._addresses: dict[int, str] = {}  # running processes, by number
        self._ranks: list[int] = []  # process numbers of the last round, by rank
        self._waiting: set[int] = set()  # numbers of the processes asking for the next round
        self._leaving: set[int] = set()
        # Rank and addresses, for processes not notified yet.
        self._assignments: dict[int, tuple[int, list[str]]] = {}
        self._change_condition = Condition(make_lock())
        self._secret = secrets.token_urlsafe(16)
        self._server = ThreadingHTTPServer((self._machines.host(), 0), self._handler())
        self._server.daemon_threads = True

    def run(self) -> int:
        """Runs all ranks; returns 0 on success, else the exit status of a failed rank."""
        Thread(target=self._server.serve_forever, daemon=True).start()
        try:
            return super().run()
        finally:
            self._server.shutdown()
            self._server.server_close()

    def _watch(self) -> int:
        is_ending, status, next_check, since = False, 0, 0.0, monotonic()
        while self._running or not is_ending:
            if not is_ending and monotonic() >= next_check:
                next_check = monotonic() + _CHECK_SECONDS
                self._adjust_ranks()
            if len(self._running) >= self._minimum or is_ending:
                since = monotonic()
            elif self._abandoned_count or monotonic() > since + WAIT_SECONDS:
                logs.error(
                    "%d ranks are left, but %d are required", len(self._running), self._minimum
                )
                return status or 1
            self._begin_round(is_ending)
            try:
                task, process = self._ended.get(timeout=_CHECK_SECONDS / 4)
            except Empty:
                continue
            code = process.wait()
            is_lost = self._machines.has_lost(task)
            if self._forget(task):
                continue
            if not code:
                is_ending, status = True, 0
                continue
            status = code if code > 0 else 1
            if is_ending:
                self._write_line(task, f"ended with status {status}\n")
                return status
            if not is_lost and not self._restarts:
                self._abandoned_count += 1
                self._write_line(task, f"ended with status {status}; no restarts left\n")
                continue
            self._restarts -= not is_lost
            next_check = 0.0
            self._write_line(task, f"ended with status {status}; restarting\n")
        return status

    def _forget(self, task: Task) -> bool:
        """Forgets a process that has ended; returns whether it had been instructed to leave."""
        index = task[1]
        del self._running[task]
        self._machines.release(task)
        with self._change_condition:
            was_leaving = index in self._leaving
            del self._addresses[index]
            self._waiting.discard(index)
            self._leaving.discard(index)
        return was_leaving

    def _adjust_ranks(self) -> None:
        """Starts ranks if slots are free; ends the newest ranks if there are too many."""
        expected = min(self._maximum, self._capacity()) - self._abandoned_count
        with self._change_condition:
            staying = sorted(self._addresses.keys() - self._leaving)
            self._leaving.update(staying[max(expected, 0) :])
            self._change_condition.notify_all()
        for _ in range(expected - len(staying)):
            index = self._started
            address = self._machines.address((RANK_JOB, index))
            self._started += 1
            with self._change_condition:
                self._addresses[index] = address
            self._start(RANK_JOB, index)

    def _capacity(self) -> int:
        """Returns the number of ranks that fit, according to the script or the machines."""
        if self._slots is None:
            return len(self._running) + self._machines.capacity()
        try:
            return self._slots()
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            logs.warning("Host discovery failed: %s", error)
            return len(self._running)

    def _begin_round(self, is_ending: bool) -> None:
        """Begins the next round if all request it."""
        with self._change_condition:
            if is_ending:  # later requests are not served
                self._leaving |= self._waiting
            staying = self._addresses.keys() - self._leaving
            if self._minimum <= len(staying) and staying <= self._waiting:
                old = [index for index in self._ranks if index in staying]
                self._ranks = [*old, *sorted(staying.difference(old))]
                addresses = [self._addresses[index] for index in self._ranks]
                self._assignments = {
                    index: (rank, addresses) for rank, index in enumerate(self._ranks)
                }
                self._waiting.clear()
            self._change_condition.notify_all()

    def _task_environment(self, job: str, index: int) -> dict[str, str]:
        host, port = self._server.server_address[:2]
        return {DRIVER: f"{host!s}:{port}/{self._secret}", WORKER: str(index)}

    def _answer(self, question: str, index: int) -> Any:
        """Answers a process: its rank in the next round, whether ranks wait or must leave, or which ranks have left."""
        with self._change_condition:
            if question == "lost":
                waiting_addresses = self._addresses.keys() - self._waiting
                return [
                    rank for rank, task in enumerate(self._ranks) if task not in waiting_addresses
                ]
            if question == "changed":
                members = set(self._ranks)
                return bool(self._waiting - members or self._leaving & members)
            self._waiting.add(index)
            self._change_condition.wait_for(
                lambda: index in self._assignments or index in self._leaving, WAIT_SECONDS
            )
            return "leave" if index in self._leaving else self._assignments.pop(index, None)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        launch = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                secret, question, index = [*self.path.split("/")[1:], "", "", ""][:3]
                is_known = secrets.compare_digest(secret.encode(), launch._secret.encode())
                if (
                    not is_known
                    or not index.isdigit()
                    or question not in ("round", "changed", "lost")
                ):
                    self.send_error(404)
                    return
                text = json.dumps(launch._answer(question, int(index))).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, format: str, *args: Any) -> None:
                """Suppresses request logging."""

        return Handler


def script_slots(script: str, names: Sequence[str] | None) -> int:
    """Sums the slots of the hosts printed by a script, one per line: "localhost:4", or "localhost" for one slot.

    names: host names to count, None for all.

    Raises:
      ValueError: if a line is not a host.
      OSError, subprocess.SubprocessError: if the script fails.
    """
    process = subprocess.run(
        [os.path.abspath(script)],
        capture_output=True,
        text=True,
        timeout=_SCRIPT_SECONDS,
        check=True,
    )
    total = 0
    for line in filter(None, map(str.strip, process.stdout.splitlines())):
        host, _, slots = line.partition(":")
        if not host or not (slots or "1").isdigit():
            raise ValueError(f"{script} printed {line!r}, expected HOST:SLOTS")
        if names is None or host in names:
            total += int(slots or 1)
        else:
            logs.warning("%s is a remote machine; starting ranks on it requires --ray", host)
    return total


def own_names() -> tuple[str, ...]:
    """Returns the host names that a script may use for this machine."""
    return ("localhost", "127.0.0.1", socket.gethostname(), socket.getfqdn())
