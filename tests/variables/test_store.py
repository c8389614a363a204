"""Variable stores: reuse and defaults of a scope."""

import pytest

import tfmini as tf


def get(name, shape=(), **options):
    return tf.get_variable(name, shape, initializer=tf.zeros_initializer(), **options)


EXISTS = (
    "Variable weights already exists, disallowed. Did you mean to set reuse=True or "
    "reuse=tf.AUTO_REUSE in VarScope?"
)


def test_variable_created_twice(graph):
    get("weights")
    with pytest.raises(ValueError) as caught:
        get("weights")
    text = str(caught.value)
    assert text.startswith(EXISTS + " Originally defined at:\n\n")
    first = text.split("\n\n")[1].splitlines()
    assert __file__ in first[0] and "return tf.get_variable(name" in first[1]
    with tf.variable_scope("", use_resource=True):
        tf.get_variable("other", [])
        with pytest.raises(ValueError) as caught:
            tf.get_variable("other", [])
    assert str(caught.value) == EXISTS.replace("weights", "other")
