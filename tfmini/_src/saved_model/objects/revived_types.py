"""Revived types of objects in SavedModels: identifiers and factories."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tfmini._src.base import proto
from tfmini._src.saved_model.objects import restored_optimizer
from tfmini._src.saved_model.objects.signature_map import SignatureMap
from tfmini._src.variables.data_structures import ListWrapper, _DictWrapper


class VersionedTypeRegistration:
    """One version of an object type in SavedModels.

    Args:
      object_factory: a function that creates an object from a SavedUserObject.
      version: the version number.
      min_producer_version: the oldest saved version that this version can load.
      min_consumer_version: the oldest version that can load objects of this version.
      bad_consumers: newer versions that cannot load these objects.
      setter: a function of object, name and dependency that attaches the dependency.
    """

    identifier: str

    def __init__(
        self,
        object_factory: Callable[[Any], Any],
        version: int,
        min_producer_version: int,
        min_consumer_version: int,
        bad_consumers: Iterable[int] | None = None,
        setter: Callable[[Any, str, Any], None] = setattr,
    ):
        self.setter = setter
        self.version = version
        self._object_factory = object_factory
        self._min_producer_version = min_producer_version
        self._min_consumer_version = min_consumer_version
        self._bad_consumers = list(bad_consumers or ())

    def to_proto(self) -> Any:
        """Returns the SavedUserObject of an instance of this type."""
        message = proto.SavedUserObject(identifier=self.identifier)
        message.version.producer = self.version
        message.version.min_consumer = self._min_consumer_version
        message.version.bad_consumers.extend(self._bad_consumers)
        return message

    def from_proto(self, message: Any) -> Any:
        """Creates an object from a SavedUserObject."""
        return self._object_factory(message)

    def should_load(self, message: Any) -> bool:
        """Whether this version can load a SavedUserObject."""
        version = message.version
        return (
            message.identifier == self.identifier
            and self.version >= version.min_consumer
            and version.producer >= self._min_producer_version
            and self.version not in version.bad_consumers
        )


# By identifier: a predicate for the kind, and its versions, newest first.
_kinds: dict[str, tuple[Callable[[Any], bool], list[VersionedTypeRegistration]]] = {}


def register_revived_type(
    identifier: str,
    predicate: Callable[[Any], bool],
    versions: Sequence[VersionedTypeRegistration],
) -> None:
    """Registers the versions of an object type.

    Raises:
      AssertionError: for no versions, duplicate versions, or an identifier registered before.
    """
    ordered = sorted(versions, key=lambda registration: registration.version, reverse=True)
    if not ordered:
        raise AssertionError("Need at least one version of a registered type.")
    taken = set()
    for registration in ordered:
        registration.identifier = identifier
        if registration.version in taken:
            raise AssertionError(
                f"Got multiple registrations with version {registration.version} for type {identifier}"
            )
        taken.add(registration.version)
    if identifier in _kinds:
        raise AssertionError(f"Duplicate registrations for type {identifier}")
    _kinds[identifier] = (predicate, ordered)


def serialize(obj: Any) -> Any:
    """Returns the SavedUserObject of an object, or None for an unregistered type."""
    for predicate, versions in _kinds.values():
        if predicate(obj):
            return versions[0].to_proto()
    return None


def deserialize(message: Any) -> tuple[Any, Callable[[Any, str, Any], None]] | None:
    """Returns a new object for a SavedUserObject and its dependency setter; None for an unregistered type."""
    _, versions = _kinds.get(message.identifier, (None, ()))
    for registration in versions:
        if registration.should_load(message):
            return registration.from_proto(message), registration.setter
    return None


def registered_identifiers() -> Iterable[str]:
    """Returns the registered identifiers."""
    return _kinds.keys()


def describe_object(value: Any) -> Any:
    """Returns the SavedUserObject of an object of any type."""
    message = serialize(value)
    if message is None:
        message = proto.SavedUserObject(
            identifier=value._object_identifier, metadata=value._tracking_metadata
        )
        message.version.producer = message.version.min_consumer = 1
    return message


def _set_item(values: list, index: str, value: Any) -> None:
    position = int(index)
    values.extend([None] * (position + 1 - len(values)))
    values[position] = value


def _register(
    identifier: str, cls: type, make: Callable[[], Any], setter: Callable[[Any, str, Any], None]
) -> None:
    register_revived_type(
        identifier,
        lambda value: isinstance(value, cls),
        [VersionedTypeRegistration(lambda _: make(), 1, 1, 1, setter=setter)],
    )


_register("trackable_dict_wrapper", _DictWrapper, _DictWrapper, _DictWrapper.__setitem__)
_register("trackable_list_wrapper", ListWrapper, lambda: ListWrapper([]), _set_item)
register_revived_type(
    restored_optimizer.IDENTIFIER,
    lambda value: getattr(value, "_object_identifier", "") == restored_optimizer.IDENTIFIER,
    [VersionedTypeRegistration(lambda _: restored_optimizer.RestoredOptimizer(), 1, 1, 1)],
)
_register("signature_map", SignatureMap, SignatureMap, SignatureMap.add)
