"""Whatever TensorFlow 1.15.5 deprecates says so here, with the same words."""

import re

import pytest

import tfmini as tf
from tests.conformance import deprecations, public_names

RECORD = deprecations.read()
HERE = dict(deprecations.values(tf, public_names.read()))
NOTICE = re.compile(r"^Warning: (?:THIS|SOME) [A-Z ]+ DEPRECATED\b", re.MULTILINE)

# TensorFlow deprecates these functions but exports what it decorated: its warning is that of the old name alone.
EXPORTED_UNDECORATED = {
    "tf.arg_max",
    "tf.arg_min",
    "tf.image.resize_area",
    "tf.image.resize_bicubic",
    "tf.image.resize_bilinear",
    "tf.image.resize_nearest_neighbor",
}


def namespace(name):
    """`tf.nn` of what is in it, of members of its classes too; of `tf.contrib` a package."""
    parts = name.split(".")
    return ".".join(
        parts[
            : 3 if parts[1] == "contrib" else 2 if len(parts) > 2 and parts[1][0].islower() else 1
        ]
    )


NAMESPACES = {}
for each, value in HERE.items():
    if each in RECORD or "DEPRECATED" in (value.__doc__ or ""):
        NAMESPACES.setdefault(namespace(each), []).append(each)


@pytest.mark.parametrize("space", sorted(NAMESPACES))
def test_notices(space):
    different = {}
    for name in NAMESPACES[space]:
        shown, wanted = HERE[name].__doc__ or "", RECORD.get(name, [])
        places = [shown.find("Warning: " + notice) for notice in wanted]
        if [place.start() for place in NOTICE.finditer(shown)] != places:
            different[name] = (wanted, shown)
    assert {
        name: both for name, both in different.items() if name not in EXPORTED_UNDECORATED
    } == {}
    assert EXPORTED_UNDECORATED & {*NAMESPACES[space]} <= {*different}


def test_all_notices_are_compared():
    """What the record has beside is of names that tfmini leaves out."""
    beside = {*RECORD} - {*HERE}
    assert len(beside) < 30
    for name in beside:
        with pytest.raises(AttributeError, match="does not have it"):
            lookup(name)


def lookup(name):
    value = tf
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    return value
