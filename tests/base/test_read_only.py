"""Read-only properties declared in one line."""

import inspect

import pytest

from tfmini._src.base.read_only import read_only


class Gamma:
    rate: float = read_only("The scales.")
    inverse_scale: float = read_only("The same.", "_rate")

    def __init__(self, rate):
        self._rate = rate


def test_attribute_becomes_documented_property():
    assert Gamma(2.0).rate == Gamma(2.0).inverse_scale == 2.0
    assert isinstance(Gamma.rate, property)
    assert inspect.getdoc(Gamma.rate) == "The scales."


def test_property_is_read_only():
    with pytest.raises(AttributeError, match="rate"):
        Gamma(2.0).rate = 3.0
    assert Gamma(2.0).rate == 2.0


def test_subclass_may_override_property():
    class Unit(Gamma):
        rate = 1.0

    assert Unit(2.0).rate == 1.0


def test_docstring_is_inherited_from_base():
    class Doubled(Gamma):
        rate = read_only(attribute="_doubled")
        _doubled = 4.0

    assert Doubled(2.0).rate == 4.0
    assert inspect.getdoc(Doubled.rate) == "The scales."
