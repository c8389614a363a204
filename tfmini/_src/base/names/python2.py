"""Whether a program that does not parse is Python 2, and what converts it."""

from __future__ import annotations

import re

CONVERT = (
    "convert the file with 2to3 (python -m lib2to3 -w -n FILE, up to Python 3.12) or modernize"
)

_MESSAGES = re.compile(
    r"Missing parentheses in call to '(print|exec)'"
    r"|multiple exception types must be parenthesized"
    r"|leading zeros in decimal integer literals"
    r"|inconsistent use of tabs"
)
_LINE = re.compile(
    r"^\s*print\b(?!\s*[(=.])|^\s*exec\s+[^\s=(]|^\s*raise\s+[\w.]+\s*,|^\s*except\s+[\w.]+\s*,|<>|`[^`]+`"
    r"|\b(\d+|0[xX][\da-fA-F]+)[lL]\b|\b[uU][rR]['\"]|\bdef\s+\w+\s*\([^:]*[(,]\s*\(|\bdef\s+\w+\s*\(\s*\("
    r"|\blambda\s*\(|\blambda\b[^:]*,\s*\("
)


def is_python2(error: SyntaxError) -> bool:
    """Whether a source that does not parse is Python 2."""
    return bool(_MESSAGES.search(error.msg or "") or _LINE.search(error.text or ""))
