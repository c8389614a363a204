"""An emulated GPU for rehearsals: replacements for nvidia-smi, compute-sanitizer and Python."""

from __future__ import annotations

import os
from pathlib import Path

PROGRAMS = {
    "nvidia-smi": 'echo "Emulator, no driver"',
    "compute-sanitizer": 'shift 4; exec "$@"',
    "python": 'exec "$REHEARSAL_PYTHON" -m tests.on_gpus.rehearsal "$@"',
}


def prepare(directory: Path, python: str, environment: dict[str, str]) -> str:
    """Creates the programs in a folder and puts them first on PATH; returns the Python that runs steps."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in PROGRAMS.items():
        path = directory / name
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(0o755)
    environment.pop("CUDA_VISIBLE_DEVICES", None)
    environment["PATH"] = f"{directory}{os.pathsep}{environment['PATH']}"
    environment["REHEARSAL_PYTHON"] = python
    environment["REHEARSAL_EXECUTABLE"] = str(directory / "python")
    environment["BENCH_SECONDS"] = "0.01"
    environment["PYTEST_PLUGINS"] = "tests.on_gpus.rehearsed_tests"
    return str(directory / "python")
