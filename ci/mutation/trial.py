"""A mutant planted in a copy of the tree, and the tests run there, in a process of their own."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ci.mutation.operators import Mutant

LIVES, KILLED, HANGS, UNREACHED = "lives", "killed", "hangs", "unreached"


class Copy:
    """A copy of what git knows of the tree."""

    def __init__(self, root: Path, folder: Path):
        self.folder = folder
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            check=True,
        )
        for name in filter(None, listed.stdout.decode().split("\0")):
            if (root / name).is_file() and not (root / name).is_symlink():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        compile_all = [sys.executable, "-m", "compileall", "-q", "tfmini", "tests"]
        subprocess.run(compile_all, cwd=folder, check=True)

        self._sound: dict[str, bool] = {}
        self._runs = False  # tests, as far as is known

    def tried(self, mutant: Mutant, tests: Sequence[str], seconds: int) -> str:
        """What became of a mutant in at most `seconds` of computing; tests that fail without it do not count.

        Raises:
          RuntimeError: if no test runs in the copy.
        """
        while True:
            tests = [test for test in tests if self._sound.get(test, True)]
            if not tests:
                return UNREACHED
            if not self._runs and self._outcome(tests, seconds) == (KILLED, ""):
                raise RuntimeError(f"no test runs in a copy of the tree: {tests[0]}")
            self._runs = True
            path = self.folder / mutant.path
            whole, times = path.read_bytes(), path.stat()
            try:
                path.write_bytes(mutant.planted(whole))
                outcome, failed = self._outcome(tests, seconds)
            finally:
                path.write_bytes(whole)
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
            if failed and failed not in self._sound:
                self._sound[failed] = self._outcome([failed], seconds)[0] == LIVES
            if not failed or self._sound[failed]:
                return outcome

    def _outcome(self, tests: Sequence[str], seconds: int) -> tuple[str, str]:
        """What a fork of this process, which has imported what does not change, makes of the tests; which failed."""
        note = self.folder / "build" / "failed"
        note.parent.mkdir(exist_ok=True)
        note.write_text("")
        child = os.fork()
        if not child:
            _run(self.folder, tests, seconds, note)
        status = os.waitpid(child, 0)[1]
        if os.WIFSIGNALED(status):
            late = (signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM)
            return HANGS if os.WTERMSIG(status) in late else KILLED, ""
        outcome = {0: LIVES, 5: UNREACHED}.get(os.WEXITSTATUS(status), KILLED)
        return outcome, note.read_text()


def _run(folder: Path, tests: Sequence[str], seconds: int, note: Path) -> None:
    code = 3
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(2 * seconds)  # where it waits for what never comes
        os.chdir(folder)
        sys.dont_write_bytecode = True
        sys.path[:] = [
            str(folder),
            *(p for p in sys.path if p and not (Path(p) / "tfmini").is_dir()),
        ]
        os.environ["PYTHONPATH"] = str(folder)
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
            "--basetemp",
            "build/tmp",
        ]
        code = int(pytest.main([*options, *there], plugins=[_Only(tests, note)]))
    finally:
        os._exit(code)


class _Only:
    """Of what was collected, the tests that were asked for, in their order; notes which fails."""

    def __init__(self, tests: Sequence[str], note: Path):
        self._note = note
        self._order = {test: number for number, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        kept = [item for item in items if item.nodeid in self._order]
        items[:] = sorted(kept, key=lambda item: self._order[item.nodeid])

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._note.write_text(report.nodeid)
