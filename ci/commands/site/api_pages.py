"""Pages that `ci/check docs` generates from the code: one per public namespace, and one for the command line.

python -m ci.commands.site.api_pages FOLDER    writes them to FOLDER/reference
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import tfmini
from ci.commands.site.docstrings import markdown, summary
from tfmini._src.base.dtypes import DType
from tfmini._src.programs.cli import main as command

ROOT = Path(tfmini.__file__).parent
# Namespaces with the names of another one; noted in the index, without a page.
SAME_AS = {"tf.compat.v1": "tf"}
FENCE = "`" * 6


def namespaces() -> dict[str, Any]:
    """The public namespaces with a stub, by their usual names."""
    stubs = sorted(
        p.parent.relative_to(ROOT) for p in ROOT.rglob("__init__.pyi") if "_src" not in p.parts
    )
    paths = [".".join(("tfmini", *stub.parts)) for stub in stubs]
    return {"tf" + path.removeprefix("tfmini"): importlib.import_module(path) for path in paths}


class Reference:
    """All public names and, for each object, the name under which it is documented."""

    def __init__(self) -> None:
        self.namespaces = namespaces()
        self.values: dict[str, Any] = {}
        self.home: dict[int, str] = {}
        for space, module in self.namespaces.items():
            if space not in SAME_AS:
                self.values |= {f"{space}.{name}": getattr(module, name) for name in module.__all__}
        for path, value in self.values.items():
            if _is_described(value):
                best = self.home.setdefault(id(value), path)
                if _preference(path, value) < _preference(best, value):
                    self.home[id(value)] = path
        self.pages = set(self.namespaces) - set(SAME_AS)

    def link(self, code: str) -> str:
        """Inline code, as a reference if it is a public name."""
        path = code.removesuffix("()")
        if path in self.pages:
            return f"[`{code}`](/reference/api/{path}.md)"
        value = self.values.get(path)
        if id(value) in self.home:
            return f"{{py:obj}}`{code} <{self.home[id(value)]}>`"
        return f"`` {code} ``" if "`" in code else f"`{code}`"

    def page(self, space: str) -> Iterator[str]:
        """The lines of a namespace's page."""
        module = self.namespaces[space]
        yield from (f"# {space}", "", summary(module.__doc__, self.link), "")
        yield f"TensorFlow's page: `{space.replace('.', '/')}`."
        yield from ("", "| name | |", "| --- | --- |")
        for name in sorted(module.__all__, key=str.lower):
            path, value = f"{space}.{name}", self.values[f"{space}.{name}"]
            yield f"| {self.link(path)} | {self._about_row(path, value)} |"
        yield ""
        yield from self._children(space)
        for name in sorted(module.__all__, key=str.lower):
            path = f"{space}.{name}"
            if self.home.get(id(self.values[path])) == path:
                yield from self._entry(path, self.values[path])

    def _about_row(self, path: str, value: Any) -> str:
        home = self.home.get(id(value), path)
        if home != path:
            return f"the same as {self.link(home)}"
        if inspect.ismodule(value):
            return summary(value.__doc__, self.link)
        if _is_described(value):
            return summary(_docstring(value), self.link)
        return f"`{_literal(value)}`"

    def _children(self, space: str) -> Iterator[str]:
        children = sorted(page for page in self.pages if page.rpartition(".")[0] == space)
        if children:
            yield from ("```{toctree}", ":hidden:", "", *children, "```", "")

    def _entry(self, path: str, value: Any) -> Iterator[str]:
        object_type = "class" if inspect.isclass(value) else "function"
        yield f"{FENCE}{{py:{object_type}}} {path}{_signature(value)}"
        yield from ("", markdown(_docstring(value), self.link), "")
        if inspect.isclass(value):
            yield from self._members(value)
        yield from (FENCE, "")

    def _members(self, owner: type) -> Iterator[str]:
        """Fields of a message; otherwise public members, with those of bases that have no public name."""
        descriptor = getattr(owner, "DESCRIPTOR", None)
        if descriptor is not None:
            yield f"A protocol buffer. Fields: {', '.join(f'`{field.name}`' for field in descriptor.fields)}."
            return
        public_bases = [base for base in owner.__mro__[1:] if id(base) in self.home]
        if public_bases:
            yield from (
                f"Inherits from {', '.join(self.link(self.home[id(base)]) for base in public_bases)}.",
                "",
            )
        seen = {name for base in public_bases for name in vars(base)}
        for base in owner.__mro__:
            if not base.__module__.startswith("tfmini") or base in public_bases:
                continue
            for name, member in sorted(vars(base).items()):
                if not name.startswith("_") and (base is owner or name not in seen):
                    seen.add(name)
                    yield from self._member(name, member)

    def _member(self, name: str, member: Any) -> Iterator[str]:
        fence = FENCE[1:]
        if isinstance(member, property):
            head = f"{fence}{{py:property}} {name}"
        elif isinstance(member, (classmethod, staticmethod)):
            member, method_type = member.__func__, type(member).__name__
            head = f"{fence}{{py:method}} {name}{_signature(member, method_type == 'classmethod')}\n:{method_type}:"
        elif inspect.isfunction(member):
            head = f"{fence}{{py:method}} {name}{_signature(member, True)}"
        else:
            return
        yield from (head, "", markdown(_docstring(member), self.link), fence, "")


def _is_described(value: Any) -> bool:
    """Whether a value has an entry: classes and functions do, modules have pages, constants are shown."""
    return callable(value) and not inspect.ismodule(value) and not isinstance(value, DType)


def _preference(path: str, value: Any) -> tuple:
    """Sort key for the paths of an object; the smallest is the one under which it is documented."""
    return (
        path.startswith("tf.keras."),
        not path.endswith("." + getattr(value, "__name__", "")),
        path.startswith("tf.contrib."),
        len(path),
        path,
    )


def _docstring(value: Any) -> str:
    """An object's own docstring, not an instance's or an inherited one."""
    docstring = value.__dict__.get("__doc__") if inspect.isclass(value) else value.__doc__
    return inspect.cleandoc(docstring or "")


def _signature(value: Any, is_method: bool = False) -> str:
    """The parameters, without annotations, each default as programs would write it."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):  # a builtin, or a message
        return "(...)"
    parameters = list(signature.parameters.values())[is_method:]
    shown = [
        p.replace(
            annotation=p.empty, default=p.default if p.default is p.empty else _Shown(p.default)
        )
        for p in parameters
    ]
    return str(signature.replace(parameters=shown, return_annotation=signature.empty))


class _Shown:
    def __init__(self, value: Any):
        self._value = value

    def __repr__(self) -> str:
        return _literal(self._value)


def _literal(value: Any) -> str:
    """The value as source code; `...` for objects created by calls."""
    if isinstance(value, DType):
        return f"tf.{value.name}"
    if inspect.isclass(value) or inspect.isfunction(value):
        return "..." if "<" in value.__qualname__ else value.__name__
    literal = repr(value)
    return "..." if re.search(r"<| object at |\n", literal) or len(literal) > 60 else literal


def raw_ops() -> Iterator[str]:
    """The lines of the page of `tf.raw_ops`."""
    module = importlib.import_module("tfmini.raw_ops")
    yield from ("# tf.raw_ops", "", summary(module.__doc__), "")
    for name in sorted(dir(module)):
        if not name.startswith("_"):
            yield from (
                f"{FENCE}{{py:function}} tf.raw_ops.{name}{_signature(getattr(module, name))}",
                FENCE,
                "",
            )


def command_line() -> Iterator[str]:
    """The lines of the command line's page: the output of `--help`, command by command."""
    yield from ("# The command line", "")
    yield "`tfmini COMMAND` and `python -m tfmini COMMAND` are the same. A command exits with 0 when done, with 1 and"
    yield from ("a message when what it was asked about is bad, and with 2 on wrong usage.", "")
    printed = _help()
    names = re.findall(r"^    (\w+) ", printed.partition("COMMAND\n")[2], re.MULTILINE)
    for name in ("", *names):
        help_text = _help(*name.split())
        yield from (f"## {f'tfmini {name}'.strip()}", "", "```text", help_text.rstrip(), "```", "")


def _help(*arguments: str) -> str:
    """The text that a command prints with `--help`."""
    printed = io.StringIO()
    with (
        mock.patch.dict(os.environ, COLUMNS="100"),
        contextlib.redirect_stdout(printed),
        contextlib.suppress(SystemExit),
    ):
        command([*arguments, "--help"])
    return printed.getvalue()


def index(reference: Reference) -> Iterator[str]:
    """The lines of the page that lists the namespaces."""
    yield from ("# Names of tf", "")
    yield "Every public name, described from its docstring. An object with several names is described under one."
    yield "TensorFlow's page for a name of 1.15 is the name with slashes: `tf/nn/conv2d` below `api_docs/python`."
    for space, same in SAME_AS.items():
        yield f"`{space}` is `{same}` itself."
    yield from ("", "| namespace | names | |", "| --- | --- | --- |")
    for space in sorted(reference.pages):
        module = reference.namespaces[space]
        yield f"| {reference.link(space)} | {len(module.__all__)} | {summary(module.__doc__, reference.link)} |"
    roots = [
        "tf.raw_ops",
        *sorted(page for page in reference.pages if page.rpartition(".")[0] not in reference.pages),
    ]
    yield from ("", "```{toctree}", ":hidden:", "", *sorted(roots), "```")


def write(directory: Path) -> None:
    """Writes all pages below `directory`."""
    reference = Reference()
    pages = {f"api/{space}": reference.page(space) for space in sorted(reference.pages)}
    pages |= {
        "api/index": index(reference),
        "api/tf.raw_ops": raw_ops(),
        "command_line": command_line(),
    }
    (directory / "reference" / "api").mkdir(parents=True, exist_ok=True)
    for name, lines in pages.items():
        (directory / "reference" / f"{name}.md").write_text(
            "\n".join(lines) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    write(Path(sys.argv[1]))
