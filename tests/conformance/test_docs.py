"""Docstring examples with results are correct."""

import ast
import functools
import importlib.util
import inspect
import re

import numpy as np

import tfmini as tf
from tests.conformance import test_api
from tests.support import cases

# `tf.add([1, 2], 10)` is `[11, 12]`.  Or without the second pair of backquotes, up to the full stop.
EXAMPLE = re.compile(
    r"`(tf\.[^`]+)`\s+is\s+(?:`([^`]+)`|([\[\-\d\"'(][^`]*?)(?:\.\s|\.$|;|\n\n|$))"
)


@functools.cache
def examples():
    """The expressions and documented results of every public name's docstring."""
    result = {}
    for name in test_api.documented():
        text = inspect.getdoc(test_api.lookup(name)) or ""
        for match in EXAMPLE.finditer(text):
            expression, value = match.group(1), match.group(2) or match.group(3)
            if "regex" in expression and importlib.util.find_spec("re2") is None:
                continue
            if expression not in result and is_literal(value):
                result[expression] = expression, ast.literal_eval(value)
    return result


def is_literal(text):
    try:
        ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return False
    return True


def test_examples_exist():
    assert len(examples()) > 40


def text_of(value):
    """Nested lists with bytes as text, as written in examples."""
    if isinstance(value, list):
        return [text_of(each) for each in value]
    return value.decode() if isinstance(value, bytes) else value


@cases.parametrize([cases.Group("docstrings", examples)])
def test_example(group, check_each):
    check_each(group, check)


def check(example):
    expression, expected = example
    with tf.Graph().as_default(), tf.Session() as session:
        value = eval(expression, {"tf": tf, "np": np})
        if isinstance(value, (tf.Tensor, tf.SparseTensor, tf.RaggedTensor)):
            value = session.run(value)
    if hasattr(value, "to_list"):  # rows of different lengths
        value = text_of(value.to_list())
    if isinstance(value, (str, list)):
        assert value == expected
        return
    value, expected = np.asarray(value), np.asarray(expected)
    assert value.shape == expected.shape
    if value.dtype.kind in "OS":
        value = np.array([item.decode() for item in value.ravel()]).reshape(value.shape)
    if value.dtype.kind in "fc":  # as many digits as written
        np.testing.assert_allclose(value, expected, atol=0.006)
    else:
        np.testing.assert_array_equal(value, expected)
