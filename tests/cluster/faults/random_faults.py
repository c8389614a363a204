"""Random kills and stops of a training cluster's tasks and clients, and the invariants checked after each.

`ci/soak faults --kills COUNT` prints the results. The cluster has a parameter server, two workers and their
trainers. After each fault, killed processes are restarted; within a minute or two, both trainers must make
progress.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import tfmini as tf
from tests.cluster.faults import clients
from tests.cluster.tasks import Task, addresses, environment

RECOVERY_SECONDS = 180.0
# Seconds during which the others may not notice that a task is gone.
NOTICED_SECONDS = 0.5

KINDS = {
    "kill -9 of a trainer": 20,
    "kill -9 of a worker's server": 20,
    "kill -9 of the parameter server": 15,
    "temporary stop of a trainer": 10,
    "temporary stop of a worker's server": 10,
    "temporary stop of the parameter server": 10,
    "kill -9 of a client waiting for an item": 20,
    "kill -9 of the server of a waiting client": 10,
}


class Client:
    """A process of `clients`, with its lines so far."""

    def __init__(self, kind, cluster, index, folder, variables):
        target = f"grpc://{cluster['worker'][index]}"
        arguments = [kind, target, json.dumps(cluster), str(index), folder]
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", "tests.cluster.faults.clients", *arguments],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**environment(), **variables},
        )
        self.lines: list[list[str]] = []
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with self.process.stdout as lines:
            for line in lines:
                if line.endswith("\n"):
                    self.lines.append(line.split())

    def steps(self):
        """Number and start time of each step reported as done."""
        return [(int(line[1]), float(line[2])) for line in list(self.lines) if line[0] == "step"]

    def said(self, word):
        return [line for line in list(self.lines) if line[0] == word]

    def errors(self):
        self.log.seek(0)
        return self.log.read()

    def kill(self):
        self.process.kill()
        self.process.wait(20)
        self.reader.join(20)
        self.log.close()


@dataclass
class Seen:
    """Observations of a run."""

    faults: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(default_factory=list)
    steps: int = 0
    repeated: int = 0
    waits: int = 0
    hangs: int = 0
    taken: int = 0
    lost: int = 0
    unsaved: int = 0
    wrongs: list[str] = field(default_factory=list)


class TrainingCluster:
    """The cluster, its trainers, and their known state.

    variables: environment variables of all processes.
    """

    def __init__(self, folder, variables=None):
        self.folder, self.variables = folder, variables or {}
        self.cluster = addresses({"ps": 1, "worker": 2})
        self.seen = Seen()
        self.tasks = {}
        self.trainers = {}
        self.clients = []  # all tasks ever started
        self.earlier: dict[tuple[int, int], float] = {}  # by completed trainers
        self.logged: set[tuple[int, int]] = set()
        self.born = 0.0  # start time of the parameter server, and its log
        try:
            for job, index in (("ps", 0), ("worker", 0), ("worker", 1)):
                self._start_task(job, index)
            for index in range(2):
                self._start_trainer(index)
            self._look_again()
            self.wait_for_steps(time.time())
        except BaseException:
            self.close()
            raise

    def _start_task(self, job, index):
        task = self.tasks[job, index] = Task(self.cluster, job, index, variables=self.variables)
        task.wait()

    def _start_trainer(self, index):
        self.trainers[index] = self._client("trainer", index)

    def _client(self, kind, index):
        result = Client(kind, self.cluster, index, self.folder, self.variables)
        self.clients.append(result)
        return result

    def _look_again(self):
        """Opens the session in which this process inspects the parameter server."""
        self.graph = tf.Graph()
        with self.graph.as_default():
            with tf.device("/job:ps/task:0"):
                step = tf.train.get_or_create_global_step()
                self.step = tf.identity(step)
            steps = clients.log_of_steps()
            self.size = steps.size()
            self.count = tf.placeholder(tf.int32, [])
            self.logged_steps = steps.dequeue_many(self.count)
            items = clients.items()
            self.item = tf.placeholder(tf.int64, [])
            self.put, self.take = items.enqueue([self.item]), items.dequeue()
        config = tf.ConfigProto(
            device_filters=["/job:ps"], operation_timeout_in_ms=int(RECOVERY_SECONDS * 1000)
        )
        self.session = tf.Session(self.tasks["ps", 0].target, self.graph, config)

    def done(self):
        """All steps reported by trainers, as {(trainer, number): start time}."""
        return {
            (index, number): began
            for index, trainer in self.trainers.items()
            for number, began in trainer.steps()
        }

    def wait_for_steps(self, since):
        """Waits until both trainers have completed a step that began after a given time."""
        end = time.monotonic() + RECOVERY_SECONDS
        for index, trainer in self.trainers.items():
            while not any(began >= since for _, began in trainer.steps()[-1:]):
                if time.monotonic() > end or trainer.process.poll() is not None:
                    raise Hang(f"trainer {index} does no step: {trainer.errors()[-2000:]}")
                time.sleep(0.02)

    def fault(self, kind, index, source):
        """Injects one fault, ends it, and checks the invariants."""
        self.drain()
        counter, looked = self.session.run(self.step), time.time()
        saved = self.saved()
        waiter = None
        if "waiting" in kind:
            waiter = self._client("waiter", index)
            end = time.monotonic() + RECOVERY_SECONDS
            while not waiter.said("waits"):
                if time.monotonic() > end or waiter.process.poll() is not None:
                    raise Hang(f"no waiter: {waiter.errors()[-2000:]}")
                time.sleep(0.01)
        time.sleep(source.uniform(0, 0.3))
        restarts_chief = False
        start = time.monotonic()
        if kind.startswith("temporary stop"):
            process = self._process(kind, index)
            process.send_signal(signal.SIGSTOP)
            time.sleep(source.uniform(0.05, 2.0))
            process.send_signal(signal.SIGCONT)
        elif kind.endswith("client waiting for an item"):
            waiter.kill()
        elif "trainer" in kind:
            lost = self.trainers[index]
            lost.kill()
            self.earlier.update({(index, number): began for number, began in lost.steps()})
            self._start_trainer(index)
            restarts_chief = index == 0
        elif "parameter server" in kind:
            self.session.close()
            self.tasks["ps", 0].kill()
            time.sleep(0.2)
            saved = self.saved()  # a partially written one
            self.born = time.time()
            self._start_task("ps", 0)
            self._look_again()
            restarts_chief = True
        else:
            self.tasks["worker", index].kill()
            self._start_task("worker", index)
            restarts_chief = index == 0
        self.wait_for_steps(time.time())
        self.seen.recoveries.append(time.monotonic() - start)
        if waiter is not None:
            self._check_item(waiter, start)
        done = [key for key, began in self.done().items() if began > looked]
        now = self.session.run(self.step)
        if restarts_chief:
            if now < saved:
                self.seen.unsaved += saved - now
                self.wrong(kind, f"step {saved} was saved, and {now} is the step after it")
        elif now - counter < len(done):
            self.seen.lost += len(done) - (now - counter)
            self.wrong(kind, f"{len(done)} steps were done, from {counter} to {now}")
        self.drain()
        self.seen.faults[kind] += 1

    def _process(self, kind, index):
        if "trainer" in kind:
            return self.trainers[index].process
        return self.tasks[("ps", 0) if "parameter" in kind else ("worker", index)].process

    def _check_item(self, waiter, start):
        """Checks that an element enqueued after the waiter is gone stays in the queue."""
        time.sleep(max(0.0, start + NOTICED_SECONDS - time.monotonic()))
        if waiter.process.poll() is None:
            waiter.process.wait(RECOVERY_SECONDS)  # its server is gone: it ends in an error
        self.seen.waits += 1
        number = self.seen.waits
        self.session.run(self.put, {self.item: number})
        time.sleep(0.02)
        try:
            limit = tf.RunOptions(timeout_in_ms=10_000)
            result = self.session.run(self.take, options=limit)
        except tf.errors.DeadlineExceededError:
            result = None
        if result != number or waiter.said("taken"):
            self.seen.taken += 1
            self.wrong("a waiter", f"item {number} was put, {result} is there")

    def drain(self):
        """Compares the parameter server's log with the trainers' reports."""
        told = {**self.earlier, **self.done()}
        self.earlier.clear()
        count = self.session.run(self.size)
        rows = self.session.run(self.logged_steps, {self.count: count})
        for trainer, value in rows.tolist():
            self.seen.repeated += (trainer, value) in self.logged
            self.logged.add((trainer, value))
        missing = {key for key, began in told.items() if began > self.born} - self.logged
        if missing:
            self.seen.lost += len(missing)
            self.wrong("steps", f"{len(missing)} were done and are not in the log: {missing}")
            self.logged |= missing
        self.seen.steps = len(self.logged)

    def saved(self):
        """The step of the latest checkpoint."""
        path = tf.train.latest_checkpoint(self.folder)
        return int(path.rpartition("-")[2]) if path else 0

    def wrong(self, kind, text):
        self.seen.wrongs.append(f"fault {self.seen.faults.total()}, {kind}: {text}")

    def close(self):
        for process in (*self.clients, *self.tasks.values()):
            process.kill()


class Hang(Exception):
    """Expected progress did not happen."""


def run(count, seed, variables=None):
    """Injects `count` faults into a cluster; returns the observations."""
    source = random.Random(seed)
    with tempfile.TemporaryDirectory() as directory:
        cluster = TrainingCluster(directory, variables)
        try:
            for _ in range(count):
                (kind,) = source.choices(list(KINDS), KINDS.values())
                try:
                    cluster.fault(kind, source.randrange(2), source)
                except Hang as error:
                    cluster.seen.hangs += 1
                    cluster.wrong(kind, f"hang: {error}")
                    break
        finally:
            cluster.close()
    return cluster.seen


def report(seen):
    """A table of the observations and errors."""
    rows = ["| fault | times |", "| --- | ---: |"]
    rows += [f"| {kind} | {times} |" for kind, times in sorted(seen.faults.items())]
    recoveries = sorted(seen.recoveries)
    middle, longest = recoveries[len(recoveries) // 2], recoveries[-1]
    return "\n".join(
        [
            *rows,
            "",
            f"{seen.faults.total()} faults, {seen.steps} training steps; {seen.hangs} hangs, {seen.taken} of "
            f"{seen.waits} items taken by a dead client, {seen.lost} updates lost, {seen.unsaved} steps lost behind "
            f"the last checkpoint. {seen.repeated} steps were repeated because their response was lost. Time from the "
            f"fault to the next step of both trainers: median {middle:.1f} s, maximum {longest:.1f} s.",
            *seen.wrongs,
        ]
    )


def main(count, seed):
    """Injects faults, half of them over lines, half with gRPC only; prints the observations."""
    is_right = True
    for i, lines in enumerate("10"):
        half = (count + 1 - i) // 2
        seen = run(half, seed + i, {"TFMINI_LINES": lines})
        is_right &= not seen.wrongs
        print(f"TFMINI_LINES={lines}, seed {seed + i}\n\n{report(seen)}\n", flush=True)
    return 0 if is_right else 1
