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


def test_set_restores_attribute_after_block():
    with tf.test.StubOutForTesting() as stubs:
        stubs.Set(math, "sqrt", lambda x: "first")
        stubs.Set(math, "sqrt", lambda x: "second")
        assert math.sqrt(4) == "second"
    assert math.sqrt(4) == 2


def test_missing_modules_and_names():
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
