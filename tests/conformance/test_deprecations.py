"""Everything that TensorFlow 1.15.5 deprecates has the same notice here."""

import functools
import re

import pytest

import tfmini as tf
from tests.conformance import deprecations, public_names
from tests.support import recorded

RECORD = deprecations.read()
NOTICE = re.compile(r"^Warning: (?:THIS|SOME) [A-Z ]+ DEPRECATED\b", re.MULTILINE)

# TensorFlow deprecates these functions but exports the undecorated ones: only the old name warns.
EXPORTED_UNDECORATED = {
    "tf.arg_max",
    "tf.arg_min",
    "tf.image.resize_area",
    "tf.image.resize_bicubic",
    "tf.image.resize_bilinear",
    "tf.image.resize_nearest_neighbor",
}


@functools.cache
def here():
    """tfmini's objects by TensorFlow's public names; loads all of its modules."""
    return dict(deprecations.values(tf, public_names.read()))


def test_deprecation_notices():
    compared = [
        name
        for name, value in here().items()
        if name in RECORD or "DEPRECATED" in (value.__doc__ or "")
    ]
    different = {}
    for name in compared:
        shown, expected = here()[name].__doc__ or "", RECORD.get(name, [])
        positions = [shown.find("Warning: " + notice) for notice in expected]
        if [location.start() for location in NOTICE.finditer(shown)] != positions:
            different[name] = recorded.explain(shown, "\n".join(expected), name)
    result = [text for name, text in different.items() if name not in EXPORTED_UNDECORATED]
    assert not result, "\n".join(result)
    assert different.keys() == EXPORTED_UNDECORATED
    assert len(compared) > 1500


def test_every_notice_is_compared():
    """The remaining notices in the recording belong to unsupported names."""
    beside = {*RECORD} - {*here()}
    assert len(beside) < 30
    for name in beside:
        with pytest.raises(AttributeError, match="tfmini does not implement"):
            lookup(name)


def lookup(name):
    value = tf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value
