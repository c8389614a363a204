"""Object types by identifier and version."""

import pytest

from tfmini._src.base import proto
from tfmini._src.saved_model.objects import revived_types
from tfmini._src.saved_model.objects.revived_types import VersionedTypeRegistration


class Thing:
    def __init__(self, version):
        self.version = version


@pytest.fixture(scope="module", autouse=True)
def registered():
    def registration(version, oldest_producer, bad=None):
        return VersionedTypeRegistration(
            lambda _: Thing(version), version, oldest_producer, version, bad_consumers=bad
        )

    revived_types.register_revived_type(
        "thing",
        lambda value: isinstance(value, Thing),
        [registration(1, 1), registration(3, 2, (5, 6))],
    )
    yield
    del revived_types._kinds["thing"]


@pytest.mark.parametrize(
    "producer, min_consumer, bad, expected",
    [(1, 1, [], 1), (2, 1, [], 3), (9, 2, [], 3), (2, 1, [3], 1), (2, 4, [], None)],
)
def test_newest_compatible_version_deserializes(producer, min_consumer, bad, expected):
    message = proto.SavedUserObject(identifier="thing")
    message.version.producer, message.version.min_consumer = producer, min_consumer
    message.version.bad_consumers.extend(bad)
    result = revived_types.deserialize(message)
    assert (None if result is None else result[0].version) == expected


def test_newest_version_serializes():
    message = revived_types.serialize(Thing(1))
    assert message.identifier == "thing"
    assert (message.version.producer, message.version.min_consumer) == (3, 3)
    assert list(message.version.bad_consumers) == [5, 6]
    assert revived_types.serialize(object()) is None
    assert "thing" in revived_types.registered_identifiers()


def test_versions_and_identifiers_are_unique():
    one = VersionedTypeRegistration(lambda _: None, 1, 1, 1)
    with pytest.raises(AssertionError, match="Need at least one version"):
        revived_types.register_revived_type("other", lambda _: True, [])
    with pytest.raises(
        AssertionError, match="multiple registrations with version 1 for type other"
    ):
        revived_types.register_revived_type("other", lambda _: True, [one, one])
    with pytest.raises(AssertionError, match="Duplicate registrations for type thing"):
        revived_types.register_revived_type("thing", lambda _: True, [one])
