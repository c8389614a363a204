"""`tfmini check --fix` and `--diff`: programs converted to Python 3 and the current names of TensorFlow 1."""

from __future__ import annotations

import difflib
import io
import os
import tokenize
from collections.abc import Sequence

from tfmini._src.programs.check.findings import Finding
from tfmini._src.programs.check.python3 import ConvertedSource, convert
from tfmini._src.programs.check.source_files import files
from tfmini._src.programs.cli.printable import complain, printable
from tfmini._src.programs.cli.reports import Report, Section, count_text
from tfmini._src.programs.cli.terminal_report import show
from tfmini._src.programs.runner.python2 import evidence


def fix(paths: Sequence[str], writes: bool) -> int:
    """Converts scripts, but not notebooks, in place, or prints the differences; returns the exit status."""
    changed_count, failed = 0, 0
    guesses: list[tuple[str, Finding]] = []
    scripts = [file for file in files(paths) if not file.endswith(".ipynb")]
    only_python2 = _old_directories(scripts)
    for file in scripts:
        try:
            source = _read_source(file)
            by_syntax = only_python2.get(os.path.dirname(file))
            is_old = by_syntax is not None and not evidence.is_python3(source, by_syntax)
            conversion = convert(source, file, is_old or None)
            if conversion.after != conversion.before:
                changed_count += 1
                guesses += [(file, guess) for guess in conversion.guesses]
                if writes:
                    _write_source(file, source, conversion.after)
                else:
                    for line in _difference(file, conversion):
                        print(printable(line))
        except (ImportError, OSError, SyntaxError, ValueError) as error:
            failed += 1
            complain("check", f"{file}: {error}")
    if writes:
        show(_report(paths, guesses))
        print(f"{count_text(changed_count, 'file')} converted.")
    return int(failed > 0)


def _read_source(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


def _old_directories(scripts: Sequence[str]) -> dict[str, bool]:
    """Returns the directories with a Python 2 file, and whether its syntax is; the runner judges modules by both."""
    directories: dict[str, bool] = {}
    for file in scripts:
        try:
            source = _read_source(file)
        except OSError:
            continue
        if evidence.is_source(source):
            directory = os.path.dirname(file)
            is_only_python2 = evidence.is_only_python2(source)
            directories[directory] = directories.get(directory, False) or is_only_python2
    return directories


def _write_source(file: str, source: bytes, text: str) -> None:
    """Writes a text with its source file's encoding and line endings."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    if b"\r\n" in source:
        text = text.replace("\n", "\r\n")
    data = text.encode(encoding)
    with open(file, "wb") as opened:
        opened.write(data)


def _difference(file: str, conversion: ConvertedSource) -> list[str]:
    before, after = (text.splitlines() for text in (conversion.before, conversion.after))
    return list(difflib.unified_diff(before, after, file, file, lineterm=""))


def _report(paths: Sequence[str], guesses: list[tuple[str, Finding]]) -> Report:
    rows = [
        (f"{file}:{guess.place}", guess.problem.name, guess.problem.advice)
        for file, guess in guesses
    ]
    sections = [Section("Guessed", ("place", "name", "meaning"), rows)] if rows else []
    return Report("check", " ".join(paths), [], [], sections, {})
