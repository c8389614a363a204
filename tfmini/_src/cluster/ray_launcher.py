"""Launches a script's tasks on the machines of a Ray cluster.

Ray places an actor per task; the actor starts the task's process on its machine and forwards the output. A failed task
is restarted by its actor, at the same address. If Ray loses the actor, with or without its machine, all tasks are
placed again, because each task has the addresses of all others.
"""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import UnimplementedError
from tfmini._src.base.package import DISTRIBUTION
from tfmini._src.cluster.local_launcher import Task, start

_POLL_SECONDS = 1.0
_WAITING_SECONDS = 10.0
_MAX_ACTOR_CALLS = (
    8  # concurrent calls per actor: for the lines of two streams, the exit status, and signals
)
_LOST_MACHINE_STATUS = 1  # exit status of a task whose machine is lost


def _node_address() -> str:
    """Returns this machine's address in the Ray cluster, which this process joins."""
    from ray.util import get_node_ip_address  # noqa: PLC0415

    return get_node_ip_address()


class TaskHost:
    """Ray actor that runs one task's processes on its machine."""

    def __init__(self) -> None:
        self._process: Any = None
        self._lines: dict[str, SimpleQueue[str | None]] = {}
        self._reserved_socket = socket.socket()
        # The task's server sets this option too and can bind the port; processes asking for a free port do not get it.
        self._reserved_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._reserved_socket.bind(("", 0))

    def address(self) -> str:
        """Returns a free address on this machine, by its name in Ray; the port is reserved until the actor ends."""
        return f"{_node_address()}:{self._reserved_socket.getsockname()[1]}"

    def start(self, arguments: Sequence[str], variables: Mapping[str, str], directory: str) -> None:
        """Starts the task."""
        self._process = start(arguments, variables, directory if os.path.isdir(directory) else None)
        for name in ("stdout", "stderr"):
            lines = self._lines[name] = SimpleQueue()
            arguments_of = (getattr(self._process, name), lines)
            Thread(target=_read_lines, args=arguments_of, daemon=True).start()

    def lines(self, name: str) -> list[str] | None:
        """Returns the next lines of a stream; empty if none arrived for a second, None at the end."""
        texts: list[str] = []
        lines = self._lines[name]
        try:
            line = lines.get(timeout=_POLL_SECONDS)
            while line is not None:
                texts.append(line)
                line = lines.get_nowait()
        except Empty:
            return texts
        if texts:
            lines.put(None)  # the end, for the next call
        return texts or None

    def wait(self) -> int | None:
        """Returns the exit status of the task, or None if it still runs after a second."""
        try:
            return self._process.wait(_POLL_SECONDS)
        except subprocess.TimeoutExpired:
            return None

    def end(self, immediately: bool) -> None:
        """Terminates the task, or kills it."""
        if immediately:
            self._process.kill()
        else:
            self._process.terminate()


def _read_lines(stream: Any, lines: SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


class RayProcess:
    """A task's process on another machine, with the `Popen` methods used by `Launch`."""

    def __init__(self, ray: Any, host: Any):
        self._ray = ray
        self._host = host
        self.is_lost = False
        self.stdout, self.stderr = _Stream(self, "stdout"), _Stream(self, "stderr")

    def ask(self, method: str, *args: Any) -> Any:
        """Calls a method of the actor and returns its reply; None once Ray has lost the actor."""
        try:
            return self._ray.get(getattr(self._host, method).remote(*args))
        except self._ray.exceptions.RayError as error:
            if not self.is_lost:
                logs.warning("Ray: %s", str(error).strip().splitlines()[0])
            self.is_lost = True
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Returns the exit status. Raises subprocess.TimeoutExpired after about `timeout` seconds."""
        tries = None if timeout is None else max(1, round(timeout / _POLL_SECONDS))
        while tries is None or tries > 0:
            status = self.ask("wait")
            if self.is_lost:
                return _LOST_MACHINE_STATUS
            if status is not None:
                return status
            tries = None if tries is None else tries - 1
        raise subprocess.TimeoutExpired("task", timeout or 0.0)

    def terminate(self) -> None:
        self.ask("end", False)

    def kill(self) -> None:
        self.ask("end", True)


class _Stream:
    """Output of a process on another machine, line by line."""

    def __init__(self, process: RayProcess, name: str):
        self._process, self._name = process, name

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *exc: object) -> None:
        """Does nothing: there is nothing to close."""

    def __iter__(self) -> Iterator[str]:
        while (lines := self._process.ask("lines", self._name)) is not None:
            yield from lines


class RayMachines:
    """Machines of the Ray cluster at RAY_ADDRESS, or of one started here.

    Args:
      cpus, gpus: number per task; parameter servers get no GPUs.

    Raises:
      UnimplementedError: if Ray is not installed.
    """

    def __init__(self, cpus: float = 1.0, gpus: float = 0.0):
        try:
            import ray  # noqa: PLC0415
        except ImportError as error:
            raise UnimplementedError(
                None, None, f"--ray requires Ray: pip install '{DISTRIBUTION}[ray]' ({error})"
            ) from None
        self._ray = ray
        self._cpus, self._gpus = cpus, gpus
        self._hosts: dict[Task, Any] = {}
        self._processes: dict[Task, RayProcess] = {}
        self._is_own = not ray.is_initialized()
        if self._is_own:
            ray.init(log_to_driver=False, include_dashboard=False)

    def addresses(self, jobs: Mapping[str, int]) -> dict[str, list[str]]:
        """Places an actor per task; returns the tasks' addresses."""
        self._leave()
        expected = {
            "CPU": self._cpus * sum(jobs.values()),
            "GPU": self._gpus * sum(count for job, count in jobs.items() if job != "ps"),
        }
        free = self._ray.available_resources()
        has_room = all(free.get(resource, 0.0) >= count for resource, count in expected.items())
        waiting = {
            self._place_actor((job, index)).address.remote(): (job, index)
            for job, count in jobs.items()
            for index in range(count)
        }
        address_by_task: dict[Task, str] = {}
        while waiting:
            ready, _ = self._ray.wait(list(waiting), timeout=_WAITING_SECONDS)
            for ready_ref in ready:
                task = waiting.pop(ready_ref)
                address_by_task[task] = self._ray.get(ready_ref)
            if not ready:
                tasks = ", ".join(f"{job} {index}" for job, index in waiting.values())
                if has_room:
                    logs.warning("Ray is still starting %s", tasks)
                    continue
                logs.warning(
                    "Ray lacks resources for %s: all tasks require %g CPUs and %g GPUs, but "
                    "only %g and %g are free",
                    tasks,
                    *expected.values(),
                    *(self._ray.available_resources().get(resource, 0.0) for resource in expected),
                )
        return {job: [address_by_task[job, index] for index in range(n)] for job, n in jobs.items()}

    def _place_actor(self, task: Task) -> Any:
        """Places a new actor for a task."""
        host = self._hosts[task] = (
            self._ray.remote(TaskHost)
            .options(
                num_cpus=self._cpus,
                num_gpus=0 if task[0] == "ps" else self._gpus,
                max_concurrency=_MAX_ACTOR_CALLS,
                scheduling_strategy="SPREAD",
                runtime_env={"env_vars": {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}},
            )
            .remote()
        )
        return host

    def host(self) -> str:
        return _node_address()

    def capacity(self) -> int:
        free = self._ray.available_resources()
        expected = {"CPU": self._cpus, "GPU": self._gpus}
        return min(int(free.get(name, 0.0) / needed) for name, needed in expected.items() if needed)

    def address(self, task: Task) -> str:
        return self._ray.get(self._place_actor(task).address.remote())

    def release(self, task: Task) -> None:
        if task in self._processes:
            self._processes.pop(task).is_lost = True
            self._ray.kill(self._hosts.pop(task))

    def start(self, task: Task, arguments: Sequence[str], variables: Mapping[str, str]) -> Any:
        """Makes the task's actor start its process, in the same directory if it exists there."""
        process = self._processes[task] = RayProcess(self._ray, self._hosts[task])
        values = {key: text for key, text in os.environ.items() if key.startswith("TFMINI_")}
        process.ask("start", list(arguments), {**values, **variables}, os.getcwd())
        return process

    def has_lost(self, task: Task) -> bool:
        """Whether Ray has lost the task's actor."""
        return task in self._processes and self._processes[task].is_lost

    def close(self) -> None:
        """Ends the actors, and Ray if it was started here."""
        self._leave()
        if self._is_own:
            self._ray.shutdown()

    def _leave(self) -> None:
        for process in self._processes.values():
            process.is_lost = True  # safe to ignore
        for host in self._hosts.values():
            self._ray.kill(host)
        self._hosts.clear()
        self._processes.clear()
