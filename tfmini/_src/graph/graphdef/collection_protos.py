"""Registry of the functions that serialize collection items into a MetaGraphDef, and back.

Each class stored in collections (variables, control flow contexts, savers) registers both functions for
its collections; other items are written as node names, strings or numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from tfmini._src.base import proto
from tfmini._src.graph import stack_traces


class ProtoFunctions(NamedTuple):
    """A collection's registered functions."""

    message: str | type[proto.Message] | None
    to_proto: Callable[..., Any] | None
    from_proto: Callable[..., Any] | None
    frames: stack_traces.Frames

    @property
    def proto_type(self) -> Any:
        """The message class, loaded here if registered by name."""
        return getattr(proto, self.message) if isinstance(self.message, str) else self.message


_registered: dict[Hashable, ProtoFunctions] = {}
# Functions that import the modules that register the library's own collections; emptied once called.
_load_own: list[Callable[[], None]] = []
_NO_FUNCTIONS = ProtoFunctions(None, None, None, ())


def register_proto_function(
    collection_name: str,
    proto_type: str | type[proto.Message] | None = None,
    to_proto: Callable[..., Any] | None = None,
    from_proto: Callable[..., Any] | None = None,
) -> None:
    """Registers the functions that serialize a collection's items into a MetaGraphDef.

    Args:
      collection_name: the collection key.
      proto_type: the message class, or the name of a TensorFlow message, loaded on first use.
      to_proto: `to_proto(item, export_scope=None)` returns a message of that class, or None to skip the item.
      from_proto: `from_proto(message, import_scope=None)` returns the item.

    Raises:
      TypeError: if a function is not callable.
      KeyError: if the collection is already registered.

    Example:

      register_proto_function("hparams", HParamDef, HParams.to_proto, HParams.from_proto)
    """
    if to_proto and not callable(to_proto):
        raise TypeError("to_proto must be callable.")
    if from_proto and not callable(from_proto):
        raise TypeError("from_proto must be callable.")
    if collection_name in _registered:
        frames = _registered[collection_name].frames
        location = stack_traces.user_location(frames) or stack_traces.locations(frames)[-1]
        raise KeyError(
            f"Registering two proto functions with name '{collection_name}'! "
            f"(Previous registration was in {location.name} {location.filename}:{location.lineno})"
        )
    functions = ProtoFunctions(proto_type, to_proto, from_proto, stack_traces.capture(1))
    _registered[collection_name] = functions


def register_own_by(load: Callable[[], None]) -> None:
    """Registers `load`, which imports the modules that register the library's own collections, on first lookup."""
    _load_own.append(load)


def proto_functions(collection_name: Hashable) -> ProtoFunctions:
    """Returns the registration of a collection; its fields are None if unregistered."""
    while _load_own:
        _load_own.pop()()
    return _registered.get(collection_name, _NO_FUNCTIONS)
