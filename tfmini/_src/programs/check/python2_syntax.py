"""Translates Python 2 statements to Python 3, line for line, so that the rest of a program can be parsed.

Only the parsed text is changed; nothing runs. A line that still fails to parse is skipped.
"""

from __future__ import annotations

import ast
import re
import warnings

from tfmini._src.programs.runner.python2 import syntax

_MAX_SKIPPED_LINES = 50  # maximum skipped lines
_REWRITTEN = (
    (re.compile(r"^(\s*)print\s*>>\s*([^,\n]+),?[ \t]*(.*)$", re.M), r"\1print(\3, file=\2)"),
    (
        re.compile(r"^(\s*)print[ \t]+(?![(=.])([^\n\\]*[^\n\\,({\[])[ \t]*,?[ \t]*$", re.M),
        r"\1print(\2)",
    ),
    (re.compile(r"^(\s*)print[ \t]*$", re.M), r"\1print()"),
    (
        re.compile(
            r"^(\s*except[ \t]+[\w.]+|^\s*except[ \t]*\([^)\n]*\))[ \t]*,[ \t]*(\w+)[ \t]*:", re.M
        ),
        r"\1 as \2:",
    ),
    (re.compile(r"^(\s*)raise[ \t]+([\w.]+)[ \t]*,[ \t]*(.+)$", re.M), r"\1raise \2(\3)"),
    (re.compile(r"^(\s*)exec[ \t]+(?!\()([^\n]+)$", re.M), r"\1exec(\2)"),
    (re.compile(r"\b(0[xX][\da-fA-F]+|\d+)[lL]\b"), r"\1"),
    (re.compile(r"\b0+([1-7][0-7]*)\b(?![.\w])"), r"0o\1"),
    (re.compile(r"\b[uU][rR](?=['\"])"), "r"),
    (re.compile(r"`([^`\n]+)`"), r"repr(\1)"),
    (re.compile(r"<>"), "!="),
)


def parse_leniently(source: str | bytes) -> ast.Module | None:
    """Returns the syntax tree of a Python 2 program without its unparsable lines; None if there are too many."""
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else source
    if syntax.is_available():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(syntax.rewrite(text if text.endswith("\n") else f"{text}\n").text)
        except (SyntaxError, ValueError, RecursionError):
            pass  # part of it may parse
    lines = _rewrite(text.replace("\r\n", "\n").expandtabs(8)).split("\n")
    for _ in range(_MAX_SKIPPED_LINES):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse("\n".join(lines))
        except SyntaxError as error:
            index = min(error.lineno or 1, len(lines)) - 1
            indent = re.match(r"\s*", lines[index])
            is_passed = lines[index].strip() == "pass"  # inside brackets, or indented
            lines[index] = "" if is_passed or indent is None else f"{indent[0]}pass"
        except (ValueError, RecursionError, MemoryError):
            return None
    return None


def _rewrite(text: str) -> str:
    for pattern, new in _REWRITTEN:
        text = pattern.sub(new, text)
    return text
