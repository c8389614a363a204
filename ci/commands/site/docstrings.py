"""Docstrings as MyST Markdown: sections as bold headings, arguments as lists, examples as code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_SECTION = re.compile(
    r"((?:Args|Arguments|Returns|Raises|Yields|Example|Examples)\b[^:`]*):(?: (.*))?$"
)
_ITEM = re.compile(r"(\*{0,2}\w[^:`]*): (.*)$")
_CODE = re.compile(r"(`+)(.+?)\1")
_MARKUP = re.compile(r"[\\*_\[\]<>|$#~^{}]")


def markdown(text: str, linked: Callable[[str], str] = "`{}`".format) -> str:
    """The Markdown of a docstring without indentation; `linked` makes a reference of the text between two backticks."""
    return "\n".join(_blocks(text.strip("\n").split("\n"), linked))


def summary(text: str | None, linked: Callable[[str], str] = "`{}`".format) -> str:
    """The first paragraph of a docstring, as one line of Markdown, for a table."""
    first = " ".join((text or "").strip().split("\n\n")[0].split())
    return _escape(first, linked)


def _escape(line: str, linked: Callable[[str], str]) -> str:
    """A line of prose with Markdown characters escaped, except in inline code."""
    parts, end = [], 0
    for code in _CODE.finditer(line):
        parts += [_MARKUP.sub(r"\\\g<0>", line[end : code.start()]), linked(code[2].strip())]
        end = code.end()
    parts.append(_MARKUP.sub(r"\\\g<0>", line[end:]))
    return re.sub(r"^(\d+)([.)])", r"\1\\\2", re.sub(r"^([-+=])", r"\\\1", "".join(parts)))


def _blocks(lines: list[str], linked: Callable[[str], str]) -> Iterator[str]:
    while lines:
        section = _SECTION.match(lines[0])
        if section:
            body, lines = _indented_lines(lines[1:])
            yield from _section(section[1], section[2] or "", body, linked)
        elif lines[0].startswith(" "):
            body, lines = _indented_lines(lines)
            yield from _code(body)
        else:
            line, *lines = lines
            yield _escape(line, linked)


def _indented_lines(lines: list[str]) -> tuple[list[str], list[str]]:
    """The leading indented lines, dedented, and the remaining lines."""
    count = next(
        (i for i, line in enumerate(lines) if line and not line.startswith(" ")), len(lines)
    )
    body = lines[:count]
    while body and not body[-1].strip():
        body.pop()
    margin = min((len(line) - len(line.lstrip()) for line in body if line.strip()), default=0)
    return [line[margin:] for line in body], lines[count:]


def _code(lines: list[str]) -> Iterator[str]:
    yield from ("", "```python", *lines, "```", "")


def _section(title: str, rest: str, body: list[str], linked: Callable[[str], str]) -> Iterator[str]:
    yield ""
    yield f"**{_escape(title, linked)}**" + (f" {_escape(rest, linked)}" if rest else "")
    yield ""
    if title.startswith("Example") and not rest:
        yield from _code(body)
    elif title.startswith(("Args", "Arguments", "Raises")):
        yield from _items(body, linked)
    else:
        yield from (_escape(line.strip(), linked) for line in body)
    yield ""


def _items(lines: list[str], linked: Callable[[str], str]) -> Iterator[str]:
    """`name: text` as list items; deeper lines continue an item."""
    for line in lines:
        item = None if line.startswith(" ") else _ITEM.match(line)
        if item:
            names = "; ".join(f"`{name.strip()}`" for name in item[1].split(";"))
            yield f"- {names}: {_escape(item[2], linked)}"
        elif line.strip():
            yield f"  {_escape(line.strip(), linked)}"
