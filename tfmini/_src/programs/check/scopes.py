"""Meanings of a program's names, scope by scope."""

from __future__ import annotations

from dataclasses import dataclass, field

from tfmini._src.programs.check.name_resolution import Meaning, meaning
from tfmini._src.programs.hook.object_lookup import offered


@dataclass
class Scope:
    """The names bound in a module, a function or a class; what is not of TensorFlow is bound to None.

    `stars` are the modules below `tensorflow` whose names all are here.
    """

    parent: Scope | None = None
    is_class: bool = False
    bound: dict[str, Meaning] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)

    def knows(self, name: str) -> bool:
        """Whether a name is bound here or around."""
        return any(name in scope.bound for scope in self.seen())

    def value(self, name: str) -> Meaning:
        """Meaning of a name; None also where it is not bound."""
        for scope in self.seen():
            if name in scope.bound:
                return scope.bound[name]
            for path in scope.stars:
                if name in offered(path):
                    return meaning(path, name)
        return None

    def seen(self) -> list[Scope]:
        """This scope and those around it, of which classes are not seen."""
        found, around = [self], self.parent
        while around is not None:
            if not around.is_class:
                found.append(around)
            around = around.parent
        return found
