"""Base class of iterators, with their element spec and saveable position."""

from __future__ import annotations

from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.data.element_spec import (
    flat_shapes,
    flat_types,
    legacy_classes,
    legacy_shapes,
    legacy_types,
)
from tfmini._src.data.iterator_saveable import IteratorSaveable
from tfmini._src.variables.trackable import Trackable


class IteratorBase(Trackable):
    """An iterator with its own resource; `element_spec` contains the TypeSpecs of elements."""

    _iterator_resource: Any
    element_spec: Any = read_only("TypeSpecs of an element's components, in its structure.")

    def __init__(self, element_spec: object):
        self._element_spec = element_spec
        self._flat_structure: dict[str, Any] = {
            "output_types": flat_types(element_spec),
            "output_shapes": flat_shapes(element_spec),
        }

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        def saveable(name: str) -> IteratorSaveable:
            return IteratorSaveable(self._iterator_resource, name, "_STATE")

        return {"ITERATOR": saveable}

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(iterator)`.")
    def output_classes(self) -> Any:
        """The classes of components, in the structure of an element."""
        return legacy_classes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(iterator)`.")
    def output_shapes(self) -> Any:
        """The static shapes of components, in the structure of an element."""
        return legacy_shapes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(iterator)`.")
    def output_types(self) -> Any:
        """The dtypes of components, in the structure of an element."""
        return legacy_types(self._element_spec)
