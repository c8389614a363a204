"""Meanings of names, scope by scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from tfmini._src.programs.check.name_resolution import Meaning, meaning
from tfmini._src.programs.hook.object_lookup import members


@dataclass
class Scope:
    """Names bound in a module, function or class; names unrelated to TensorFlow are bound to None.

    `star_imports` are the star-imported modules below `tensorflow`.
    """

    parent: Scope | None = None
    is_class: bool = False
    bound: dict[str, Meaning] = field(default_factory=dict)
    star_imports: list[str] = field(default_factory=list)

    def is_bound(self, name: str) -> bool:
        """Whether a name is bound in this scope or an enclosing one."""
        return any(name in scope.bound for scope in self.visible_scopes())

    def value(self, name: str) -> Meaning:
        """Returns the object bound to a name; None if it is unbound or unrelated to TensorFlow."""
        for scope in self.visible_scopes():
            if name in scope.bound:
                return scope.bound[name]
            for path in scope.star_imports:
                if name in members(path):
                    return meaning(path, name)
        return None

    def visible_scopes(self) -> list[Scope]:
        """Yields this scope and its enclosing ones, except for classes, which are not visible from inside."""
        scopes, outer = [self], self.parent
        while outer is not None:
            if not outer.is_class:
                scopes.append(outer)
            outer = outer.parent
        return scopes
