"""Floors: the required kill rate of each folder, its last result, and the table of all folders.

`scores.json` holds a row per folder with a digest of its sources: while these are unchanged, only surviving mutants are
tried again. `equivalent.txt` lists mutants without observable effect, with the reason.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ci.commands.mutation import choosing, native
from ci.commands.mutation.operators import Mutant
from ci.commands.mutation.trial import SAME, UNDETECTED

HERE = Path(__file__).resolve().parent
SCORES, EQUIVALENT = HERE / "scores.json", HERE / "equivalent.txt"
CORE = ("graph", "session", "compiler", "executor", "devices", "train", "formats", "cluster")

Key = tuple[str, str, str]


@dataclass
class Row:
    """The mutation results of a folder."""

    folder: str
    digest: str
    seed: int
    day: str
    planted: int = 0
    killed: int = 0
    equivalent: int = 0
    at_first: int = 0  # killed by the tests existing when it was drawn
    survivors: list[Key] = field(default_factory=list)

    @property
    def floor(self) -> float:
        return 0.9 if self.folder.rpartition("/")[2] in CORE else 0.8

    @property
    def score(self) -> float:
        return self.killed / max(1, self.planted - self.equivalent)

    def __str__(self) -> str:
        counts = f"{self.planted} | {self.killed} | {self.equivalent} | {len(self.survivors)}"
        first = self.at_first / max(1, self.planted - self.equivalent)
        return f"| {self.folder} | {counts} | {first:.0%} | {self.score:.0%} | {self.floor:.0%} | {self.day} |"


def folders(root: Path) -> list[str]:
    packages = [p for p in (root / "tfmini" / "_src").iterdir() if (p / "__init__.py").exists()]
    return [*sorted(str(p.relative_to(root)) for p in packages), native.CPU, native.CUDA]


def digest(root: Path, directory: str) -> str:
    checksum = hashlib.sha256()
    for path in choosing.sources(root, directory):
        checksum.update(path.encode() + b"\0" + (root / path).read_bytes())
    return checksum.hexdigest()[:16]


def equivalents(path: Path = EQUIVALENT) -> dict[Key, str]:
    """Equivalent mutants: file, scope, line before and after, and the reason."""
    reasons = {}
    blocks = path.read_text(encoding="utf-8").split("\n\n") if path.exists() else []
    for block in blocks:
        lines = [" ".join(line.split()) for line in block.strip().splitlines()]
        lines = [line for line in lines if not line.startswith("#")]
        if lines:
            scope, before, after, *reason = lines
            reasons[scope, before.removeprefix("- "), after.removeprefix("+ ")] = " ".join(reason)
    return reasons


def rows(path: Path = SCORES) -> dict[str, Row]:
    listed = json.loads(path.read_text()) if path.exists() else []
    table = {row["folder"]: Row(**row) for row in listed}
    for row in table.values():
        row.survivors = [tuple(key) for key in row.survivors]  # type: ignore[misc]
    return table


def write(rows: dict[str, Row], path: Path = SCORES) -> None:
    listed = [asdict(rows[directory]) for directory in sorted(rows)]
    path.write_text(json.dumps(listed, indent=1) + "\n")


def renew_row(
    root: Path,
    old: Row | None,
    directory: str,
    count: int,
    seed: int,
    tried: Callable[[Mutant], str],
) -> Row:
    """The row of a folder: a new one if its sources changed or more mutants are requested, else the old one with its
    survivors tried again.

    tried: the outcome of a mutant.
    """
    recorded = equivalents()
    now = digest(root, directory)
    row = Row(directory, now, seed, str(datetime.date.today()))
    if old and (old.digest, old.seed) == (now, seed) and old.planted >= count:
        row.killed = old.killed
        row.planted = old.planted - len(old.survivors)
        row.equivalent, row.at_first = old.equivalent, old.at_first
        candidates, count = _of_keys(root, directory, old.survivors), old.planted
    else:
        candidates = choosing.draw(root, directory, seed)
    for mutant in candidates:
        if row.planted >= count:
            break
        key = mutant.key((root / mutant.path).read_bytes())
        outcome = "" if key in recorded else tried(mutant)
        if outcome == SAME:
            continue
        row.planted += 1
        if key in recorded:
            row.equivalent += 1
        elif outcome in UNDETECTED:
            row.survivors.append(key)
        else:
            row.killed += 1
    if not row.at_first:
        row.at_first = row.killed
    return row


def _of_keys(root: Path, directory: str, keys: list[Key]) -> Iterator[Mutant]:
    left = list(keys)
    for path in sorted({scope.partition(" ")[0] for scope, _, _ in keys}):
        text = (root / path).read_bytes()
        for mutant in choosing.list_mutants(path, text):
            if (key := mutant.key(text)) in left:
                left.remove(key)
                yield mutant


def stale(root: Path) -> list[Key]:
    """Entries of `equivalent.txt` that no longer match a mutant."""
    recorded = equivalents()
    there: set[Key] = set()
    for path in {scope.partition(" ")[0] for scope, _, _ in recorded}:
        if (root / path).exists():
            text = (root / path).read_bytes()
            there |= {mutant.key(text) for mutant in choosing.list_mutants(path, text)}
    return [key for key in recorded if key not in there]


def report(rows: dict[str, Row]) -> str:
    """The table of all folders, and the survivors."""
    lines = [
        "# Mutants",
        "",
        "- made by `ci/mutants --floors FILE`, which tries again what survived and the folders whose sources changed; "
        "seeds " + ", ".join(sorted({str(row.seed) for row in rows.values()})),
        f"- Python {platform.python_version()}",
        "- equivalent ones: [equivalent.txt](../mutation/equivalent.txt), with reasons",
        "- score: killed of those that are not equivalent; at first: before tests were written for what survived, "
        "which is what a fresh seed is to be compared with",
        "",
        "| folder | planted | killed | equivalent | live | at first | score | floor | run on |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
        *(str(rows[directory]) for directory in sorted(rows)),
        "",
    ]
    for directory in sorted(rows):
        for scope, before, after in rows[directory].survivors:
            lines.append(f"- survived: {scope}: `{before}` → `{after}`")
    return "\n".join(lines).rstrip() + "\n"
