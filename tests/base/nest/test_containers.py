"""Classification of a value in a nested structure."""

from collections import OrderedDict, namedtuple

import pytest

import tfmini as tf
from tfmini._src.base.nest import containers

Pair = namedtuple("Pair", "a b")


class Record:
    """A class with the attrs library's marker."""

    __attrs_attrs__ = ()


VALUES = {
    "is_mapping": [{}, OrderedDict()],
    "is_attrs": [Record()],
    "is_namedtuple": [Pair(1, 2)],
    "is_composite": [tf.SparseTensor([[0]], [1.0], [2])],
    "is_spec": [tf.SparseTensorSpec([2], tf.float32)],
    "none": [1, "text", b"bytes", (1, 2), [1]],
}


@pytest.mark.parametrize("name", [name for name in VALUES if name != "none"])
def test_value_kinds(name):
    for kind, values in VALUES.items():
        for value in values:
            assert getattr(containers, name)(value) == (kind == name), value


def test_branches_are_recognized():
    for value in ({}, Record(), Pair(1, 2), [1], ()):
        assert containers.is_branch(value, False) and containers.is_branch(value, True)
    for value in VALUES["is_composite"] + VALUES["is_spec"]:
        assert not containers.is_branch(value, False) and containers.is_branch(value, True)
    for value in (1, "text", b"bytes", None):
        assert not containers.is_branch(value, True)
