"""Compiled kernels and measured algorithms, carried from one machine to the next as $RESULTS/caches-N.tar.gz."""

from __future__ import annotations

import tarfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

FOLDERS = {"kernels": "CUPY_CACHE_DIR", "cudnn": "TFMINI_CUDNN_CACHE"}
PART_BYTES = 14 << 20
MAX_PARTS = 4  # with the summary, the logs, and the current log: below eight files


def pack(results: Path, environment: Mapping[str, str], seconds: float) -> str:
    """Writes archives of about PART_BYTES each while time permits; returns a description."""
    end = time.monotonic() + seconds
    files = _files(environment)
    count = 0
    for index in range(1, MAX_PARTS + 1):
        first = next(files, None)
        if first is None:
            break
        path = results / f"caches-{index}.tar.gz"
        with (
            path.open("wb") as raw,
            tarfile.open(fileobj=raw, mode="w:gz", compresslevel=2) as part,
        ):
            part.add(*first)
            count += 1
            while (
                raw.tell() < PART_BYTES and time.monotonic() < end and (more := next(files, None))
            ):
                part.add(*more)
                count += 1
        if time.monotonic() >= end:
            break
    left_out = sum(1 for _ in files)
    return f"{count} files of caches packed" + (f", {left_out} left out" if left_out else "")


def _files(environment: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    """The files of both caches, and their archive names."""
    for name, variable in reversed(FOLDERS.items()):  # smaller one first
        directory = Path(environment[variable])
        for path in sorted(directory.rglob("*")) if directory.is_dir() else ():
            if path.is_file():
                yield path, f"{name}/{path.relative_to(directory)}"


def unpack(packed: Path, environment: Mapping[str, str]) -> int:
    """Unpacks a folder's archives into the caches named by the environment; returns the number of files."""
    count = 0
    for path in sorted(packed.glob("caches-*.tar.gz")):
        with tarfile.open(path) as part:
            for member in part:
                name, _, rest = member.name.partition("/")
                directory = Path(environment[FOLDERS[name]])
                target = directory / rest
                if not (member.isfile() and target.resolve().is_relative_to(directory.resolve())):
                    continue
                target.parent.mkdir(parents=True, exist_ok=True)
                content = part.extractfile(member)
                assert content is not None
                target.write_bytes(content.read())
                count += 1
    return count
