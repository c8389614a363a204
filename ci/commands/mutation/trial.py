"""Plants a mutant in a copy of the tree and runs the tests there, in a separate process."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ci.commands.mutation import native
from ci.commands.mutation.operators import Mutant

SURVIVED, KILLED, TIMED_OUT, NO_COVERAGE = "survived", "killed", "timed out", "no coverage"
UNFINISHED = "unfinished"  # while its tests continued
SAME = "same"  # does not compile, or compiles to the same library
UNDETECTED = (SURVIVED, NO_COVERAGE, UNFINISHED)
_MEMORY = 16 << 30
_STUCK = 25  # seconds in one test: it hangs


class Copy:
    """A copy of the tree's files known to git."""

    def __init__(self, root: Path, directory: Path):
        self.folder = directory
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            check=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (root / name).is_file() and not (root / name).is_symlink():
                (directory / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, directory / name)
        for library in (root / native.LIBRARIES).glob("*.so"):
            shutil.copy2(library, directory / native.LIBRARIES)
        compiled = Path("build", "cuda_on_cpu")  # by text: the copy keeps those of mutants
        if (root / compiled).is_dir():
            shutil.copytree(root / compiled, directory / compiled)
        self._library: native.Library | None = None
        compile_all = [sys.executable, "-m", "compileall", "-q", "tfmini", "tests"]
        subprocess.run(compile_all, cwd=directory, check=True)

        self._sound: dict[str, bool] = {}  # for failed tests: whether they pass without a mutant
        self._runs = False  # known tests
        self.failed = ""  # the test that found the last mutant, if reported

    def run_mutant(self, mutant: Mutant, tests: Sequence[str], seconds: int) -> str:
        """The result of a mutant within `seconds` of CPU time; tests that fail without it, or only after others, do not
        count.

        tests: names of tests or test files, which run in this order until one fails.

        Raises:
          RuntimeError: if no test runs in the copy.
        """
        while True:
            tests = [test for test in tests if self._sound.get(test, True)]
            if not tests:
                return NO_COVERAGE
            if not self._runs and self._outcome(tests, seconds) == (KILLED, ""):
                raise RuntimeError(f"no test runs in a copy of the tree: {tests[0]}")
            self._runs = True
            with self._plant(mutant) as there:
                outcome, failed = self._outcome(tests, seconds) if there else (SAME, "")
                if failed and self._outcome([failed], seconds)[0] == SURVIVED:
                    self._sound[failed] = False  # an earlier test made it fail
            if failed and failed not in self._sound:
                self._sound[failed] = self._outcome([failed], seconds)[0] == SURVIVED
            if not failed or self._sound[failed]:
                self.failed = failed
                return outcome

    @contextlib.contextmanager
    def _plant(self, mutant: Mutant) -> Iterator[bool]:
        """Context with a mutant planted in the copy; yields False if it does not compile, or compiles to the same."""
        path = self.folder / mutant.path
        of_cpu = mutant.path.startswith(native.CPU)
        if of_cpu and self._library is None:
            self._library = native.Library(self.folder)
        whole, times = path.read_bytes(), path.stat()
        path.write_bytes(mutant.planted(whole))
        try:
            if of_cpu:
                yield self._library.build(mutant.path)
            else:
                yield mutant.path.endswith(".py") or native.compiles_as_cuda(
                    self.folder, mutant.path
                )
        finally:
            path.write_bytes(whole)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if of_cpu:
                self._library.link()

    def _unsound(self) -> set[str]:
        return {test for test, sound in self._sound.items() if not sound}

    def _outcome(self, tests: Sequence[str], seconds: int) -> tuple[str, str]:
        """Runs the tests in a fork of this process, which has imported everything unchanged; returns the failed
        test.
        """
        note = self.folder / "build" / "failed"
        note.parent.mkdir(exist_ok=True)
        note.write_text("")
        child = os.fork()
        if not child:
            _run(self.folder, tests, seconds, note, self._unsound())
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            end = {signal.SIGXCPU: seconds, signal.SIGKILL: seconds, signal.SIGALRM: time.time()}
            if os.WTERMSIG(status) not in end:
                return KILLED, ""
            computed, began = map(float, note.read_text().split() or (0, 0))
            start = began if os.WTERMSIG(status) == signal.SIGALRM else computed
            return TIMED_OUT if end[os.WTERMSIG(status)] - start > _STUCK else UNFINISHED, ""
        outcome = {0: SURVIVED, 5: NO_COVERAGE}.get(os.WEXITSTATUS(status), KILLED)
        noted = note.read_text()
        return outcome, noted if "::" in noted else ""


def _run(directory: Path, tests: Sequence[str], seconds: int, note: Path, but: set[str]) -> None:
    code = 3
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(5 * seconds)  # if it waits forever
        os.chdir(directory)
        sys.dont_write_bytecode = True
        sys.path[:] = [
            str(directory),
            *(p for p in sys.path if p and not (Path(p) / "tfmini").is_dir()),
        ]
        os.environ.update(PYTHONPATH=str(directory), PYTHONDONTWRITEBYTECODE="1")
        if any("::" in test for test in tests):  # from a map, which includes slow ones
            os.environ["TFMINI_TIER"] = "full"
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
        there = [file for file in files if os.path.exists(file)]
        options = [
            "-x",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-o",
            "timeout=0",  # its alarm would replace ours
            "--basetemp",
            "build/tmp",
        ]
        code = int(pytest.main([*options, *there], plugins=[Only(tests, note, but)]))
    finally:
        os._exit(code)


class Only:
    """Restricts the collected tests to the requested tests or files, in this order and without `but`.

    Records the start time of each test, and finally the failed one.
    """

    def __init__(self, tests: Sequence[str], note: Path, but: Collection[str] = ()):
        self._note, self._but = note, but
        self._order = {test: index for index, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        positions = [(self._place(item.nodeid), item) for item in items]
        selected = [(position, item) for position, item in positions if position is not None]
        items[:] = [item for _, item in sorted(selected, key=lambda pair: pair[0])]

    def _place(self, test: str) -> int | None:
        if test in self._but:
            return None
        return self._order.get(test, self._order.get(test.partition("::")[0]))

    def pytest_runtest_logstart(self) -> None:
        self._note.write_text(f"{time.process_time()} {time.time()}")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._note.write_text(report.nodeid)
