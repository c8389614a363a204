"""Several server processes at the same sockets, and their supervisor.

A worker is starting until its models are loaded, then serves, and retires once a successor serves in its place. The
supervisor never waits for a single worker, so signals take effect at once.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from multiprocessing import connection
from typing import Any

import uvicorn

from tfmini._src.base import logs
from tfmini._src.programs.serving.shutdown import RETIRE

_HEARTBEAT_SECONDS = 0.5  # seconds between heartbeats
_MAX_SILENCE_SECONDS = 60.0  # seconds without a heartbeat, after which a worker counts as hung
_MAX_LOADING_SECONDS = 3600.0  # seconds for a worker to load its models
_STARTUP_FAILURE = 3

_spawn = multiprocessing.get_context("spawn")


class Worker:
    """A server process.

    is_serving: whether its models are loaded.
    is_outdated: whether it is to be replaced.
    is_retiring: whether a successor serves in its place.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]):
        self._heartbeats, worker_end = _spawn.Pipe(duplex=False)
        self.process = _spawn.Process(target=_work, args=(config, sockets, worker_end))
        self.process.start()
        worker_end.close()
        self._begin = self._last_heard = time.monotonic()
        self.is_serving = self.is_outdated = self.is_retiring = False

    def listen(self) -> None:
        """Reads the worker's heartbeats."""
        with contextlib.suppress(EOFError, OSError):
            while self._heartbeats.poll():
                self.is_serving = self._heartbeats.recv()
                self._last_heard = time.monotonic()

    def is_hung(self) -> bool:
        """Whether the worker has shown no progress for too long."""
        now = time.monotonic()
        is_late = not self.is_serving and now > self._begin + _MAX_LOADING_SECONDS
        return is_late or now > self._last_heard + _MAX_SILENCE_SECONDS

    def loads_since(self, when: float) -> bool:
        """Whether the worker was still loading its models a second after `when`."""
        return not self.is_serving and self._last_heard > when + 1.0

    def send(self, signum: int) -> None:
        """Sends a signal to the worker."""
        if self.process.pid is not None and self.process.exitcode is None:
            os.kill(self.process.pid, signum)

    def close(self) -> None:
        """Joins an ended process and closes its pipe."""
        self.process.join()
        self._heartbeats.close()


class Workers:
    """Keeps `config.workers` workers running.

    SIGHUP replaces all of them in sequence. SIGTERM and SIGINT end all, even during a replacement; a second one ends
    their drain.
    """

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]):
        self._config, self._sockets = config, sockets
        self._workers: list[Worker] = []
        self._ending: float | None = None  # start time of the shutdown
        self._has_failed = False

    def run(self) -> bool:
        """Returns when all workers have ended after a signal, or False if they cannot start."""
        with _signals() as received:
            self._fill()
            while self._workers:
                sentinels = [worker.process.sentinel for worker in self._workers]
                connection.wait([received, *sentinels], _HEARTBEAT_SECONDS)
                with contextlib.suppress(BlockingIOError):
                    for signum in received.recv(64):
                        self._handle_signal(signum)
                self._supervise()
        return not self._has_failed

    def _handle_signal(self, signum: int) -> None:
        if signum != signal.SIGHUP:
            self._end()
        elif self._ending is None:
            for worker in self._active():
                worker.is_outdated = True

    def _end(self) -> None:
        if self._ending is None:
            self._ending = time.monotonic()
        for worker in self._workers:
            worker.send(signal.SIGTERM)

    def _supervise(self) -> None:
        """Reacts to the end of workers."""
        for worker in tuple(self._workers):
            worker.listen()
            if worker.process.exitcode is not None:
                self._workers.remove(worker)
                self._on_worker_end(worker)
                worker.close()
            elif worker.is_hung() or self._ending and worker.loads_since(self._ending):
                worker.send(signal.SIGKILL)
        if self._ending is None:
            self._fill()
            self._replace()

    def _on_worker_end(self, worker: Worker) -> None:
        if self._ending is not None or worker.is_retiring:
            return
        pid, status = worker.process.pid, worker.process.exitcode
        outdated_workers = [worker for worker in self._workers if worker.is_outdated]
        if worker.is_serving or worker.is_outdated:
            logs.error("Worker %d ended with status %d; replacing it", pid, status)
        elif outdated_workers:
            logs.error("Worker %d failed to start; keeping the current workers", pid)
            for other in outdated_workers:
                other.is_outdated = False
        elif status == _STARTUP_FAILURE:  # like any other worker
            self._has_failed = True
            self._end()

    def _active(self) -> list[Worker]:
        return [worker for worker in self._workers if not worker.is_retiring]

    def _fill(self) -> None:
        for _ in range(self._config.workers - len(self._active())):
            self._start()

    def _replace(self) -> None:
        """Takes the next step in replacing outdated workers: starts a successor, then retires one."""
        active = self._active()
        outdated_workers = [worker for worker in active if worker.is_outdated]
        if not outdated_workers or not all(w.is_serving for w in active if not w.is_outdated):
            return
        if len(active) > self._config.workers:
            outdated_workers[0].is_retiring = True
            outdated_workers[0].send(RETIRE)
        elif len(active) == len(self._workers):
            self._start()

    def _start(self) -> None:
        self._workers.append(Worker(self._config, self._sockets))


@contextlib.contextmanager
def _signals() -> Iterator[socket.socket]:
    """Context manager that yields a socket which receives signal numbers, a byte each, in place of their handlers."""
    received, sent = socket.socketpair()
    received.setblocking(False)
    sent.setblocking(False)
    handled_signals = signal.SIGTERM, signal.SIGINT, signal.SIGHUP
    previous_handlers = {
        signum: signal.signal(signum, lambda *_: None) for signum in handled_signals
    }
    wakeup = signal.set_wakeup_fd(sent.fileno())
    try:
        yield received
    finally:
        signal.set_wakeup_fd(wakeup)
        for signum, handler in previous_handlers.items():
            signal.signal(signum, handler)
        received.close()
        sent.close()


def _work(config: uvicorn.Config, sockets: list[socket.socket], supervisor: Any) -> None:
    """Runs a worker's main function."""
    config.configure_logging()
    server = uvicorn.Server(config)
    threading.Thread(target=_send_heartbeats, args=(server, supervisor), daemon=True).start()
    server.run(sockets)
    if not server.started:
        sys.exit(_STARTUP_FAILURE)


def _send_heartbeats(server: uvicorn.Server, supervisor: Any) -> None:
    """Reports to the supervisor whether the server has started; ends the process if the supervisor has ended."""
    with contextlib.suppress(OSError):
        while True:
            supervisor.send(server.started)
            time.sleep(_HEARTBEAT_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)
