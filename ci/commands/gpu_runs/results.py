"""The results folder of a call: logs, reports, and a summary rewritten after each step.

At most eight files at any time, the number that a rented machine returns: the summary, the current step's log,
`logs.tar.gz` with the earlier ones, and up to MAX_PARTS archives of compiled kernels. A killed call leaves the results
up to that point.
"""

from __future__ import annotations

import contextlib
import os
import re
import tarfile
from pathlib import Path

from ci.commands.gpu_runs.processes import Ended
from ci.commands.gpu_runs.steps import Step

LINES, COLUMNS = (
    60,
    160,
)  # of the summary: below the 12,000 characters kept of a remote command's output
FAILURE_LINES = 8
_INFORMATION = re.compile(r"\d{4}-\d\d-\d\d [\d:.]+: I ")


class Results:
    """The results folder and its summary.

    Args:
      folder: created if missing; an earlier call's files are removed, except for the caches.
      heading: the first lines of the summary.
    """

    def __init__(self, directory: Path, heading: list[str]):
        self.folder = directory
        self.failed = False
        self._heading = heading
        self._table = ["| step | status | seconds | last line |", "| --- | --- | --- | --- |"]
        self._failures: list[str] = []  # last output of failed steps
        self._shown: list[str] = []
        self._number = 0
        directory.mkdir(parents=True, exist_ok=True)
        for left in [*directory.glob("[0-9][0-9]-*"), directory / "logs.tar.gz"]:
            left.unlink(missing_ok=True)
        self.write()

    def next_log(self, name: str) -> Path:
        """The path of the next step's log."""
        self._number += 1
        return self.folder / f"{self._number:02d}-{name}.log"

    def add(self, step: Step, log: Path, ended: Ended) -> None:
        """Records the end of a step: packs its files and adds it to the summary."""
        lines = _result_lines(log)
        last = lines[-1] if lines else ""
        self._add_row(step.name, ended.text, f"{ended.seconds:.1f}", last)
        failed = ended.status != 0
        self.failed = self.failed or failed
        if failed:
            most = max(step.shown, FAILURE_LINES)
            self._failures += [f"{step.name}:", *_telling(lines, most)]
        elif step.shown > 1:
            self._shown += [f"{step.name}:", *(_rows(lines) or lines)[-step.shown :]]
        self._pack(sorted(self.folder.glob(f"{log.stem}.*")))
        self.write()

    def skip(self, step: Step, why: str) -> None:
        """Records a step that cannot run here."""
        self._number += 1
        self._add_row(step.name, "skipped", "", why)
        self.write()

    def end_early(self, why: str) -> None:
        """Records that the call ends before its last step."""
        self.failed = True
        self.note(f"ended early: {why}")

    def note(self, line: str) -> None:
        """Adds a line to the heading."""
        self._heading.append(line)
        self.write()

    def summary(self) -> str:
        """At most LINES lines of at most COLUMNS characters."""
        lines = [*self._heading, "", *self._table, "", *self._failures, *self._shown]
        if len(lines) > LINES:
            lines = [*lines[: LINES - 1], "(more in logs.tar.gz)"]
        return "\n".join(line[:COLUMNS] for line in lines) + "\n"

    def write(self) -> None:
        """Rewrites summary.md atomically."""
        _replace(self.folder / "summary.md", self.summary().encode())

    def _add_row(self, *cells: str) -> None:
        self._table.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")

    def _pack(self, files: list[Path]) -> None:
        """Moves files into logs.tar.gz, which is replaced atomically."""
        archive = self.folder / "logs.tar.gz"
        new = self.folder / "logs.tar.gz.new"
        with tarfile.open(new, "w:gz") as packed:
            with contextlib.suppress(FileNotFoundError), tarfile.open(archive) as before:
                for member in before:
                    packed.addfile(member, before.extractfile(member))
            for file in files:
                packed.add(file, file.name)
        os.replace(new, archive)
        for file in files:
            file.unlink()


def _result_lines(log: Path) -> list[str]:
    """A log's lines without the command, empty lines and TensorFlow's INFO messages."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")[1:]
    return [line.rstrip() for line in lines if line.strip() and not _INFORMATION.match(line)]


def _rows(lines: list[str]) -> list[str]:
    """The table rows among them."""
    return [line for line in lines if line.startswith("| ") and line[2] != "-"]


def _telling(lines: list[str], most: int) -> list[str]:
    """A failed step's lines that name failures, or its rows, or the last ones; the end of a traceback."""
    if failures := [line for line in lines if line.startswith("FAILED")]:
        return failures[-most:]
    if rows := _rows(lines):
        return [*rows[-most:], lines[-1]]
    begins = [index for index, line in enumerate(lines) if line.startswith("Traceback")]
    if begins and len(lines) - begins[-1] > 4:
        lines = [*lines[: begins[-1]], *lines[-3:]]
    return lines[-most:]


def _replace(path: Path, content: bytes) -> None:
    new = path.with_name(path.name + ".new")
    new.write_bytes(content)
    os.replace(new, path)
