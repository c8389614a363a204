"""Maps names below `tensorflow` to tfmini's objects."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
import re
import types
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import tfmini
from tfmini._src.base import proto
from tfmini._src.base.names.lazy_namespace import names_loaded_so_far
from tfmini._src.graph.op_registry import function_name
from tfmini._src.programs.hook import module_names, signatures
from tfmini._src.programs.hook.extra_names import NO_ADDITION, extras, is_added_module
from tfmini._src.programs.hook.missing_names import missing
from tfmini._src.programs.hook.renamed_ops import old_op

_CONTRIB_INSIDE = re.compile(r"contrib\.(\w+)\.python\.(.+)")


def find(path: str, name: str) -> Any:
    """Returns the object `name` of the module at `path`; NOTHING for names that 1.15.5 lacks.

    Excludes submodules, which `module_named` resolves.
    """
    if name in extras(path):
        added_object = extras(path)[name]()
        if added_object is not NO_ADDITION:
            return added_object
    entry = module_names.module(path).entries.get(name) or _raw_entry(path, name)
    if isinstance(entry, module_names.ImportedModule):
        return NO_ADDITION
    value = _own_object(path, name)
    if value is NO_ADDITION and entry is not None:
        value = _entry_object(path, name, entry)
        if value is NO_ADDITION:
            return missing(*_describe(path, name, entry))
    if value is NO_ADDITION and path.endswith("_pb2"):
        value = _message_object(path, name)
    return old_op(path, name) if value is NO_ADDITION else value


def _message_object(path: str, name: str) -> Any:
    """Returns a message, or another name of a generated message module: `DESCRIPTOR`, `_TENSORPROTO`."""
    if hasattr(proto, name):
        return getattr(proto, name)
    for message in module_names.module(path).entries:
        descriptor = getattr(getattr(proto, message, None), "DESCRIPTOR", None)
        if descriptor is not None and name in ("DESCRIPTOR", f"_{message.upper()}"):
            return descriptor.file if name == "DESCRIPTOR" else descriptor
    return NO_ADDITION


def _raw_entry(path: str, name: str) -> module_names.Entry | None:
    """Returns the op itself, which generated modules expose next to its function: `gen_math_ops.MatMul`."""
    if not path.rpartition(".")[2].startswith("gen_"):
        return None
    entries = module_names.module(path).entries
    ops = (entry.op for entry in entries.values() if isinstance(entry, module_names.RawOp))
    is_there = name in ops or (name[:1].isupper() and function_name(name) in entries)
    return module_names.SameObject("tf.raw_ops", name) if is_there else None


def module_named(path: str, name: str) -> str | None:
    """Returns the path of the module that is the attribute `name` of the module at `path`, if any."""
    entry = module_names.module(path).entries.get(name)
    if isinstance(entry, module_names.ImportedModule) and is_internal(path):
        return entry.path  # hides the submodule: `python.ops` is `python.framework.ops`
    submodule = f"{path}.{name}".removeprefix(".")
    # An alias path of a module.
    if module_names.module_path(f"tensorflow.{submodule}") != submodule:
        return submodule
    if module_names.is_module(submodule) or is_added_module(submodule):
        return submodule
    if isinstance(entry, module_names.ImportedModule):
        return entry.path
    package = _hidden_packages().get(path)
    return f"{package}.{name}" if package and module_names.is_module(f"{package}.{name}") else None


@functools.cache
def _hidden_packages() -> Mapping[str, str]:
    """Returns packages by the module that hides them: `python.ops`, of `python.ops.rnn`, by `python.framework.ops`."""
    return {
        entry.path: f"python.{name}"
        for name, entry in module_names.module("python").entries.items()
        if isinstance(entry, module_names.ImportedModule) and entry.path != f"python.{name}"
    }


def members(path: str) -> list[str]:
    """Returns all names in the module at `path`."""
    module = _own_module(path)
    listed = getattr(module, "__all__", None) or (
        [n for n in dir(module) if n[0] != "_"] if module else []
    )
    entries, submodules = module_names.module(path).entries, module_names.module(path).submodules
    names = {
        n for n in listed if not isinstance(names_loaded_so_far(module).get(n), types.ModuleType)
    }
    return sorted({*names, *entries, *submodules, *extras(path), *internal_objects().get(path, ())})


def star_names(path: str) -> list[str]:
    """Returns the names bound by `from MODULE import *`."""
    module = module_names.module(path)
    names = {
        n
        for n, e in module.entries.items()
        if isinstance(e, (module_names.ImportedModule, module_names.ExternalName))
    }
    excluded_names = names if module.has_all else ()
    return [n for n in members(path) if n not in excluded_names and not n.startswith("_")]


def is_internal(path: str) -> bool:
    """Whether a module is internal, not one of the public namespaces."""
    first, *parts = path.split(".")
    return first in ("compiler", "core", "examples", "python", "tools") or "python" in parts


@functools.cache
def _own_module(path: str) -> types.ModuleType | None:
    """Returns tfmini's module with the names of this one: a public namespace, or an internal module's code."""
    if is_internal(path):
        return code_module(path)
    if path.startswith("compat.v2"):  # built from the objects that this module finds
        return None
    holder: Any = tfmini
    for part in filter(None, path.split(".")):
        member = getattr(holder, part, None)
        if member is None and importlib.util.find_spec(f"{holder.__name__}.{part}"):
            # Its package does not list it.
            member = importlib.import_module(f"{holder.__name__}.{part}")
        if not isinstance(member, types.ModuleType):
            return None
        holder = member
    return holder


@functools.cache
def code_module(path: str) -> types.ModuleType | None:
    """Returns `tfmini.compat.PATH` if an internal module at that path has code, else None."""
    name = f"{tfmini.__name__}.compat.{path}"
    try:
        spec = importlib.util.find_spec(name)
    except ModuleNotFoundError:  # the parent path is not a package either
        return None
    return importlib.import_module(name) if spec else None


@functools.cache
def internal_objects() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """Returns the contents of `internal_objects.txt`: by module and name, tfmini's module and object name there."""
    objects: dict[str, dict[str, tuple[str, str]]] = {}
    text = Path(__file__).with_name("internal_objects.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            section = objects.setdefault(line[1:-1], {})
        elif line and not line.startswith("#"):
            module_path, *words = line.split()
            for word in words:
                name, _, other = word.partition("=")
                section[name] = f"{tfmini.__name__}.{module_path}", other or name
    return objects


# Dunder names offered by modules.
_VERSIONS = (
    *("__version__", "__git_version__", "__compiler_version__"),
    *("__cxx11_abi_flag__", "__monolithic_build__"),
)


def _own_object(path: str, name: str) -> Any:
    objects = internal_objects().get(path, {})
    if name in objects:
        return getattr(importlib.import_module(objects[name][0]), objects[name][1])
    module = _own_module("" if path == "compat.v2" and name in _VERSIONS else path)
    if module is None or name.startswith("__") and name not in _VERSIONS:
        return NO_ADDITION
    if name not in getattr(module, "__all__", (name,)) and name not in _VERSIONS:
        return NO_ADDITION
    try:
        value = getattr(module, name)
    except AttributeError:
        return NO_ADDITION
    if not isinstance(value, types.ModuleType):
        return value
    # tfmini's modules that are not namespaces are private.
    is_public = name in getattr(module, "__all__", ()) and not module_named(path, name)
    return value if is_public else NO_ADDITION


def _entry_object(path: str, name: str, entry: module_names.Entry) -> Any:
    if isinstance(entry, module_names.Value):
        return entry.value
    if isinstance(entry, module_names.RawOp):
        return signatures.raw_function(name, entry) or NO_ADDITION
    if isinstance(entry, module_names.ExternalName):
        return _library_object(entry.name)
    if isinstance(entry, module_names.V2Function):
        replacement = signatures.EQUIVALENTS.get(name, entry.name)
        first = _owner_object(module_names.SameObject(entry.owner, replacement))
        return NO_ADDITION if first is NO_ADDITION else _v2_function(path, name)
    if isinstance(entry, module_names.SameObject):
        return _owner_object(entry)
    if path.startswith("core.") or path.endswith("_pb2"):
        return _message_object(path, name)
    for public in _public_paths(path):
        value = _own_object(public, name)
        if value is not NO_ADDITION:
            return value
    if not is_internal(path):
        for other in module_names.other_public_names(f"tf.{path}".rstrip("."), name):
            value = _own_object(other.owner.removeprefix("tf").removeprefix("."), other.name)
            if value is not NO_ADDITION:
                return value
    return NO_ADDITION


@functools.cache
def _v2_function(path: str, name: str) -> Any:
    """Returns the `tf.compat.v2` function of a module, cached so that all callers share it."""
    entry = module_names.module(path).entries[name]
    assert isinstance(entry, module_names.V2Function)
    replacement = signatures.EQUIVALENTS.get(name, entry.name)
    return signatures.second_function(
        name, entry, _owner_object(module_names.SameObject(entry.owner, replacement))
    )


def _library_object(name: str) -> Any:
    """Returns a module or object of Python or another library; NOTHING if not installed."""
    try:
        return pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return NO_ADDITION


def _public_paths(path: str) -> Iterator[str]:
    """Yields the public modules that may offer an internal contrib module's definitions, nearest first.

    `contrib.learn.python.learn.learn_io` is exposed as `contrib.learn.io`. Otherwise path components are dropped:
    `contrib.learn.python.learn.datasets.mnist` becomes `contrib.learn.datasets.mnist`; definitions of
    `contrib.distributions.python.ops.bijectors.exp` are in `contrib.distributions.bijectors`.
    """
    for within in (path, path.rpartition(".")[0]):
        yield from module_names.public_paths_by_module().get(within, ())
    match = _CONTRIB_INSIDE.fullmatch(path)
    if match is None:
        return
    parts = match[2].split(".")
    for dropped_count in range(len(parts)):
        for first in range(dropped_count + 1):
            suffix = parts[first : len(parts) - (dropped_count - first)]
            yield ".".join(("contrib", match[1], *suffix))


def _owner_object(alias: module_names.SameObject) -> Any:
    if alias.owner.startswith("@"):
        path = alias.owner[1:]
    else:
        path = alias.owner.removeprefix("tf").removeprefix(".")
    value = _own_object(path, alias.name)
    if value is NO_ADDITION:
        entry = module_names.module(path).entries.get(alias.name)
        if entry is not None:
            value = _entry_object(path, alias.name, entry)
    return value


def _describe(path: str, name: str, entry: module_names.Entry) -> tuple[str, str]:
    """Returns the full name and kind of a missing object."""
    if isinstance(entry, module_names.SameObject):
        path = entry.owner.removeprefix("@").removeprefix("tf").removeprefix(".")
        name = entry.name
        entry = module_names.module(path).entries.get(name, module_names.Definition("object"))
    object_type = entry.kind if isinstance(entry, module_names.Definition) else "function"
    root = "tensorflow" if is_internal(path) else "tf"
    return f"{root}.{path}.{name}".replace("..", "."), object_type
