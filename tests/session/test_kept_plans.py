"""A step is compiled once, whatever the structure of its fetches."""

from collections.abc import MutableMapping

import attr
import pytest

import tfmini as tf
from tfmini.session import session as module


@attr.s
class Pair:
    a = attr.ib()
    b = attr.ib()


class Table(MutableMapping):
    def __init__(self, *items):
        self.held = dict(*items)

    def __getitem__(self, key):
        return self.held[key]

    def __setitem__(self, key, value):
        self.held[key] = value

    def __delitem__(self, key):
        del self.held[key]

    def __iter__(self):
        return iter(self.held)

    def __len__(self):
        return len(self.held)


@pytest.mark.parametrize("structure", [Pair, lambda a, b: Table({"a": a, "b": [b]})])
def test_a_structure_is_compiled_once(structure, monkeypatch):
    compiled = []

    def compile_plan(*args):
        compiled.append(args)
        return original(*args)

    original = module.compile_plan
    monkeypatch.setattr(module, "compile_plan", compile_plan)
    x = tf.constant(1.0)
    with tf.Session() as session:
        fetches = structure(x, x + 1)
        results = [session.run(fetches) for _ in range(3)]
    assert len(compiled) == 1
    assert results == [structure(1.0, 2.0)] * 3
