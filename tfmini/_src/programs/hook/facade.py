"""The modules below `tensorflow`: each looks a name up on first access and caches it."""

from __future__ import annotations

import importlib
from typing import Any

from tfmini._src.base.names.hints import no_attribute
from tfmini._src.base.names.lazy_namespace import LazyNamespace, names_loaded_so_far
from tfmini._src.programs.hook import module_names
from tfmini._src.programs.hook.extra_names import extras
from tfmini._src.programs.hook.forwarded_settings import FORWARDED_SETTINGS
from tfmini._src.programs.hook.object_lookup import (
    NO_ADDITION,
    find,
    members,
    module_named,
    star_names,
)


class Facade(LazyNamespace):
    """A module of TensorFlow 1.15.5, built from tfmini's objects."""

    def __init__(self, name: str) -> None:
        path = module_names.module_path(name)
        assert path is not None, name
        super().__init__(
            module_names.own_name(path) or name, f"`{name}` of TensorFlow 1.15.5, by tfmini."
        )
        names_loaded_so_far(self)["_path"] = path
        names_loaded_so_far(self)["_root"] = name.partition(".")[0]

    def __reduce__(self) -> tuple:
        """Copies and pickles by reference to the module name."""
        return importlib.import_module, (self.__name__,)

    def __getattr__(self, name: str) -> Any:
        path = names_loaded_so_far(self)["_path"]
        if target_path := FORWARDED_SETTINGS.get(path, {}).get(name):
            return getattr(*target_path)
        if name == "__all__":
            return star_names(path)
        value = find(path, name)
        if value is NO_ADDITION:
            submodule = None if name.startswith("__") else module_named(path, name)
            if submodule is None:
                names = members(path) if name[:1] != "_" else ()
                raise no_attribute(self.__name__, name, names, path)
            value = importlib.import_module(f"{names_loaded_so_far(self)['_root']}.{submodule}")
        names_loaded_so_far(self)[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        if target_path := FORWARDED_SETTINGS.get(names_loaded_so_far(self)["_path"], {}).get(name):
            names_loaded_so_far(self).setdefault("_before", {}).setdefault(
                name, getattr(*target_path)
            )
            setattr(*target_path, value)
        elif not self._hides_attribute(name, value):
            super().__setattr__(name, value)

    def _hides_attribute(self, name: str, value: Any) -> bool:
        """Whether importing a submodule would hide an attribute of its name.

        Examples are the function `framework.python.ops.arg_scope`, and `python.ops`, which is `python.framework.ops`.
        """
        if not isinstance(value, Facade) or value.__name__ != f"{self.__name__}.{name}":
            return False
        path = names_loaded_so_far(self)["_path"]
        entry = module_names.module(path).entries.get(name)
        if isinstance(entry, module_names.ImportedModule):
            return entry.path != f"{path}.{name}"
        return isinstance(entry, module_names.SameObject)

    def __delattr__(self, name: str) -> None:
        previous_values = names_loaded_so_far(self).get("_before", {})
        if name in previous_values:
            setattr(
                *FORWARDED_SETTINGS[names_loaded_so_far(self)["_path"]][name],
                previous_values.pop(name),
            )
        else:
            super().__delattr__(name)

    def _lazy_names(self) -> list[str]:
        """Returns the names of 1.15.5; older names also resolve but are not listed."""
        path = names_loaded_so_far(self)["_path"]
        older_names = {*extras(path), *FORWARDED_SETTINGS.get(path, {})}
        return [n for n in dir(self) if not n.startswith("__") and n not in older_names]

    def __dir__(self) -> list[str]:
        return sorted({*members(names_loaded_so_far(self)["_path"]), *names_loaded_so_far(self)})
