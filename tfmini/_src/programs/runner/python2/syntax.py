"""Rewrites Python 2 statements as Python 3, line for line: each construct stays on its line.

Parsing uses fissix, the successor of lib2to3. Patterns without a Python 3 equivalent (`def f(a, (b, c))`, `except E,
self.error`) become names, which `operations` unpacks.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import io
import re
import tokenize
from dataclasses import dataclass, field
from typing import Any

PREFIX = "__tfmini_python2_"
PATTERN = f"{PREFIX}pattern_"

_KEYWORDS = ("async", "await", "nonlocal")  # names in Python 2
_PRINT_FUNCTION = re.compile(r"^from __future__ import [^\n#]*\bprint_function\b", re.MULTILINE)
_PRINT_FUNCTIONS = re.compile(r"^from __future__ import \([^)]*\bprint_function\b", re.MULTILINE)
# Text with non-ASCII bytes, written as escapes.
_BYTES = re.compile(r"""(?s)['"].*(?<!\\)(?:\\\\)*\\(?:x[89a-fA-F]|[23][0-7]{2})""")


@dataclass
class Rewritten:
    """A Python 2 source as Python 3 text.

    Attributes:
      text: has the same number of lines, possibly with an added final newline.
      patterns: text of each pattern replaced by a name, by name.
    """

    text: str
    patterns: dict[str, str] = field(default_factory=dict)


@functools.cache
def is_available() -> bool:
    """Whether the extra `python2` is installed."""
    return importlib.util.find_spec("fissix") is not None


def decode(source: bytes) -> str:
    """Decodes source code by its coding line, else as UTF-8 or Latin-1, and converts line ends to newlines."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        text = source.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError):
        text = source.decode("latin-1")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def rewrite(source: str, filename: str = "<string>") -> Rewritten:
    """Rewrites source code as Python 3; raises SyntaxError if it is not Python 2 either."""
    from fissix import pygram, pytree  # noqa: PLC0415
    from fissix.pgen2 import (  # noqa: PLC0415
        driver,
        parse,
        tokenize as tokens,
    )

    has_print = not has_print_function(source)
    grammar = pygram.python_grammar if has_print else pygram.python_grammar_no_print_statement
    text = expand_tabs(source)
    try:
        tree = driver.Driver(grammar, convert=pytree.convert).parse_string(text)
    except parse.ParseError as error:
        row, column = error.context[1]
        line = text.split("\n")[row - 1] if row <= text.count("\n") + 1 else ""
        raise SyntaxError("invalid syntax", (filename, row, column + 1, line)) from None
    except (tokens.TokenError, IndentationError) as error:
        line_number = (
            error.args[1][0] if isinstance(error, tokens.TokenError) else error.lineno or 1
        )
        raise SyntaxError(str(error.args[0]), (filename, line_number, 1, "")) from None
    has_unicode = "unicode_literals" in source
    statements = _Statements(pygram.python_symbols, pytree, has_unicode)
    statements.rewrite(tree)
    return Rewritten(str(tree), statements.patterns)


def has_print_function(source: str) -> bool:
    """Whether source code imports `print_function` from `__future__`."""
    return bool(_PRINT_FUNCTION.search(source) or _PRINT_FUNCTIONS.search(source))


def future_imports(tree: ast.Module) -> set[str]:
    """Returns the features imported from `__future__` by a module."""
    return {
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    }


def expand_tabs(source: str) -> str:
    """Replaces indentation tabs with spaces, eight columns each, except within strings."""
    if "\t" not in source:
        return source
    within: set[int] = set()
    from fissix.pgen2 import tokenize as tokens  # noqa: PLC0415

    try:
        for token_type, _, start, end, _ in tokens.generate_tokens(io.StringIO(source).readline):
            if token_type == tokens.STRING:
                within.update(range(start[0] + 1, end[0] + 1))
    except (tokens.TokenError, IndentationError):
        pass
    lines = source.split("\n")
    for line_number, line in enumerate(lines, 1):
        indent = line[: len(line) - len(line.lstrip(" \t\f"))]
        if "\t" in indent and line_number not in within:
            lines[line_number - 1] = indent.expandtabs(8) + line[len(indent) :]
    return "\n".join(lines)


class _Statements:
    """Rewrites the nodes of fissix's tree in place."""

    def __init__(self, symbols: Any, pytree: Any, has_unicode: bool) -> None:
        self._has_unicode = has_unicode
        self.patterns: dict[str, str] = {}
        self._symbols = symbols
        self._pytree = pytree
        self._rewriters = {
            symbols.print_stmt: self._print,
            symbols.exec_stmt: self._exec,
            symbols.except_clause: self._except,
            symbols.raise_stmt: self._raise,
            symbols.atom: self._atom,
            symbols.tfpdef: self._parameter,
            symbols.vfpdef: self._parameter,
            symbols.testlist_safe: self._parenthesize_tuple,
        }

    def rewrite(self, node: Any) -> None:
        """Rewrites a node and its descendants."""
        if isinstance(node, self._pytree.Leaf):
            self._leaf(node)
            return
        rewriter = self._rewriters.get(node.type)
        for child in list(node.children):
            self.rewrite(child)
        if rewriter is not None:
            rewriter(node)

    def _leaf(self, leaf: Any) -> None:
        value = leaf.value
        if value == "<>":
            leaf.value = "!="
        elif value[:1].isdigit() or value[:1] == ".":
            leaf.value = _python3_integer(value)
        elif value[:2].lower() == "ur" and value[-1:] in "'\"":
            leaf.value = value[1:]
        elif _BYTES.match(value) and value.isascii() and not self._has_unicode:
            if not self._is_concatenated(leaf):
                leaf.value = f"{PREFIX}bytes__(b{value})"
        elif value in _KEYWORDS:
            leaf.value = f"{value}_"
        elif value == "print" and getattr(leaf.parent, "type", None) in (
            *(self._symbols.simple_stmt, self._symbols.suite, self._symbols.file_input),
        ):
            leaf.value = f"{PREFIX}print__().end()"

    def _end(self, node: Any, text: str) -> None:
        node.append_child(self._pytree.Leaf(0, text))

    def _print(self, node: Any) -> None:
        call, *remaining = node.children
        call.value = f"{PREFIX}print__("
        if getattr(remaining[0], "value", "") == ">>":
            remaining[0].value = ""
        else:
            call.value += ")("
        commas = [leaf for leaf in remaining if getattr(leaf, "value", "") == ","]
        for comma in commas:
            comma.value = ")("
        if remaining[-1] in commas[-1:]:
            remaining[-1].value = ")"
        else:
            self._end(node, ").end()")

    def _exec(self, node: Any) -> None:
        call, code, *remaining = node.children
        has_brackets = getattr(code.children[0], "value", "") == "(" if code.children else False
        if not remaining and has_brackets and code.type == self._symbols.atom:
            inner = code.children[1]
            names = getattr(inner, "children", None) or [inner]
            if inner.type == self._symbols.testlist_gexp and len(names) > 1:
                code.children[0].value = f"({PREFIX}code__("
                names[1].value = "),"
                return
        for leaf in remaining[::2]:
            leaf.value = ","
            leaf.prefix = ""
        call.value = f"exec({PREFIX}code__("
        code.append_child(self._pytree.Leaf(0, ")")) if code.children else None
        if not code.children:
            code.value += ")"
        self._end(node, ")")

    def _except(self, node: Any) -> None:
        if len(node.children) == 4 and node.children[2].value == ",":
            comma, target = node.children[2:]
            comma.value = " as"
            if not isinstance(target, self._pytree.Leaf):
                self._name_pattern(target)

    def _raise(self, node: Any) -> None:
        if len(node.children) > 3 and getattr(node.children[2], "value", "") == ",":
            node.children[0].value = f"raise {PREFIX}raise__("
            self._end(node, ")")

    def _atom(self, node: Any) -> None:
        first, last = node.children[0], node.children[-1]
        if getattr(first, "value", "") == "`":
            first.value, last.value = "repr((", "))"
        elif self._is_concatenated(first) and not self._has_unicode:
            values = [leaf.value for leaf in node.children]
            if any(map(_BYTES.match, values)) and all(
                v[0] in "'\"" and v.isascii() for v in values
            ):
                for leaf in node.children:
                    leaf.value = f"b{leaf.value}"
                first.value = f"{PREFIX}bytes__({first.value}"
                last.value += ")"

    def _is_concatenated(self, leaf: Any) -> bool:
        """Whether a leaf is one of several strings in a row."""
        parent = leaf.parent
        return getattr(parent, "type", None) == self._symbols.atom and not any(
            getattr(parent.children[0], "value", "(")[:1] == bracket for bracket in "([{`"
        )

    def _parameter(self, node: Any) -> None:
        if node.parent is None or node.parent.type not in (node.type, self._inner(node)):
            self._name_pattern(node)

    def _inner(self, node: Any) -> int:
        symbols = self._symbols
        return symbols.tfplist if node.type == symbols.tfpdef else symbols.vfplist

    def _name_pattern(self, node: Any) -> None:
        """Replaces a pattern with a name."""
        name = f"{PATTERN}{len(self.patterns)}__"
        prefix, node.prefix = node.prefix, ""
        text = str(node)
        self.patterns[name] = text.replace("\n", " ")
        lines = text.count("\n")
        node.replace(self._pytree.Leaf(1, name + "\\\n" * lines, prefix=prefix))

    def _parenthesize_tuple(self, node: Any) -> None:
        if len(node.children) > 1:
            first = node.children[0]
            prefix, first.prefix = first.prefix, ""
            node.insert_child(0, self._pytree.Leaf(0, "(", prefix=prefix))
            self._end(node, ")")


def _python3_integer(value: str) -> str:
    digits = value.rstrip("lL")
    if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
        return f"0o{digits.lstrip('0') or '0'}" if set(digits) <= set("01234567") else digits
    return digits
