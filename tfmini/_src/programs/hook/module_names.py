"""Modules and names of TensorFlow 1.15.5, read from `module_names.txt.gz`.

`ci/generate module_names` writes the file from TensorFlow itself; its first lines describe its format.
"""

from __future__ import annotations

import ast
import functools
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class SameObject:
    """The same object as `name` of another module; `owner` is "tf.nn", or "@python.ops.nn" for an internal module."""

    owner: str
    name: str


@dataclass(frozen=True)
class Definition:
    """An object defined in this module: a "class", a "function" or another "object"."""

    kind: str


@dataclass(frozen=True)
class Value:
    """A number, a string or None."""

    value: Any


@dataclass(frozen=True)
class RawOp:
    """A function that adds a node of type `op`; `arguments` are empty if they have the order of the OpDef."""

    op: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class V2Function:
    """A public function with the argument order of `tf.compat.v2`.

    `defaults` has the optional arguments' values: a literal, `DType("float32")` for a dtype, or `...` for anything
    else.
    """

    owner: str
    name: str
    arguments: tuple[str, ...]
    defaults: Mapping[str, Any]


@dataclass(frozen=True)
class DType:
    """A dtype by its name."""

    name: str


@dataclass(frozen=True)
class ImportedModule:
    """Another TensorFlow module that this one imports."""

    path: str


@dataclass(frozen=True)
class ExternalName:
    """A module or object of Python or another library, by dotted name."""

    name: str


Entry = SameObject | Definition | Value | RawOp | V2Function | ImportedModule | ExternalName


@dataclass
class Module:
    """One module's names and submodules; `has_all` is whether star imports skip its submodules."""

    entries: dict[str, Entry] = field(default_factory=dict)
    submodules: set[str] = field(default_factory=set)
    has_all: bool = False


_GZIP = zlib.MAX_WBITS | 16  # a stream with gzip's header
# `tf.compat.v1` is `tf` itself, `tf.compat.v2.compat` is `tf.compat`; `own_name` has the others.
_ALIASES = re.compile(
    r"^(?:compat\.v2\.(?=compat(?:\.|$))|compat\.v1(?:\.|$)|_api(?:\.v1)?(?:\.|$)"
    r"|python\.(?:keras|estimator)\.api\._v1(?:\.|$))*"
)
# Keras was at `_impl.keras` before 1.5, below TensorFlow's own modules.
_OLD_KERAS = re.compile(r"^python\.keras\._impl(?:\.keras)?(?=\.|$)")
_INTERNAL_ROOTS = "compiler", "contrib", "core", "examples", "python", "tools", "flags", ""
_INTERNAL_LITE = re.compile(r"lite\.(?:python|toco|experimental\.(?!nn(?:\.|$)))")


def module_path(name: str) -> str | None:
    """Returns the table path of an imported name, "" for `tensorflow` itself; None if it is not TensorFlow's."""
    root, _, path = name.partition(".")
    if root not in ("tensorflow", "tensorflow_core", "tensorflow_estimator"):
        return None
    return _OLD_KERAS.sub("python.keras", _ALIASES.sub("", path))


def own_name(path: str) -> str | None:
    """Returns the `__name__` of TensorFlow's public API module; None for internal modules and `tensorflow` itself."""
    first = path.partition(".")[0]
    if first in _INTERNAL_ROOTS or _INTERNAL_LITE.match(path) or not is_module(path):
        return None
    if path.startswith("compat.v2") or path == "app.flags":
        return None
    if first == "keras":
        return f"tensorflow.python.keras.api._v1.{path}"
    if first == "estimator":
        return f"tensorflow_estimator.python.estimator.api._v1.{path}"
    return f"tensorflow._api.v1.{path}"


def is_module(path: str) -> bool:
    """Whether 1.15.5 has this module."""
    return path in _blocks()


def is_package(path: str) -> bool:
    """Whether the module has importable submodules; submodules of `estimator.api` have another path in the table."""
    return bool(module(path).submodules) or path == "python.estimator.api"


@functools.cache
def module(path: str) -> Module:
    """Returns the contents of a module; empty if 1.15.5 has no module of that path."""
    block = _blocks().get(path, "")
    submodules = set(_submodules().get(path, ()))
    return Module(dict(_entries(block)), submodules, block.startswith("lists\n"))


def other_public_names(owner: str, name: str) -> Iterator[SameObject]:
    """Yields the other public names of the object `owner.name`."""
    for path in _public_users().get(owner, ()):
        for other, entry in module(path).entries.items():
            if entry == SameObject(owner, name):
                yield SameObject(f"tf.{path}".rstrip("."), other)


@functools.cache
def public_paths_by_module() -> Mapping[str, list[str]]:
    """Returns the public contrib paths that expose each internal module: `contrib.learn.io` for `learn_io`."""
    holders: dict[str, list[str]] = {}
    for path, text in _blocks().items():
        if path.startswith("contrib.") and ".python" not in path and "\nfrom " in text:
            for name, entry in module(path).entries.items():
                if isinstance(entry, ImportedModule):
                    holders.setdefault(entry.path, []).append(f"{path}.{name}")
    return holders


@functools.cache
def _public_users() -> Mapping[str, list[str]]:
    """Returns the public modules that re-export objects of another module, by that module."""
    users: dict[str, list[str]] = {}
    for path, text in _blocks().items():
        if path.startswith(("python.", "core.", "compat.v2")) or ".python." in path:
            continue
        for owner in set(re.findall(r"^= (\S+)", text, flags=re.MULTILINE)):
            users.setdefault(owner, []).append(path)
    return users


@functools.cache
def _blocks() -> Mapping[str, str]:
    """Returns the text of each module, by path."""
    packed = Path(__file__).with_name("module_names.txt.gz").read_bytes()
    text = zlib.decompress(packed, wbits=_GZIP).decode()
    parts = re.split(r"^\[(.*)\]\n", text, flags=re.MULTILINE)
    return dict(sorted(zip(parts[1::2], parts[2::2])))


def modules_below(path: str) -> list[str]:
    """Returns the paths of a package and all modules in it."""
    return [p for p in _blocks() if p == path or p.startswith(f"{path}.")]


@functools.cache
def _submodules() -> Mapping[str, list[str]]:
    submodules: dict[str, list[str]] = {}
    for path in _blocks():
        if path:
            parent, _, name = path.rpartition(".")
            submodules.setdefault(parent, []).append(name)
    return submodules


def _entries(block: str) -> Iterator[tuple[str, Entry]]:
    for line in block.splitlines():
        keyword, *words = line.split(" ")
        if keyword == "=":
            for word in words[1:]:
                name, _, other = word.partition("=")
                yield name, SameObject(words[0], other or name)
        elif keyword == "from":
            for word in words[1:]:
                name, _, other = word.partition("=")
                yield name, ImportedModule(f"{words[0]}.{other or name}".strip("."))
        elif keyword == "beside":
            for word in words:
                name, _, other = word.partition("=")
                yield name, ExternalName(other or name)
        elif keyword == "value":
            yield words[0], Value(ast.literal_eval(" ".join(words[1:])))
        elif keyword == "raw":
            for word in words:
                name, op, arguments = re.fullmatch(r"(\w+)=(\w+)(?:\((.*)\))?", word).groups("")  # type: ignore[union-attr]
                yield name, RawOp(op, tuple(filter(None, arguments.split(","))))
        elif keyword == "second":
            for word in words:
                name, owner, first, text = re.fullmatch(r"(\w+)=(.*)\.(\w+)\((.*)\)", word).groups()  # type: ignore[union-attr]
                yield name, V2Function(owner, first, *_parse_arguments(text))
        elif words:
            yield from ((name, Definition(keyword)) for name in words)


def _parse_arguments(text: str) -> tuple[tuple[str, ...], Mapping[str, Any]]:
    """Parses argument names and defaults: `a,b=1,dtype=tf.float32`."""
    tree: Any = ast.parse(f"lambda {text}: 0", mode="eval")
    names = tuple(argument.arg for argument in tree.body.args.args)
    values = [
        DType(node.attr) if isinstance(node, ast.Attribute) else ast.literal_eval(node)
        for node in tree.body.args.defaults
    ]
    return names, dict(zip(names[len(names) - len(values) :], values))
