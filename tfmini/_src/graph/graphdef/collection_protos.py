"""Conversion of a collection's items to protocol buffers in a MetaGraphDef, and back.

Each kind of thing that is kept in collections (variables, contexts of control flow, savers) registers the two ways for
the collections that hold it; the rest is written as what it is: names of nodes, strings, numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.graph import stack_traces


class ProtoFunctions(NamedTuple):
    """The registration of a collection."""

    message: str | type[proto.Message] | None
    to_proto: Callable[..., Any] | None
    from_proto: Callable[..., Any] | None
    frames: stack_traces.Frames

    @property
    def proto_type(self) -> Any:
        """The message class; one that was named is loaded here."""
        return getattr(proto, self.message) if isinstance(self.message, str) else self.message


_registered: dict[Hashable, ProtoFunctions] = {}
# Imports what registers the library's own collections, until that has been done.
_load_own: list[Callable[[], None]] = []
_NOTHING = ProtoFunctions(None, None, None, ())


def register_proto_function(
    collection_name: str,
    proto_type: str | type[proto.Message] | None = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Registers how the items of a collection are written into a MetaGraphDef, and read.

    Args:
      collection_name: the key of the collection.
      proto_type: the message class, or the name of one of TensorFlow's, which then loads when it is first needed.
      to_proto: `to_proto(item, export_scope=None)` returns a message of that class, or None to leave the item out.
      from_proto: `from_proto(message, import_scope=None)` returns the item.

    Raises:
      TypeError: if a function is not callable.
      KeyError: if the collection has its functions already.

    Example:
      register_proto_function("hparams", HParamDef, HParams.to_proto, HParams.from_proto)
    """
    if to_proto and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    if collection_name in _registered:
        known = _registered[collection_name].frames
        location = stack_traces.user_location(known) or stack_traces.locations(known)[-1]
        raise KeyError(
            f"Registering two proto functions with name '{collection_name}'! "
            f"(Previous registration was in {location.name} {location.filename}:{location.lineno})"
        )
    made = ProtoFunctions(proto_type, to_proto, from_proto, stack_traces.capture(1))
    _registered[collection_name] = made


def register_own_by(load: Callable[[], None]) -> None:
    """Has `load` import the modules that register the library's own collections, when one is first asked for."""
    _load_own.append(load)


def proto_functions(collection_name: Hashable) -> ProtoFunctions:
    """The registration of a collection; all None if there is none."""
    while _load_own:
        _load_own.pop()()
    return _registered.get(collection_name, _NOTHING)
