"""Generated functions under their underscored names from before 1.5: `gen_nn_ops._relu_grad`."""

from __future__ import annotations

import functools
import re
from typing import Any

from tfmini._src.programs.hook import module_names, signatures
from tfmini._src.programs.hook.extra_names import NO_ADDITION, is_strict
from tfmini._src.programs.hook.warn_once import warn_once

_GENERATED_MODULE = re.compile(r"python\.ops\.gen_\w+_ops")


def is_old_op(path: str, name: str) -> bool:
    """Whether the name is the old underscored name of a generated function of 1.15.5."""
    if not name.startswith("_") or not _GENERATED_MODULE.fullmatch(path):
        return False
    entries = module_names.module(path).entries
    return name not in entries and isinstance(entries.get(name[1:]), module_names.RawOp)


def old_op(path: str, name: str) -> Any:
    """Returns the op's function under its current name, which warns when called; NOTHING for other names."""
    if is_strict() or not is_old_op(path, name):
        return NO_ADDITION
    new = name[1:]
    entry = module_names.module(path).entries[new]
    function = (
        signatures.raw_function(new, entry) if isinstance(entry, module_names.RawOp) else None
    )
    if function is None:
        return NO_ADDITION
    module = path.rpartition(".")[2]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        warn_once((path, name), f"{module}.{name} predates TensorFlow 1.5; use {module}.{new}.")
        return function(*args, **kwargs)

    return call
