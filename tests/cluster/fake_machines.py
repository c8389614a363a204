"""Fake machines: each start returns the next process of a list, whose end the test scripts."""

import subprocess
import threading


class Process:
    """A process that prints lines and exits with a status; without a status it runs until terminated."""

    def __init__(self, status=None, lines=(), stubborn=False):
        self.stdout, self.stderr = Lines(self, lines), Lines(self, ())
        self.ended = threading.Event()
        self.status, self.stubborn, self.signals = status, stubborn, []
        if status is not None:
            self.ended.set()

    def wait(self, timeout=None):
        if not self.ended.wait(timeout if timeout is None else 0):
            raise subprocess.TimeoutExpired("process", timeout)
        return self.status

    def end(self, status):
        if not self.ended.is_set():
            self.status = status
            self.ended.set()

    def terminate(self):
        self.signals.append("terminate")
        if not self.stubborn:
            self.end(-15)

    def kill(self):
        self.signals.append("kill")
        self.end(-9)


class Lines:
    """The output of a process; its end is the process's exit."""

    def __init__(self, process, lines):
        self.process, self.lines = process, lines

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __iter__(self):
        yield from self.lines
        self.process.ended.wait(60)


class FakeMachines:
    """Starts the processes in `planned` by task; records all calls."""

    def __init__(self, places=100, **planned):
        self.places, self.planned, self.lost = places, planned, set()
        self.started, self.released, self.is_closed, self.rounds = [], [], False, 0

    def addresses(self, jobs):
        self.rounds += 1
        return {
            job: [f"{job}{i}:{self.rounds}" for i in range(count)] for job, count in jobs.items()
        }

    def start(self, task, arguments, variables):
        process = self.planned[f"{task[0]}{task[1]}"].pop(0)
        self.started.append((task, list(arguments), dict(variables), process))
        return process

    def has_lost(self, task):
        return task in self.lost

    def host(self):
        return "127.0.0.1"

    def capacity(self):
        return self.places

    def address(self, task):
        return f"machine{task[1]}:1"

    def release(self, task):
        self.released.append(task)

    def close(self):
        self.is_closed = True
