"""Ops declared at their first lookup."""

import pytest

from tfmini._src.graph.op_registry import Registry


def test_concurrently_declared_type_is_found():
    registry = Registry()

    class Late(dict):
        def get(self, op_type):
            dict.__setitem__(registry, "Declared", "its declaration")

    registry.late = Late()
    assert registry["Declared"] == "its declaration"
    with pytest.raises(KeyError, match="Other"):
        registry["Other"]
