"""Unique node names within a graph's name scopes."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from tfmini._src.base.read_only import read_only

VALID_OP_NAME = re.compile("^[A-Za-z0-9.][A-Za-z0-9_.\\-/]*$")
_VALID_SCOPE_NAME = re.compile("^[A-Za-z0-9_.\\-/]*$")


class _NameStack(threading.local):
    name = ""


class Names:
    """The mixin of `Graph` for names; the current scope is per-thread."""

    _name_stack: str = read_only(attribute="_names.name")

    def __init__(self) -> None:
        super().__init__()
        self._names_in_use: dict[str, int] = {}
        self._names = _NameStack()

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Returns `name` in the current scope, made unique with a suffix `_1`, `_2` ... if taken."""
        scope = self._names.name
        if scope:
            name = f"{scope}/{name}"
        key = name.lower()
        used = self._names_in_use
        count = used.get(key, 0)
        if mark_as_used:
            used[key] = count + 1
        if count > 0:
            base = key
            while key in used:
                key = f"{base}_{count}"
                count += 1
            if mark_as_used:
                used[key] = 1
            name = f"{name}_{count - 1}"
        return name

    def enter_name(self, name: str) -> str:
        """Returns the node name for a user's `name=`; raises ValueError if it is invalid."""
        if not VALID_OP_NAME.match(name):
            self.check_scope_name(name)
        return self.unique_name(name)

    def check_scope_name(self, name: str) -> None:
        """Validates a scope name: root scopes must be valid op names, nested ones may start with other characters."""
        pattern = _VALID_SCOPE_NAME if self._names.name else VALID_OP_NAME
        if not pattern.match(name):
            raise ValueError(f"'{name}' is not a valid scope name")

    def get_name_scope(self) -> str:
        """Returns the current name scope, "outer/inner" without a final slash, or ""."""
        return self._names.name

    @contextmanager
    def name_scope(self, name: str | bytes | None) -> Iterator[str]:
        """Context manager that prefixes the names of its nodes; yields "outer/name/".

        A name that ends with "/" re-enters that scope unchanged; None or "" resets to the root.
        """
        old = self._names.name
        opened = self._names.name = self.open_scope(name)
        try:
            yield opened + "/" if name else ""
        finally:
            self._names.name = old

    def open_scope(self, name: str | bytes | None) -> str:
        """Returns the name stack's new top on entering scope `name`."""
        if not name:
            return ""
        if isinstance(name, bytes):
            name = name.decode()
        if not VALID_OP_NAME.match(name):
            self.check_scope_name(name)
        return name[:-1] if name[-1] == "/" else self.unique_name(name)
