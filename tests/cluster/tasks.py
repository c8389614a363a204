"""Clusters of processes for tests: tasks of tfmini or TensorFlow 1.15.5 on free ports of 127.0.0.1."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from tfmini._src.cluster.free_ports import free_addresses as addresses
from tfmini._src.executor.asynchronous_run import run_blocking

ROOT = Path(__file__).resolve().parent.parent.parent

SERVER = """
import json, os, sys
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
if sys.argv[1] == "tensorflow":
    import tensorflow as tf
else:
    import tfmini as tf
cluster = tf.train.ClusterSpec(json.loads(sys.argv[2]))
server = tf.train.Server(cluster, job_name=sys.argv[3], task_index=int(sys.argv[4]))
print("ready", flush=True)
sys.stdin.read()  # until the test ends
os._exit(0)
"""


def environment() -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return {**os.environ, "PYTHONPATH": path, "TF_CPP_MIN_LOG_LEVEL": "2"}


class Task:
    """A server in a separate process.

    within: the prefix of its command.
    """

    def __init__(self, cluster, job, index, reference=None, variables=None, within=()):
        python, kind = (reference, "tensorflow") if reference else (sys.executable, "tfmini")
        environ = {**environment(), **(variables or {})}
        if reference:
            environ.pop("PYTHONPATH")
        self.target = f"grpc://{cluster[job][index]}"
        self.log = tempfile.TemporaryFile("w+")
        server = [str(python), "-W", "ignore", "-c", SERVER, kind, json.dumps(cluster)]
        self.process = subprocess.Popen(
            [*within, *server, job, str(index)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env=environ,
        )

    def wait(self):
        """Waits until the task serves."""
        line = self.process.stdout.readline()
        if line.strip() != "ready":
            self.log.seek(0)
            raise AssertionError(f"no server: {line}{self.log.read()}")

    def kill(self):
        self.process.kill()
        self.process.wait(20)
        for stream in (self.process.stdin, self.process.stdout, self.log):
            stream.close()


@contextmanager
def cluster_of(jobs, references=(), reference=None, variables=None):
    """A cluster's tasks by (job, index), those in `references` run by TensorFlow; all are terminated at the end."""
    cluster = addresses(jobs)
    tasks = {}
    try:
        for job, count in jobs.items():
            for index in range(count):
                python = reference if (job, index) in references else None
                tasks[job, index] = Task(cluster, job, index, python, variables)
        for task in tasks.values():
            task.wait()
        yield tasks
    finally:
        for task in tasks.values():
            task.kill()


def ran(worker, *arguments):
    """The arrays returned by a worker's run, executed entirely on this thread."""
    return run_blocking(partial(worker.run, *arguments), lambda: None)


def run_program(code, *args, python=None, timeout=60):
    """The output of a program, run by tfmini's or the reference's Python."""
    environ = environment()
    if python:
        environ.pop("PYTHONPATH")
    done = subprocess.run(
        [str(python or sys.executable), "-W", "ignore", "-c", code, *map(str, args)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env=environ,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
