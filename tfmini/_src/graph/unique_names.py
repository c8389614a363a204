"""The names of a graph: made unique, inside name scopes."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager

VALID_OP_NAME = re.compile("^[A-Za-z0-9.][A-Za-z0-9_.\\-/]*$")
_VALID_SCOPE_NAME = re.compile("^[A-Za-z0-9_.\\-/]*$")


class _NameStack(threading.local):
    name = ""


class Names:
    """The part of `Graph` for names; the current scope is each thread's own."""

    def __init__(self) -> None:
        super().__init__()
        self._names_in_use: dict[str, int] = {}
        self._names = _NameStack()

    @property
    def _name_stack(self) -> str:
        return self._names.name

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """`name` inside the current scope, made unique by a suffix `_1`, `_2` ... where it is taken."""
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
        """The node name that a user's `name=` gives; raises ValueError for a bad one."""
        self.check_scope_name(name)
        return self.unique_name(name)

    def check_scope_name(self, name: str) -> None:
        """Scopes at the root must be valid op names, nested ones may start with other characters."""
        pattern = _VALID_SCOPE_NAME if self._names.name else VALID_OP_NAME
        if not pattern.match(name):
            raise ValueError(f"'{name}' is not a valid scope name")

    def get_name_scope(self) -> str:
        """The current name scope, "outer/inner" without a final slash, or ""."""
        return self._names.name

    @contextmanager
    def name_scope(self, name: str | bytes | None) -> Iterator[str]:
        """Prefixes the names of what is made in the block; yields "outer/name/".

        A name that ends with "/" re-enters that scope as it is; None or "" go to the root.
        """
        old = self._names.name
        opened = self._names.name = self.open_scope(name)
        try:
            yield opened + "/" if name else ""
        finally:
            self._names.name = old

    def open_scope(self, name: str | bytes | None) -> str:
        """The name that the stack takes when scope `name` is entered."""
        if not name:
            return ""
        if isinstance(name, bytes):
            name = name.decode()
        self.check_scope_name(name)
        return name[:-1] if name[-1] == "/" else self.unique_name(name)
