"""`experimental_ref()` of tensors and variables: hashable references compared by identity."""

from __future__ import annotations

from typing import Any


class Reference:
    """Hashable reference to a tensor or variable, equal to other references to the same object."""

    __slots__ = ("__weakref__", "_wrapped")

    def __init__(self, wrapped: object):
        self._wrapped = wrapped

    def deref(self) -> Any:
        """Returns the tensor or variable."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._wrapped!r}>"
