"""Docstrings describe names that exist: parameters of a function, fields or constructor parameters of a class.

Lines `name: text` are below `Args:` and `Attributes:`, or after the summary. Below a header, any name may be described
if there are parameters such as `*args` and `**kwargs`.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from tests.repository.test_layers import HOLDS_STATEMENTS, ROOT
from tests.repository.test_types import parameters

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
HEADER = re.compile(r"\w+:")
ENTRY = re.compile(r"(  )?(\*{0,2}[a-z_]\w*(?:(?:, and|,| and) \*{0,2}\w+)*): ")
ANY = "*"


class Definition(NamedTuple):
    """A function or class, and the names that it has; ANY stands for all."""

    place: str
    docstring: str
    names: set[str]
    bases: list[str]


def described(docstring: str) -> Iterator[tuple[str, str]]:
    """The described names, each with its header, or ""."""
    header = ""
    for line in docstring.splitlines()[1:]:
        if line and line[0] != " ":
            header = line if HEADER.fullmatch(line) else ""
        entry = ENTRY.match(line)
        if entry and (header in ("Args:", "Attributes:") if entry[1] else not header):
            yield from ((header, name) for name in re.findall(r"(?!and\b)\w+", entry[2]))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, HOLDS_STATEMENTS):
            yield child
            yield from statements(child)


def parameter_names(function: FUNCTION) -> set[str]:
    stars = {ANY} if function.args.vararg or function.args.kwarg else set()
    return {parameter.arg for parameter in parameters(function)} | stars


def fields(tree: ast.ClassDef) -> set[str]:
    """Parameters of the constructor, attributes set by methods, names in the class's body and in its bases."""
    names = set(re.findall(r"\w+", " ".join(map(ast.unparse, tree.bases))))
    for node in statements(tree):
        if isinstance(node, FUNCTION):
            names.add(node.name)
            names |= parameter_names(node) if node.name in ("__init__", "__new__") else set()
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                names |= {n.attr for n in ast.walk(target) if isinstance(n, ast.Attribute)}
                if node in tree.body:
                    names |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
    return names


def definitions(tree: ast.AST, path: str) -> Iterator[Definition]:
    for node in statements(tree):
        if isinstance(node, FUNCTION | ast.ClassDef):
            is_class = isinstance(node, ast.ClassDef)
            names = fields(node) if is_class else parameter_names(node)
            bases = [ast.unparse(base).split(".")[-1] for base in node.bases] if is_class else []
            place = f"{path}:{node.lineno} {node.name}"
            yield Definition(place, ast.get_docstring(node) or "", names, bases)


def stale(found: list[Definition]) -> list[str]:
    """The described names that neither the definition nor a base class has."""
    by_name = defaultdict(list)
    for each in found:
        by_name[each.place.split()[-1]].append(each)

    def names(definition: Definition) -> set[str]:
        bases = [b for name in definition.bases for b in by_name[name] if b is not definition]
        inherited: set[str] = set().union(*map(names, bases))
        return definition.names | inherited - ({ANY} if "__init__" in definition.names else set())

    return [
        f"{each.place}: {name}"
        for each in found
        for header, name in described(each.docstring)
        if name not in each.names and not names(each) & ({name, ANY} if header else {name})
    ]


def test_described_names_exist():
    found: list[Definition] = []
    for path in sorted((ROOT / "tfmini" / "_src").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found += definitions(tree, path.relative_to(ROOT).as_posix())
    assert stale(found) == []


SOURCE = '''
class A:
    """Pair.

    first, last: numbers.
    end: a number.
    """

    def __init__(self, first):
        """Sets the numbers.

        Args:
          first, second: numbers.
        """
        self.last = first


class B(A):
    """Pair.

    Args:
      last, other: numbers.

    third: a number.
    """

    def __init__(self, **numbers):
        super().__init__(**numbers)
'''


def test_stale_names_are_reported():
    hits = [hit.split(":", 1)[1] for hit in stale([*definitions(ast.parse(SOURCE), "a.py")])]
    assert hits == ["2 A: end", "9 __init__: second", "18 B: third"]
