"""Tests that reach each function of tfmini: recorded by a pytest plugin, read to select the tests of a mutant.

`ci/mutants --map` runs the suite with the plugin. Each process writes one file to the folder named by TFMINI_REACH:
{"tests": [[id, seconds, number of functions reached]], "reached": {function: [indices of tests]}}. A function is
identified by the "PATH:LINE" of its definition, decorators included; class and module bodies do not count, calls in
processes started by a test do. Only passing tests are recorded, and for each function only the MAX tests that reach the
fewest others.
"""

from __future__ import annotations

import collections
import gzip
import heapq
import json
import os
import sys
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
CHILDREN = str(
    Path(__file__).resolve().parent / "children"
)  # its sitecustomize records their calls
MAX = 300


class Recorder:
    """The plugin: restarts `sys.monitoring`'s events before each test, so that a function is recorded at its first call
    and costs nothing afterwards.
    """

    def __init__(self, directory: Path):
        name = os.environ.get("PYTEST_XDIST_WORKER", "main")
        self._path = directory / f"{name}.json.gz"
        self._of_children = directory / f"{name}.children"
        self._package = str(ROOT / "tfmini") + os.sep
        self._tests: list[tuple[str, float, int]] = []
        self._reached: dict[str, list[tuple[int, int]]] = collections.defaultdict(list)
        self._names: dict[CodeType, str | None] = {}
        self._seconds = 0.0
        self._passed = False
        directory.mkdir(parents=True, exist_ok=True)
        os.environ["TFMINI_REACH_CHILDREN"] = str(self._of_children)
        paths = [CHILDREN, *filter(None, [os.environ.get("PYTHONPATH")])]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
        self._seen: set[CodeType] = set()
        monitoring = sys.monitoring
        monitoring.use_tool_id(monitoring.COVERAGE_ID, "tfmini reach")
        starts = monitoring.events.PY_START
        monitoring.register_callback(monitoring.COVERAGE_ID, starts, self._on_start)
        monitoring.set_events(monitoring.COVERAGE_ID, starts)

    def _on_start(self, code: CodeType, offset: int) -> object:
        self._seen.add(code)
        return sys.monitoring.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        self._seen, self._seconds, self._passed = set(), 0.0, True
        self._of_children.write_text("")
        sys.monitoring.restart_events()
        try:
            return (yield)
        finally:
            if self._passed:
                names = {self._name(code) for code in self._seen.copy()} - {
                    None
                }  # threads continue
                self._note(item.nodeid, names | set(self._of_children.read_text().split()))

    def pytest_runtest_logreport(self, report: Any) -> None:
        self._seconds += report.duration
        self._passed = self._passed and report.passed

    def _name(self, code: CodeType) -> str | None:
        if code not in self._names:
            ours = code.co_filename.startswith(self._package) and code.co_flags & CO_OPTIMIZED
            path = os.path.relpath(code.co_filename, ROOT) if ours else ""
            self._names[code] = f"{path}:{code.co_firstlineno}" if ours else None
        return self._names[code]

    def _note(self, test: str, functions: set[Any]) -> None:
        index = len(self._tests)
        self._tests.append((test, self._seconds, len(functions)))
        for name in functions:
            rows = self._reached[name]
            (heapq.heappush if len(rows) < MAX else heapq.heappushpop)(
                rows, (-len(functions), index)
            )

    def pytest_sessionfinish(self) -> None:
        if not self._tests:
            return
        reached = {name: sorted(n for _, n in rows) for name, rows in self._reached.items()}
        self._of_children.unlink()
        with gzip.open(self._path, "wt", compresslevel=3) as file:
            json.dump({"tests": self._tests, "reached": reached}, file)


def pytest_configure(config: Any) -> None:
    directory = os.environ.get("TFMINI_REACH")
    if directory and (config.option.numprocesses is None or hasattr(config, "workerinput")):
        config.pluginmanager.register(Recorder(Path(directory)))
