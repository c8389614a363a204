"""Resolves names below `tensorflow` to a module, an object or a problem, by the runner's own tables."""

from __future__ import annotations

import functools

from tfmini._src.base.names import left_out
from tfmini._src.base.names.hints import is_missing, no_attribute
from tfmini._src.base.names.renamed import REIMPLEMENTED_MODULES, RENAMED_MODULES, RENAMED_SYMBOLS
from tfmini._src.programs.check.findings import Problem
from tfmini._src.programs.check.libraries import Library
from tfmini._src.programs.hook import module_names
from tfmini._src.programs.hook.missing_names import MissingName, MissingType
from tfmini._src.programs.hook.object_lookup import NO_ADDITION, find, members, module_named
from tfmini._src.programs.hook.renamed_ops import is_old_op

# A module by its path below `tensorflow`, one of another library, a problem, or None for an existing object.
Meaning = str | Library | Problem | None

_SUPPLIED_ADVICE = "from before 1.0, tfmini run supplies it"
_LIBRARIES = ("load_op_library", "load_library", "load_file_system_library")
_FLAGS = ("get_include", "get_compile_flags", "get_link_flags")
_LIBRARY_ADVICE = "compiled ops cannot be loaded; tf.py_func runs Python in a graph"


@functools.cache
def meaning(path: str, name: str) -> Meaning:
    """Returns the referent of `name` in the module of `path`."""
    qualified_path = f"{path}.{name}".removeprefix(".")
    if qualified_path in RENAMED_SYMBOLS:
        return _renamed_problem(qualified_path)
    if is_old_module(qualified_path):
        return qualified_path
    if name in REIMPLEMENTED_MODULES.get(path, ()):
        return None
    if path in RENAMED_MODULES:
        return meaning(RENAMED_MODULES[path], name)
    if name in _LIBRARIES and path in ("", "python.framework.load_library"):
        return Problem("op library", full_name(path, name), _LIBRARY_ADVICE)
    if name in _FLAGS and path in ("sysconfig", "python.platform.sysconfig"):
        return Problem("op library", full_name(path, name), _LIBRARY_ADVICE)
    value = find(path, name)
    if is_old_op(path, name):
        advice = (
            f"use {path.rpartition('.')[2]}.{name[1:]}; from before 1.5, tfmini run supplies it"
        )
        return Problem("old name", full_name(path, name), advice)
    if isinstance(value, (MissingName, MissingType)):
        return _missing(full_name(path, name), value._full_name)
    if value is not NO_ADDITION:
        return None
    submodule = module_named(path, name)
    if submodule is not None:
        return _normal(submodule)
    if name.startswith("__"):
        return None
    qualified = f"tensorflow.{path}".rstrip(".")
    names = members(path) if not name.startswith("_") else ()
    hint = str(no_attribute(qualified, name, names)).partition("\n")[2]
    advice = hint or f"no name of '{qualified}' that is known here"
    return Problem("unknown", full_name(path, name), advice)


@functools.cache
def import_target(module: str) -> Meaning:
    """Returns the result of `import MODULE`: the module's path, "" for `tensorflow` itself, or why the import fails."""
    path = module_names.module_path(module)
    assert path is not None, module
    if path == "" or module_names.is_module(path) or is_old_module(path):
        return path
    parent, _, name = path.rpartition(".")
    above = import_target(f"tensorflow.{parent}".rstrip("."))
    if isinstance(above, Problem):
        return above
    target = meaning(parent, name)
    if isinstance(target, Problem):
        return target
    advice = "TensorFlow 1.15.5 has no such module"
    return Problem("unknown", full_name(parent, name), advice)


def is_old_module(path: str) -> bool:
    """Whether the path is a module removed before 1.0 that 1.15.5 lacks, or the parent of one."""
    is_old = any(
        f"{old}.".startswith(f"{path}.") for old in (*RENAMED_MODULES, *REIMPLEMENTED_MODULES)
    )
    return is_old and not module_names.is_module(path)


def removed_module_problem(path: str) -> Problem:
    """Returns the problem with using a removed module."""
    new = RENAMED_MODULES.get(path)
    return Problem(
        "old name", f"tf.{path}", f"use tf.{new}; {_SUPPLIED_ADVICE}" if new else _SUPPLIED_ADVICE
    )


def full_name(path: str, name: str) -> str:
    """Returns the name as written in a program."""
    is_internal = path.split(".")[0] in ("python", "core")
    return ".".join(filter(None, ("tensorflow" if is_internal else "tf", path, name)))


def _renamed_problem(old: str) -> Problem:
    """Returns the problem with an old name: supplied by the runner, or missing together with its replacement."""
    path, _, name = RENAMED_SYMBOLS[old].rpartition(".")
    current = meaning(path, name)
    if isinstance(current, Problem):
        advice = f"tf.{RENAMED_SYMBOLS[old]} in TensorFlow 1.15.5; {current.advice}"
        return Problem(current.kind, f"tf.{old}", advice)
    return Problem("old name", f"tf.{old}", f"use tf.{RENAMED_SYMBOLS[old]}; {_SUPPLIED_ADVICE}")


def _missing(name: str, owner_name: str) -> Problem:
    """Returns the problem with a missing name, given its name and its owner's name as used by the program."""
    if name.rpartition(".")[2] in _LIBRARIES:
        return Problem("op library", name, _LIBRARY_ADVICE)
    public_name = name if left_out.is_tensorflow_name(name) else owner_name
    return Problem("missing", name, is_missing(public_name, "no replacement is known"))


def _normal(path: str) -> str:
    """Normalizes a path to the table's form: `compat.v1.nn` is `nn`."""
    return module_names.module_path(f"tensorflow.{path}") or ""
