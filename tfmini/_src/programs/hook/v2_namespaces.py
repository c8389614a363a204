"""The namespaces of `tf.compat.v2`, built from TensorFlow 1.15.5's own name list."""

from __future__ import annotations

import sys

from tfmini._src.base.names.lazy_namespace import names_loaded_so_far
from tfmini._src.programs.hook import module_names
from tfmini._src.programs.hook.facade import Facade

_ROOT = "compat.v2"


class Namespace(Facade):
    """A module that lists only its public names."""

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


def install(name: str) -> None:
    """Replaces the modules of these names with the namespaces below `name`."""
    for path in module_names.modules_below(_ROOT):
        qualified_name = f"{name}{path.removeprefix(_ROOT)}"
        namespace = Namespace(f"tensorflow.{path}")
        namespace.__name__ = qualified_name
        names_loaded_so_far(namespace)["_root"] = name.partition(".")[0]
        namespace.__path__ = []
        sys.modules[qualified_name] = namespace
