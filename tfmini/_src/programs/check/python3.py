"""Conversion of a program to Python 3 and to TensorFlow 1.15 names: `tfmini check --fix`."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

from tfmini._src.base.names.python2 import MEMBERS
from tfmini._src.base.names.renamed import RENAMED_SYMBOLS
from tfmini._src.programs.check import guesses
from tfmini._src.programs.check.edits import Edit, apply_edits, node_edit
from tfmini._src.programs.check.findings import Finding
from tfmini._src.programs.runner.python2 import evidence, fixers, syntax

_INTEGERS = ("int", "len", "ord")
_KEEP_INTEGERS = (ast.Add, ast.FloorDiv, ast.Mod, ast.Mult, ast.Sub)


@dataclass
class ConvertedSource:
    """A source before and after conversion, and the locations that need manual review.

    Attributes:
      guesses: by line of the converted source.
    """

    before: str
    after: str
    guesses: list[Finding] = field(default_factory=list)


def convert(source: bytes, filename: str, is_old: bool | None = None) -> ConvertedSource:
    """Converts source code to Python 3 and to current TensorFlow 1 names.

    Args:
      is_old: whether it is Python 2; None: if it has evidence of that.

    Raises:
      SyntaxError: if it is neither Python 3 nor Python 2.
      ImportError: if it is Python 2, and the extra `python2` is not installed.
    """
    original_text = syntax.decode(source)
    if is_old is None:
        is_old = evidence.is_source(source)
    converted_text = original_text
    if is_old:
        if not syntax.is_available():
            raise ImportError(
                "the converter requires an extra: pip install 'tfmini-runtime[python2]'"
            )
        converted_text = fixers.convert(original_text, filename)
    converted_text = _reorder_axis_argument(converted_text, filename)
    tree = _tree(converted_text, filename)
    edits = [*_rename_old(tree)]
    rewrites_division = is_old and "division" not in syntax.future_imports(tree)
    if rewrites_division:
        edits += _divisions(tree, converted_text)
    if is_old:
        edits += _members(tree)
    converted_text = apply_edits(converted_text, edits)
    guessed: list[Finding] = []
    if is_old:
        tree = _tree(converted_text, filename)
        guessed = guesses.guesses(tree) + (guesses.divisions(tree) if rewrites_division else [])
    return ConvertedSource(
        original_text, converted_text, sorted(guessed, key=lambda finding: finding.line)
    )


def _tree(text: str, filename: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # backslashes in old programs
        return ast.parse(text, filename)


def _reorder_axis_argument(text: str, filename: str) -> str:
    """Moves the axis to the end in calls of `tf.concat` and `tf.split` whose first argument is a number."""
    while True:
        tree = _tree(text, filename)
        tensorflow_names = _tensorflow_names(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(node.args) in (2, 3):
                root, _, path = _dotted_name(node.func).partition(".")
                first, last = node.args[0], node.args[-1]
                is_old = isinstance(first, ast.Constant) and not isinstance(last, ast.Constant)
                count = {"concat": 2, "split": 3}.get(path)
                if is_old and root in tensorflow_names and len(node.args) == count:
                    texts = [
                        ast.get_source_segment(text, statement) or "" for statement in (first, last)
                    ]
                    text = apply_edits(
                        text, [node_edit(first, texts[1]), node_edit(last, texts[0])]
                    )
                    break
        else:
            return text


def _tensorflow_names(tree: ast.Module) -> set[str]:
    """Returns the names bound to TensorFlow in a program."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "tensorflow"
    }


def _rename_old(tree: ast.Module) -> Iterator[Edit]:
    """Yields the edits that rename old names below `tf`."""
    tensorflow_names = _tensorflow_names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root, _, path = _dotted_name(node).partition(".")
            if root in tensorflow_names and path in RENAMED_SYMBOLS:
                yield node_edit(node, f"{root}.{RENAMED_SYMBOLS[path]}")


def _dotted_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        owner = _dotted_name(node.value)
        return owner and f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _members(tree: ast.Module) -> Iterator[Edit]:
    """Yields the edits of `string` functions, which fissix does not convert."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "string":
            new = MEMBERS["string"].get(node.attr)
            if new:
                yield node_edit(node, new)


def _divisions(tree: ast.Module, source: str) -> Iterator[Edit]:
    """Yields the edits that replace `/` between integers with `//`."""
    integers = _integer_names(tree)
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            if _is_integer(node.left, integers) and _is_integer(node.right, integers):
                division_edit = _division_edit(lines, node.left, node.right)
                if division_edit is not None:
                    yield division_edit
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Div):
            if _is_integer(node.target, integers) and _is_integer(node.value, integers):
                division_edit = _division_edit(lines, node.target, node.value)
                if division_edit is not None:
                    yield division_edit


def _division_edit(lines: list[str], left: ast.expr, right: ast.expr) -> Edit | None:
    """Returns the edit that replaces the `/` between two operands with `//`; None if it finds none outside comments."""
    for line_number in range(left.end_lineno or left.lineno, right.lineno + 1):
        line = lines[line_number - 1].encode()
        start = left.end_col_offset or 0 if line_number == left.end_lineno else 0
        end = right.col_offset if line_number == right.lineno else len(line)
        column = line.find(b"/", start, end)
        if column >= 0 and b"#" not in line[start:column]:
            return Edit((line_number, column), (line_number, column + 1), "//")
    return None


def _is_integer(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression is certainly an integer."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Call):
        return getattr(node.func, "id", "") in _INTEGERS
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_integer(node.operand, names)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (*_KEEP_INTEGERS, ast.Div)):
        return _is_integer(node.left, names) and _is_integer(node.right, names)
    return False


def _integer_names(tree: ast.Module) -> set[str]:
    """Returns the names that a program binds only to integers."""
    values: dict[str, list[ast.expr | None]] = {}

    def bind(target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            values.setdefault(target.id, []).append(value)
        else:
            for node in ast.walk(target):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    values.setdefault(node.id, []).append(None)

    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                bind(target, node.value)
        elif isinstance(node, ast.AugAssign):
            bind(node.target, node.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            is_range = isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") in (
                *("range", "xrange"),
            )
            bind(node.target, ast.Constant(0) if is_range else None)
        elif isinstance(node, ast.arg):
            values.setdefault(node.arg, []).append(None)
        elif isinstance(node, ast.withitem) and node.optional_vars:
            bind(node.optional_vars, None)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node.name:
            values.setdefault(node.name, []).append(None)
        elif isinstance(node, ast.alias):
            values.setdefault((node.asname or node.name).partition(".")[0], []).append(None)
    integers = set(values)
    while True:
        selected = {
            name
            for name in integers
            if all(value is not None and _is_integer(value, integers) for value in values[name])
        }
        if selected == integers:
            return integers
        integers = selected
