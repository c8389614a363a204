"""Program files to check, and their syntax trees."""

from __future__ import annotations

import ast
import os
import warnings
from collections.abc import Iterable, Iterator

from tfmini._src.programs.runner.notebooks import cell_to_python, read_code_cells

# Cell magics whose cell is still Python.
_PREFIX_MAGICS = ("capture", "prun", "time", "timeit")


def files(paths: Iterable[str]) -> Iterator[str]:
    """Yields listed files, and the scripts and notebooks in listed directories except hidden and virtual environments.

    Raises:
      FileNotFoundError: if a path does not exist.
    """
    seen = set()
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(f"no such file or directory: {path}")
        for file in _files_in(path) if os.path.isdir(path) else (path,):
            if os.path.abspath(file) not in seen:
                seen.add(os.path.abspath(file))
                yield file


def _files_in(directory: str) -> Iterator[str]:
    for current_directory, directories, names in os.walk(directory):
        directories[:] = sorted(f for f in directories if not _is_skipped(current_directory, f))
        for name in sorted(names):
            if name.endswith((".py", ".ipynb")) and not name.startswith("."):
                yield os.path.join(current_directory, name)


def _is_skipped(current_directory: str, directory: str) -> bool:
    is_environment = os.path.exists(os.path.join(current_directory, directory, "pyvenv.cfg"))
    return directory.startswith(".") or directory == "__pycache__" or is_environment


def trees(file: str) -> Iterator[tuple[int, ast.Module]]:
    """Yields the syntax tree of a script (as cell 0) or of each notebook cell, with the cell number.

    Raises:
      OSError: if the file cannot be read.
      programs.NoProgramError: if it is not a notebook, or one in another language.
      SyntaxError: if it does not parse; the error's `cell` is the cell number, `source` its text.
    """
    if not file.endswith(".ipynb"):
        with open(file, "rb") as opened:
            yield 0, _parse(opened.read(), 0)
        return
    for cell_number, cell in read_code_cells(file):
        first, _, remainder = cell.lstrip().partition("\n")
        if first.startswith("%%") and first[2:].split(" ")[0].strip() in _PREFIX_MAGICS:
            cell = "\n" + remainder
        yield cell_number, _parse(cell_to_python(cell), cell_number)


def _parse(source: str | bytes, cell: int) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # backslashes in old programs
            return ast.parse(source)
    except SyntaxError as error:
        error.cell, error.source = cell, source  # type: ignore[attr-defined]
        raise
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; too deep brackets
        raise SyntaxError(str(error) or "nested too deep") from None
