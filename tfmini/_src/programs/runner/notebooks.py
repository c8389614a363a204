"""Notebooks as programs: code cells in order, with magics as calls of `get_ipython()`.

The value of a cell's last expression is printed, as in interactive Python, unless it ends with `;`. There is no
`__file__`, as in Jupyter, and figures are drawn without a window unless MPLBACKEND is set.
"""

from __future__ import annotations

import ast
import json
import linecache
import os
import re
from collections.abc import Iterator
from types import CodeType
from typing import Any

from tfmini._src.programs.runner.call_shims import rewrite_calls
from tfmini._src.programs.runner.display import display, supply
from tfmini._src.programs.runner.magics import Shell
from tfmini._src.programs.runner.programs import NoProgramError, Program
from tfmini._src.programs.runner.python2 import evidence, language_version

_MAGIC = re.compile(r"(\s*)(?:([A-Za-z_][\w.,\s\[\]'\"]*?)\s*=\s*)?(%|!!?)\s*(\S.*)", re.DOTALL)
_FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t]+(\([^)]*\)|[^\n;#]+)", re.MULTILINE)
_HELP = re.compile(r"\s*(\?{1,2}\s*[%\w.*]+|%{0,2}[\w.*]+\s*\?{1,2})\s*$")


def notebook(path: str) -> Program:
    """Loads a Python notebook in Jupyter's format version 3 or 4; raises NoProgramError for anything else."""
    about, cells = _read_notebook(path)
    name = os.path.basename(path)
    futures: set[str] = set()
    sources = "\n".join(cell_to_python(cell) for _, cell in cells).encode("utf-8", "replace")

    def load() -> list[CodeType]:
        language_version.search_evidence(sources, os.path.dirname(os.path.abspath(path)))
        if _is_of_python2_kernel(about) and not evidence.is_python3(sources, by_syntax=True):
            language_version.set_python2(only=False)
        return [
            code
            for cell_number, cell in cells
            for code in _compile_cell(cell, f"{name}, cell {cell_number}", futures, sources)
        ]

    def compile_magic(source: str) -> list[CodeType]:
        return _compile_cell(source, f"{name}, magic", futures, sources)

    def prepare(namespace: dict[str, Any]) -> None:
        shell = Shell(namespace, compile_magic)
        namespace.update(get_ipython=lambda: shell, display=display)
        supply(namespace["get_ipython"])
        os.environ.setdefault("MPLBACKEND", "Agg")

    directory = os.path.dirname(os.path.realpath(path))
    return Program(load, path, directory, {"__spec__": None, "__loader__": None}, prepare)


def read_code_cells(path: str) -> list[tuple[int, str]]:
    """Returns the code cells with their numbers, counting all cells from 1."""
    return _read_notebook(path)[1]


def _read_notebook(path: str) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Returns the metadata and the numbered code cells."""
    full = os.path.abspath(path)
    try:
        with open(full, encoding="utf-8") as file:
            read = json.load(file)
        sheets = read["worksheets"] if "worksheets" in read else [read]
        cells = [cell for sheet in sheets for cell in sheet["cells"]]
        cell_types = [cell["cell_type"] for cell in cells]
        sources = [cell.get("source", cell.get("input", "")) for cell in cells]
        metadata = read.get("metadata", {})
    except OSError as error:
        raise NoProgramError(
            f"can't open file {full!r}: [Errno {error.errno}] {error.strerror}"
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NoProgramError(
            f"{full!r} is not a notebook: {type(error).__name__}: {error}"
        ) from None
    language = metadata.get("language_info", {}).get("name") or metadata.get("kernelspec", {}).get(
        "language", "python"
    )
    if language.lower() not in ("python", "ipython"):
        raise NoProgramError(f"{full!r} is a notebook in {language}, not in Python")
    texts = ["".join(source) for source in sources]
    return metadata, [
        (n, t) for n, (cell_type, t) in enumerate(zip(cell_types, texts), 1) if cell_type == "code"
    ]


def _is_of_python2_kernel(about: dict[str, Any]) -> bool:
    """Whether a Python 2 kernel ran the notebook last."""
    version = about.get("language_info", {}).get("version")
    if version is None:
        return about.get("kernelspec", {}).get("name") == "python2"
    return str(version).startswith("2.")


def _compile_cell(cell: str, filename: str, futures: set[str], sources: bytes) -> list[CodeType]:
    """Returns the code objects of a cell: its statements, and its last expression, whose value is printed.

    Args:
      futures: names imported from `__future__` in any line of a cell, which apply to it and to the cells that follow.
      sources: the source of all cells, which determines the rewrites: most cells use modules that another imports.
    """
    source = cell_to_python(cell)
    # Registers the lines for tracebacks, because no file contains them.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    for names in _FUTURE.findall(source):
        futures.update(name.strip() for name in names.strip("() \t").split(",") if name.strip())
    tree = rewrite_calls(_parse_cell(source, filename, futures), sources)
    codes = []
    last: list[ast.stmt] = []
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not source.rstrip().endswith(";"):
        last = [tree.body.pop()]
    if tree.body:
        codes.append(compile(tree, filename, "exec", dont_inherit=True))
    if last:
        codes.append(compile(ast.Interactive(last), filename, "single", dont_inherit=True))
    return codes


def _parse_cell(source: str, filename: str, futures: set[str]) -> ast.Module:
    """Returns the syntax tree of a cell that imports `futures` first."""
    if futures:
        body = _FUTURE.sub(lambda match: "pass" + "\n" * match[0].count("\n"), source)
        source = f"from __future__ import {', '.join(sorted(futures))}\n{body}"
    data = source.encode("utf-8", "replace")
    is_old = language_version.is_python2_source(data)
    try:
        tree = (
            language_version.converter().parse_python2(data, filename)
            if is_old
            else ast.parse(source, filename)
        )
    except SyntaxError as error:
        if futures and error.lineno:
            error.lineno -= 1
        raise
    if futures:
        ast.increment_lineno(tree, -1)
    return tree


def cell_to_python(cell: str) -> str:
    """Converts a cell to Python, line by line, with magics as calls."""
    first, _, remainder = cell.lstrip().partition("\n")
    if first.startswith("%%"):
        name, _, line = first[2:].strip().partition(" ")
        return f"get_ipython().run_cell_magic({name!r}, {line!r}, {remainder!r})\n"
    lines = list(_python_lines(_dedent_lines(cell.splitlines())))
    return "".join(line + "\n" for line in lines)


def _dedent_lines(lines: list[str]) -> list[str]:
    """Removes the first line's indentation from all lines that share it, as IPython does."""
    first = next((line for line in lines if line.strip()), "")
    indent = first[: len(first) - len(first.lstrip())]
    return [line.removeprefix(indent) for line in lines]


def _python_lines(lines: list[str]) -> Iterator[str]:
    state = _ContinuationTracker()
    waiting = iter(lines)
    for line in waiting:
        match = None if state.a_statement else _MAGIC.fullmatch(line)
        if match is None:
            is_help = not state.a_statement and _HELP.fullmatch(line)
            yield "pass" if is_help else line
            if not is_help:
                state.read(line)
            continue
        blank = 0
        while line.endswith("\\"):  # a command continued on the next line
            line = line[:-1] + next(waiting, "")
            blank += 1
        yield _magic_call(_MAGIC.fullmatch(line) or match)
        yield from [""] * blank


def _magic_call(match: re.Match[str]) -> str:
    indent, target, sign, line = match.groups()
    if sign == "%":
        name, _, remainder = line.lstrip("%").partition(" ")
        call = f"get_ipython().run_line_magic({name!r}, {remainder.strip()!r})"
    else:
        method = "getoutput" if target or sign == "!!" else "system"
        call = f"get_ipython().{method}({line!r})"
    return f"{indent}{target} = {call}" if target else indent + call


class _ContinuationTracker:
    """Tracks whether the next line continues a statement: brackets, a long string or a backslash."""

    def __init__(self) -> None:
        self.depth = 0
        self.quotes = ""
        self.is_continued = False

    @property
    def a_statement(self) -> bool:
        return bool(self.depth > 0 or self.quotes or self.is_continued)

    def read(self, line: str) -> None:
        position = 0
        self.is_continued = False
        while position < len(line):
            if self.quotes:
                position = self._string(line, position)
                continue
            char = line[position]
            if char == "#":
                return
            if char in "\"'":
                self.quotes = char * 3 if line.startswith(char * 3, position) else char
                position += len(self.quotes)
                continue
            self.depth += (char in "([{") - (char in ")]}")
            position += 1
        if len(self.quotes) == 1:  # a short string ends with its line, except after a backslash
            self.quotes = self.quotes if line.endswith("\\") else ""
        elif not self.quotes:
            self.is_continued = line.endswith("\\")

    def _string(self, line: str, position: int) -> int:
        """Returns the position after the end of the string, or of the line."""
        while position < len(line):
            if line[position] == "\\":
                position += 2
            elif line.startswith(self.quotes, position):
                position += len(self.quotes)
                self.quotes = ""
                return position
            else:
                position += 1
        return position
