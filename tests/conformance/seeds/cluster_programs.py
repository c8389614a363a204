"""Multi-process programs: each process is started with its role, monitored, and ended with its test."""

import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import tfmini as tf
from tests.cluster.tasks import addresses, environment

PROGRAMS = Path(__file__).parent / "clusters"


class Process:
    """A process of a program; `python` is the reference's, or None for tfmini's runner."""

    def __init__(self, program, args, python=None):
        self.output = tempfile.TemporaryFile("w+")
        self.log = tempfile.TemporaryFile(
            "w+"
        )  # separate: log output of a thread may interrupt a printed line
        command = [python] if python else [sys.executable, "-W", "ignore", "-m", "tfmini", "run"]
        environ = environment()
        if python:
            environ.pop("PYTHONPATH")
        self.process = subprocess.Popen(
            [*map(str, command), str(PROGRAMS / program), *map(str, args)],
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.log,
            env=environ,
        )

    def text(self):
        """The end of its output and log."""
        self.output.seek(0)
        self.log.seek(0)
        return (self.output.read() + self.log.read())[-3000:]

    def result(self, timeout=120):
        """Its stdout, after a successful exit."""
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end: {self.text()}") from None
        assert status == 0, self.text()
        self.output.seek(0)
        return self.output.read()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(20)
        self.output.close()
        self.log.close()


@contextmanager
def processes():
    """A function that starts processes, all of which end with the block."""
    started = []

    def start(program, args, python=None):
        started.append(Process(program, args, python))
        return started[-1]

    try:
        yield start
    finally:
        for each in started:
            each.end()


@contextmanager
def servers_here(jobs):
    """The servers of a cluster in this process, by job and number."""
    cluster = addresses(jobs)
    found = {}
    try:
        for job, count in jobs.items():
            for number in range(count):
                found[job, number] = tf.train.Server(cluster, job, number)
        yield found
    finally:
        for server in found.values():
            server._stop()


def wait_for(path, process, seconds=120):
    """Waits until a file exists."""
    end = time.monotonic() + seconds
    while not os.path.exists(path):
        assert process.process.poll() is None and time.monotonic() < end, process.text()
        time.sleep(0.05)


def asynchronous(logdir, servers=None, workers=None):
    """The output of both workers of row T22's trainer; takes the Pythons of its servers and workers."""
    cluster = addresses({"ps": 2, "worker": 2})
    hosts = [f"--{job}_hosts={','.join(found)}" for job, found in cluster.items()]

    def args(job, task):
        return [*hosts, f"--job_name={job}", f"--task_index={task}", f"--logdir={logdir}"]

    with processes() as start:
        for task in range(2):
            start("trainer.py", args("ps", task), servers)
        found = [start("trainer.py", args("worker", task), workers) for task in range(2)]
        return [each.result() for each in found]


def synchronous(logdir, steps=20, servers=None, workers=None):
    """The output of both workers of row T23's program."""
    cluster = addresses({"ps": 1, "worker": 2})
    hosts = [",".join(cluster[job]) for job in ("ps", "worker")]
    with processes() as start:
        start("synchronous.py", [*hosts, "ps", 0, logdir, steps], servers)
        chief = start("synchronous.py", [*hosts, "worker", 0, logdir, steps], workers)
        wait_for(Path(logdir) / "checkpoint", chief)
        other = start("synchronous.py", [*hosts, "worker", 1, logdir, steps], workers)
        return [each.result() for each in (chief, other)]
