"""Strings matched with regular expressions, and matches replaced."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tfmini.backend.regular_expressions import PatternError, compiled
from tfmini.graph.inference import Dims, unchanged, with_rank
from tfmini.graph.opdef import Attr, op, public, raw
from tfmini.graph.tensor import Tensor
from tfmini.ops.operands import shape_text
from tfmini.ops.string_elements import (
    listed,
    mapped,
    numbers,
    refuse,
    shape_of,
    single,
    text_bytes,
    utf8_text,
)

_REFERENCE = re.compile(r"\\(.?)", re.DOTALL)


def _pattern(pattern: Any, with_escapes: bool = False) -> re.Pattern[str]:
    text = pattern if isinstance(pattern, str) else utf8_text(single(pattern))
    try:
        return compiled(text, with_escapes)
    except (PatternError, re.error) as error:
        reason = str(error)
    refuse(f"Invalid pattern: {text}, error: {reason}")
    raise AssertionError


def _given(data: bytes, expression: re.Pattern[str], pattern: Any) -> tuple[str, re.Pattern[str]]:
    """A string as text, and the expression for it: another one if it is no UTF-8."""
    try:
        return data.decode(), expression
    except UnicodeDecodeError:
        return utf8_text(data), _pattern(pattern, with_escapes=True)


def _replaced(value: Any, pattern: Any, rewrite: Any, everywhere: bool) -> Any:
    expression = _pattern(pattern)
    text = rewrite if isinstance(rewrite, str) else utf8_text(single(rewrite))
    if expression.pattern.isalnum() and "\\" not in text:
        old, new = text_bytes(expression.pattern), text_bytes(text)
        return mapped(lambda data: data.replace(old, new, -1 if everywhere else 1), value)

    def replace(data: bytes) -> bytes:
        given, fitting = _given(data, expression, pattern)
        parts, end, last = [], 0, -1
        while end <= len(given) and (match := fitting.search(given, end)):
            parts.append(given[end : match.start()])
            end = match.end()
            if match.start() == end == last:  # nothing, right after a match: one character on
                parts.append(given[end : end + 1])
                end += 1
                continue
            new, is_valid = _rewritten(match, text)
            if not everywhere:
                return text_bytes(parts[0] + new + given[end:]) if is_valid else data
            parts.append(new)
            last = end
        return text_bytes("".join([*parts, given[end:]])) if last >= 0 else data

    return mapped(replace, value)


def _rewritten(match: re.Match[str], rewrite: str) -> tuple[str, bool]:
    """What replaces a match, up to what the rewrite asks for in vain; whether there is no such thing."""
    parts, end = [], 0
    for reference in _REFERENCE.finditer(rewrite):
        parts.append(rewrite[end : reference.start()])
        end = reference.end()
        name = reference[1]
        if name == "\\":
            parts.append(name)
        elif name.isdigit():  # a group that is not there is empty
            parts.append(match[int(name)] or "" if int(name) <= match.re.groups else "")
        else:
            return "".join(parts), False
    return "".join([*parts, rewrite[end:]]), True


def _matches(value: Any, pattern: Any) -> Any:
    expression = _pattern(pattern)

    def matches(data: bytes) -> bool:
        given, fitting = _given(data, expression, pattern)
        return fitting.fullmatch(given) is not None

    return numbers(map(matches, listed(value)), value, np.bool_)


def _check_scalar(name: str, value: Any) -> None:
    if shape_of(value):
        refuse(f"{name} must be scalar, but received {shape_text(shape_of(value))}")


@op(
    "RegexReplace",
    "input: string, pattern: string, rewrite: string -> output: string",
    replace_global=True,
)
def regex_replace_op(xp, value, pattern, rewrite, *, replace_global):
    _check_scalar("Pattern", pattern)
    _check_scalar("Rewrite", rewrite)
    return _replaced(value, pattern, rewrite, replace_global)


@op(
    "StaticRegexReplace",
    "input: string -> output: string",
    pattern=Attr("string"),
    rewrite=Attr("string"),
    replace_global=True,
)
def static_regex_replace_op(xp, value, *, pattern, rewrite, replace_global):
    return _replaced(value, pattern, rewrite, replace_global)


@op("RegexFullMatch", "input: string, pattern: string -> output: bool")
def regex_full_match_op(xp, value, pattern):
    _check_scalar("Pattern", pattern)
    return _matches(value, pattern)


@op("StaticRegexFullMatch", "input: string -> output: bool", pattern=Attr("string"))
def static_regex_full_match_op(xp, value, *, pattern):
    return _matches(value, pattern)


@regex_replace_op.infer
@regex_full_match_op.infer
def _(op) -> Dims:
    for value in op.inputs[1:]:
        with_rank(value._dims, 0)
    return op.inputs[0]._dims


static_regex_replace_op.infer(unchanged)
static_regex_full_match_op.infer(unchanged)
regex_replace_op.not_differentiable()


@public
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: bool = True, name: str | None = None
) -> Tensor:
    """Each string with what matches a regular expression replaced.

    Args:
      input: string tensor of any shape.
      pattern: a string or scalar string tensor, in RE2's syntax.
      rewrite: a string or scalar string tensor, in which `\\\\0` is the match and `\\\\1` to `\\\\9`
        are its groups.
      replace_global: every match; otherwise the first.
      name: the name of the node.

    Returns:
      A string Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: when run, if the pattern is none.

    Example: `tf.strings.regex_replace("a1b22", "[0-9]+", "#")` is `"a#b#"`.
    """
    if isinstance(pattern, str | bytes) and isinstance(rewrite, str | bytes):
        return raw.StaticRegexReplace(
            input, pattern, rewrite, replace_global=replace_global, name=name
        )
    return raw.RegexReplace(input, pattern, rewrite, replace_global=replace_global, name=name)


@public
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether a regular expression matches the whole of each string.

    Args:
      input: string tensor of any shape.
      pattern: a string or scalar string tensor, in RE2's syntax.
      name: the name of the node.

    Returns:
      A bool Tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: when run, if the pattern is none.
    """
    if isinstance(pattern, str | bytes):
        return raw.StaticRegexFullMatch(input, pattern, name=name)
    return raw.RegexFullMatch(input, pattern, name=name)
