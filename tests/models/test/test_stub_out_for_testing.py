"""tf.test.StubOutForTesting."""

import math
import types

import pytest

import tfmini as tf


class Base:
    def greet(self):
        return "hello"

    @staticmethod
    def fixed():
        return 1

    @classmethod
    def named(cls):
        return cls.__name__


class Derived(Base):
    pass


def test_set_replaces_an_attribute_until_the_block_ends():
    with tf.test.StubOutForTesting() as stubs:
        stubs.Set(math, "sqrt", lambda x: "first")
        stubs.Set(math, "sqrt", lambda x: "second")
        assert math.sqrt(4) == "second"
    assert math.sqrt(4) == 2


def test_set_of_an_instance_leaves_its_class_alone():
    stubs, one, other = tf.test.StubOutForTesting(), Base(), Base()
    stubs.Set(one, "greet", lambda: "bye")
    assert (one.greet(), other.greet()) == ("bye", "hello")
    stubs.UnsetAll()
    assert one.greet() == "hello"


def test_smart_set_replaces_where_the_attribute_is_defined():
    stubs = tf.test.StubOutForTesting()
    stubs.SmartSet(Derived(), "greet", lambda self: "bye")
    assert (Base().greet(), Derived().greet()) == ("bye", "bye")
    assert "greet" not in vars(Derived)
    stubs.CleanUp()
    assert Derived().greet() == "hello"


@pytest.mark.parametrize("name, kind", [("fixed", staticmethod), ("named", classmethod)])
@pytest.mark.parametrize("method", ["Set", "SmartSet"])
def test_static_and_class_methods_come_back_as_what_they_were(name, kind, method):
    before = vars(Base)[name]
    stubs = tf.test.StubOutForTesting()
    getattr(stubs, method)(Base, name, lambda *_: "stub")
    assert getattr(Base, name)() == "stub"
    stubs.CleanUp()
    assert vars(Base)[name] is before and isinstance(before, kind)


def test_modules_and_names_that_are_not_there():
    module = types.ModuleType("m")
    module.value = 1
    with tf.test.StubOutForTesting() as stubs:
        stubs.SmartSet(module, "value", 2)
        assert module.value == 2
        with pytest.raises(AttributeError, match="Attribute not found"):
            stubs.SmartSet(Base, "nothing", 1)
        with pytest.raises(AttributeError, match="module 'm' has no attribute 'nothing'"):
            stubs.Set(module, "nothing", 1)
    assert module.value == 1
