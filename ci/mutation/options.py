"""`ci/options`: arguments of public functions and methods that no test passes with another value than the default.

The command runs tests with this file as a plugin of pytest, which looks at the arguments of each call of a public
function or constructor of tfmini. Each process writes what stays open into the folder TFMINI_OPTIONS.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {"name"}  # of the nodes: golden programs compare them
_PLAIN = (bool, int, float, str, bytes, tuple)
_PRIVATE = ("_src", "compat", "raw_ops", "ops")


@dataclass
class Public:
    """A public function, and its arguments that have had their default only."""

    name: str
    open: dict[str, object]
    is_called: bool = field(default=False)


def public_functions() -> dict[CodeType, Public]:
    """The public functions of tfmini, constructors and methods of its public classes, that have defaults; by their
    code, each by its shortest name.
    """
    found: dict[CodeType, Public] = {}
    stubs = (ROOT / "tfmini").rglob("__init__.pyi")
    folders = [stub.parent.relative_to(ROOT).parts for stub in stubs]
    for parts in sorted(folders, key=lambda parts: (len(parts), parts)):
        if any(part in _PRIVATE for part in parts):
            continue
        module_name = ".".join(parts)
        module = importlib.import_module(module_name)
        for name in sorted(set(dir(module))):
            if not name.startswith("_"):
                full = f"{module_name}.{name}".replace("tfmini", "tf", 1)
                for function_name, function in _functions(full, getattr(module, name)):
                    defaults = {
                        p.name: p.default
                        for p in inspect.signature(function).parameters.values()
                        if p.default is not p.empty and p.name not in LEFT_OUT
                    }
                    if defaults:
                        found.setdefault(function.__code__, Public(function_name, defaults))
    return found


def _functions(name: str, value: object) -> Iterator[tuple[str, FunctionType]]:
    """A function, or the constructor and the public methods of a class, that are written in tfmini."""
    members = [(name, value)]
    if isinstance(value, type):
        members = [(name, value.__init__)] + [
            (f"{name}.{member}", inspect.getattr_static(value, member))
            for member in dir(value)
            if not member.startswith("_") or member == "__call__"
        ]
    for member_name, member in members:
        function = inspect.unwrap(getattr(member, "__func__", member))
        if isinstance(function, FunctionType) and function.__module__.startswith("tfmini."):
            yield member_name, function


def _differs(value: object, default: object) -> bool:
    if value is default:
        return False
    return not (type(value) is type(default) and isinstance(value, _PLAIN) and value == default)


class Watcher:
    """The plugin: looks at calls while tests run."""

    def __init__(self, folder: Path):
        self._path = folder / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.json"
        self._functions = public_functions()

    def _look(self, frame: FrameType, event: str, argument: object) -> None:
        public = self._functions.get(frame.f_code) if event == "call" else None
        if public is None:
            return
        public.is_called = True
        given = frame.f_locals
        for name in [
            n for n, default in public.open.items() if _differs(given.get(n, default), default)
        ]:
            public.open.pop(name, None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        threading.setprofile(self._look)
        sys.setprofile(self._look)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def pytest_sessionfinish(self) -> None:
        rows = {p.name: [p.is_called, sorted(p.open)] for p in self._functions.values()}
        self._path.write_text(json.dumps(rows))


def pytest_configure(config: Any) -> None:
    folder = os.environ.get("TFMINI_OPTIONS")
    if folder and (config.option.numprocesses is None or hasattr(config, "workerinput")):
        config.pluginmanager.register(Watcher(Path(folder)))


def report(folder: Path) -> str:
    """Namespaces by the number of their open arguments, and below each its functions; of what was called at all."""
    parts = [json.loads(path.read_text()) for path in folder.glob("*.json")]
    rows: dict[str, set[str]] = {}
    for name in parts[0] if parts else ():
        left = set.intersection(*(set(part[name][1]) for part in parts))
        if left and any(part[name][0] for part in parts):
            rows[name] = left
    count: Counter[str] = Counter()
    for name, left in rows.items():
        count[name.rpartition(".")[0]] += len(left)
    lines = []
    for namespace, number in count.most_common():
        lines.append(f"{namespace}: {number}")
        of_it = (name for name in sorted(rows) if name.rpartition(".")[0] == namespace)
        lines += [f"  {name.rpartition('.')[2]}: {', '.join(sorted(rows[name]))}" for name in of_it]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="ci/options",
        description="Runs tests and lists arguments of public functions and methods that none of them passes with "
        "another value than the default, the namespaces with most of them first.",
    )
    parser.add_argument("tests", nargs="*", metavar="TEST", help="the whole suite unless given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-p", "ci.mutation.options"]
        environment = {**os.environ, "TFMINI_OPTIONS": folder, "TFMINI_THOROUGH": "all"}
        done = subprocess.run(
            [*command, *options.tests], cwd=ROOT, env=environment, stdout=sys.stderr
        )
        print(report(Path(folder)))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
