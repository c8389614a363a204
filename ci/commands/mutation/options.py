"""`ci/mutants options`: arguments of public functions and methods for which no test passes a non-default value.

Nothing is executed: the calls are read from the source of the tests, the short programs, the invalid programs and the
recorded calls. A call counts for every public function with the same last name.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import inspect
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import FunctionType
from typing import Any

import tfmini as tf
from tests.conformance import bad_input, recorded_calls, short_programs

ROOT = Path(__file__).resolve().parents[3]
LEFT_OUT = {"name"}  # node names: golden programs compare them
_PRIVATE = ("_src", "compat", "raw_ops", "ops")
_UNKNOWN = object()  # the value of any other expression


@dataclass
class Public:
    """A public function: its argument names in order, and those with a default that no call has overridden."""

    name: str
    places: list[str]
    open: dict[str, object]
    is_called: bool = False

    def give(self, by_place: Iterable[object], by_name: dict[str, object]) -> None:
        self.is_called = True
        for name, value in [*zip(self.places, by_place), *by_name.items()]:
            if name in self.open and not _is_same(value, self.open[name]):
                del self.open[name]


def _is_same(value: object, default: object) -> bool:
    return type(value) is type(default) and value == default


def public_functions() -> list[Public]:
    """tfmini's public functions, and constructors and methods of its public classes, that have defaults, by their
    shortest names.
    """
    found: dict[object, Public] = {}
    stubs = (ROOT / "tfmini").rglob("__init__.pyi")
    folders = [stub.parent.relative_to(ROOT).parts for stub in stubs]
    for parts in sorted(folders, key=lambda parts: (len(parts), parts)):
        if any(part in _PRIVATE for part in parts):
            continue
        module_name = ".".join(parts)
        module = importlib.import_module(module_name)
        for name in sorted(set(dir(module))):
            if not name.startswith("_"):
                full = f"{module_name}.{name}".replace("tfmini", "tf", 1)
                for function_name, function in _functions(full, getattr(module, name)):
                    parameters = inspect.signature(function).parameters.values()
                    positional = [p.name for p in parameters if p.kind == p.POSITIONAL_OR_KEYWORD]
                    if positional[:1] == ["self"] or positional[:1] == ["cls"]:
                        del positional[0]
                    defaults = {
                        p.name: p.default
                        for p in parameters
                        if p.default is not p.empty and p.name not in LEFT_OUT
                    }
                    if defaults:
                        public = Public(function_name, positional, defaults)
                        found.setdefault(function.__code__, public)
    return list(found.values())


def _functions(name: str, value: object) -> Iterator[tuple[str, FunctionType]]:
    """A function, or the constructor and the public methods of a class, that are written in tfmini."""
    members = [(name, value)]
    if isinstance(value, type):
        members = [(name, value.__init__)] + [
            (f"{name}.{member}", inspect.getattr_static(value, member))
            for member in dir(value)
            if not member.startswith("_") or member == "__call__"
        ]
    for member_name, member in members:
        function = inspect.unwrap(getattr(member, "__func__", member))
        if isinstance(function, FunctionType) and function.__module__.startswith("tfmini."):
            yield member_name, function


def calls(tree: ast.AST) -> Iterator[tuple[str, list[object], dict[str, object]]]:
    """The calls in a text: last part of the callee's name, arguments by position (up to a starred one) and by name."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        function, arguments = node.func, node.args
        if getattr(function, "attr", "") == "partial" and arguments:
            function, *arguments = arguments
        name = getattr(function, "attr", getattr(function, "id", ""))
        starred = [isinstance(each, ast.Starred) for each in arguments]
        plain = arguments[: starred.index(True)] if any(starred) else arguments
        yield (
            name,
            [_value(each) for each in plain],
            {k.arg: _value(k.value) for k in node.keywords if k.arg},
        )


def _value(node: ast.expr) -> object:
    """The value of a literal or of names such as `tf.float32`."""
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "tf":
        return getattr(tf, node.attr, _UNKNOWN)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return _UNKNOWN


def calls_in(value: Any) -> Iterator[tuple[str, list[object], dict[str, object]]]:
    """The calls in a record."""
    if isinstance(value, dict):
        if isinstance(value.get("f"), str):
            yield value["f"].rpartition(".")[2], value.get("a", []), value.get("k", {})
        for each in value.values():
            yield from calls_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from calls_in(each)


def all_calls() -> Iterator[tuple[str, list[object], dict[str, object]]]:
    for path in (ROOT / "tests").rglob("*.py"):
        yield from calls(ast.parse(path.read_text(encoding="utf-8")))
    for path in Path(bad_input.HERE).glob("*.txt"):
        for _, expression in bad_input.written(path).values():
            yield from calls(ast.parse(expression))
    for package in {table.partition("_")[0] for table in short_programs.packages()}:
        for program in chain.from_iterable(short_programs.programs(package).values()):
            with contextlib.suppress(SyntaxError):  # some are deliberately not Python
                yield from calls(ast.parse(program))
    for group in recorded_calls.read().values():
        for _, record, _ in group:
            yield from calls_in(record)


def still_open() -> list[Public]:
    """Called functions with arguments that no call sets to a non-default value."""
    by_name = defaultdict(list)
    functions = public_functions()
    for public in functions:
        *_, owner, last = public.name.split(".")
        by_name[owner if last == "__call__" else last].append(public)
    for name, by_place, named in all_calls():
        for public in by_name.get(name, ()):
            public.give(by_place, named)
    return [public for public in functions if public.is_called and public.open]


def report(rows: Iterable[Public]) -> str:
    """Namespaces by number of uncovered arguments, each followed by its functions."""
    of_namespace = defaultdict(list)
    for public in rows:
        of_namespace[public.name.rpartition(".")[0]].append(public)
    count = Counter({name: sum(len(p.open) for p in of) for name, of in of_namespace.items()})
    lines = []
    for namespace, argument_count in count.most_common():
        lines.append(f"{namespace}: {argument_count}")
        for public in sorted(of_namespace[namespace], key=lambda public: public.name):
            lines.append(f"  {public.name.rpartition('.')[2]}: {', '.join(sorted(public.open))}")
    return "\n".join([*lines, f"{count.total()} in all"])


def main() -> None:
    argparse.ArgumentParser(
        prog="ci/mutants options",
        description="Lists default arguments of public functions and methods that the tests only ever call with the "
        "default; namespaces with the most come first. Analyzes the calls without running them.",
    ).parse_args()
    print(report(still_open()))


if __name__ == "__main__":
    main()
