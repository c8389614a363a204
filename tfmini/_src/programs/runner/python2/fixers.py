"""Converts Python 2 sources to readable Python 3, using fissix's fixers."""

from __future__ import annotations

import logging

from tfmini._src.programs.runner.python2 import syntax

_FIXES = "fissix.fixes"
_LEFT_OUT = ("buffer", "future", "idioms", "set_literal", "ws_comma")  # stylistic fixers


def converted(text: str, filename: str) -> str:
    """Converts a Python 2 source to Python 3.

    Raises:
      SyntaxError: if it is not Python 2.
    """
    from fissix.pgen2 import parse, tokenize  # noqa: PLC0415
    from fissix.refactor import RefactoringTool, get_fixers_from_package  # noqa: PLC0415

    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    left_out = {f"{_FIXES}.fix_{name}" for name in _LEFT_OUT}
    fixers = [name for name in get_fixers_from_package(_FIXES) if name not in left_out]
    tool = RefactoringTool(fixers, {"print_function": syntax.has_print_function(text)})
    try:
        return str(tool.refactor_string(syntax.with_spaces(text), filename))
    except (parse.ParseError, tokenize.TokenError, IndentationError) as error:
        raise SyntaxError(str(error)) from None
