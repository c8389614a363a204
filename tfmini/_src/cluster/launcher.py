"""Runs a script's tasks: starts, monitors and restarts them, with a combined log."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import Any, TextIO

from tfmini._src.base.locks import make_lock
from tfmini._src.cluster.local_launcher import Machines, Task, ThisMachine

RANK_JOB = "rank"
_EVALUATOR = "evaluator"
_TERMINATION_SECONDS = 5.0  # seconds between SIGTERM and SIGKILL


class Launch:
    """A cluster whose tasks all run one command.

    Each task gets TF_CONFIG with the cluster and its own position in it; in the command, `{job}`, `{task}` and
    `{JOB_hosts}` (`{ps_hosts}`) are substituted, for scripts that take flags. Failed tasks are restarted. Once all
    tasks outside the job `ps` have succeeded, the rest are ended.

    The job `evaluator` is not part of the cluster seen by tasks: it only reads checkpoints.

    Tasks of the job `rank` train by all-reduce: TFMINI_RANKS and HOROVOD_RANK identify each. Since none can continue
    without the others, one failure restarts all ranks. A lost machine restarts all tasks.

    Args:
      jobs: number of tasks per job.
      command: the script and its arguments.
      restarts: maximum number of restarts of a task before the launch fails.
      log: receives the tasks' lines, each prefixed with its task's name.
      machines: machines of the tasks, by default this one.
    """

    def __init__(
        self,
        jobs: Mapping[str, int],
        command: Sequence[str],
        restarts: int = 3,
        log: TextIO | None = None,
        machines: Machines | None = None,
    ):
        self._jobs = {job: count for job, count in jobs.items() if count}
        self._machines: Machines = machines or ThisMachine()
        self._cluster = self._machines.addresses(self._jobs)
        self._command = list(command)
        self._retries = {
            (job, index): restarts
            for job, hosts in self._cluster.items()
            for index in range(len(hosts))
        }
        self._log = log or sys.stdout
        self._lock = make_lock()
        self._ended: SimpleQueue[Any] = SimpleQueue()
        self._running: dict[Task, Any] = {}

    def run(self) -> int:
        """Runs all tasks; returns 0 on success, else the exit status of the failed task."""
        try:
            for job, index in self._retries:
                self._start(job, index)
            return self._watch()
        finally:
            self._end_all()
            self._machines.close()

    def _watch(self) -> int:
        working = {t for t in self._retries if t[0] != "ps"} or set(self._retries)
        while working:
            try:
                task, process = self._ended.get(timeout=1.0)
            except Empty:
                continue
            if self._running.get(task) is not process:
                continue  # ended by this launcher
            status = self._running.pop(task).wait()
            if status == 0:
                working.discard(task)
                continue
            if not self._retries[task]:
                self._write_line(task, f"ended with status {status}; no restarts left\n")
                return status if status > 0 else 1
            self._retries[task] -= 1
            self._write_line(task, f"ended with status {status}; restarting\n")
            if task[0] == RANK_JOB or self._machines.has_lost(task):
                self._end_all()
                self._running.clear()
                self._cluster = self._machines.addresses(self._jobs)
                working = {t for t in self._retries if t[0] != "ps"} or set(self._retries)
                for launched in self._retries:
                    self._retries[launched] = self._retries[task]
                    self._start(*launched)
            else:
                self._start(*task)
        return 0

    def _start(self, job: str, index: int) -> None:
        command = fill_command(self._command, job, index, self._cluster)
        arguments = ["-m", "tfmini", "run", *command]
        process = self._machines.start((job, index), arguments, self._task_environment(job, index))
        self._running[job, index] = process
        copies = [
            threading.Thread(target=self._copy, args=((job, index), lines), daemon=True)
            for lines in (process.stdout, process.stderr)
        ]
        for copy in copies:
            copy.start()
        waits = ((job, index), process, copies)
        threading.Thread(target=self._await, args=waits, daemon=True).start()

    def _task_environment(self, job: str, index: int) -> dict[str, str]:
        """Returns the environment variables that identify a task."""
        return cluster_environment(job, index, self._cluster)

    def _copy(self, task: Task, lines: Any) -> None:
        """Copies a task's lines to the log until it ends."""
        with lines:
            for line in lines:
                self._write_line(task, line)

    def _await(self, task: Task, process: Any, copies: Sequence[threading.Thread]) -> None:
        """Waits for a task to end and reports it, after its last line is in the log."""
        for copy in copies:
            copy.join()
        self._ended.put((task, process))

    def _write_line(self, task: Task, line: str) -> None:
        with self._lock:
            self._log.write(f"[{task[0]} {task[1]}] {line.rstrip()}\n")
            self._log.flush()

    def _end_all(self) -> None:
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            try:
                process.wait(_TERMINATION_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def cluster_environment(
    job: str, task: int | str, addresses: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    """Returns the environment variables that identify a task among the addresses of all jobs."""
    if job == RANK_JOB:
        return {"TFMINI_RANKS": ",".join(addresses[job]), "HOROVOD_RANK": str(task)}
    cluster = {name: hosts for name, hosts in addresses.items() if name != _EVALUATOR}
    return {"TF_CONFIG": json.dumps({"cluster": cluster, "task": {"type": job, "index": task}})}


def fill_command(
    command: Sequence[str], job: str, task: int | str, addresses: Mapping[str, Sequence[str]]
) -> list[str]:
    """Returns a task's command with `{job}`, `{task}` and `{JOB_hosts}` substituted."""
    fields = {f"{name}_hosts": ",".join(hosts) for name, hosts in addresses.items()}
    fields.update(job=job, task=str(task))
    arguments = []
    for part in command:
        for name, value in fields.items():
            part = part.replace("{" + name + "}", value)
        arguments.append(part)
    return arguments
