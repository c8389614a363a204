"""The two sides of a comparison: interpreters, environment, and worker processes."""

import contextlib
import json
import os
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]

HELLO = """\
import {module} as tf
print(tf.Session().run(tf.constant("hello")))
print([line.split()[1] for line in open("/proc/self/status") if line.startswith("VmRSS")][0])
"""


def environment(onednn: bool = False) -> dict[str, str]:
    """Environment with two threads, the default BLAS kernels and a bytecode cache; `onednn`: whether tfmini may use
    oneDNN.
    """
    unwanted = ("OPENBLAS_", "TFMINI_", "PYTHONDONTWRITEBYTECODE")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "2")
    path = os.pathsep.join(filter(None, [str(ROOT), inherited.get("PYTHONPATH")]))
    kernels = {} if onednn else {"TFMINI_ONEDNN": "0"}
    return {**inherited, **threads, **kernels, "PYTHONPATH": path, "TF_CPP_MIN_LOG_LEVEL": "3"}


@dataclass(frozen=True)
class Side:
    """An interpreter and the module imported as `tf`."""

    python: str
    module: str
    worker: str = "ci.commands.benchmarks.worker"
    settings: tuple[tuple[str, str], ...] = ()  # of the environment

    def hello(self) -> dict[str, float]:
        """Runs a whole process that imports and runs hello: wall seconds, final resident MB."""
        code = HELLO.format(module=self.module)
        begin = time.perf_counter()
        done = subprocess.run(
            [self.python, "-W", "ignore", "-c", code],
            env=environment(),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=True,
        )
        wall = time.perf_counter() - begin
        return {"wall": wall, "memory": int(done.stdout.split()[-1]) / 1024}

    def version(self, name: str) -> str:
        """The version of a module on this side."""
        return self.output(f"import {name}; print({name}.__version__)")

    def output(self, code: str) -> str:
        """The output of a line of Python on this side."""
        command = [self.python, "-W", "ignore", "-c", code]
        done = subprocess.run(
            command, env=environment(), cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()


class Worker:
    """A measuring process of one side; a context manager."""

    def __init__(self, side: Side, onednn: bool = False) -> None:
        self.side = side
        self._errors = tempfile.TemporaryFile("w+")
        self._process: Any = subprocess.Popen(
            [side.python, "-W", "ignore", "-m", side.worker, side.module],
            env={**environment(onednn), **dict(side.settings)},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )

    def ask(self, **request: Any) -> dict[str, float]:
        """The answer to one request; raises RuntimeError with the worker's traceback if it died."""
        line = ""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise RuntimeError(f"{self.side.module}: {self._errors.read()}")
        return json.loads(line)

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
