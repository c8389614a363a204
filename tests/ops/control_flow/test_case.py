"""case, smart_cond and smart_case: predicate order, defaults, asserts."""

from collections import OrderedDict

import pytest

import tfmini as tf


@pytest.fixture
def x():
    return tf.placeholder(tf.int32, [], name="x")


def pairs_of(x):
    return [(x < 0, lambda: tf.constant(-1)), (x < 5, lambda: x * 10), (x < 9, lambda: x * 20)]


@pytest.mark.parametrize(("value", "expected"), [(-3, -1), (2, 20), (7, 140), (9, 99)])
def test_first_true_predicate_wins(x, value, expected):
    result = tf.case(pairs_of(x), default=lambda: tf.constant(99))
    ordered = tf.case(OrderedDict(pairs_of(x)), default=lambda: tf.constant(99))
    with tf.Session() as session:
        assert session.run([result, ordered], {x: value}) == [expected, expected]


def test_unordered_dict_requires_exclusive_in_eager_mode(eager):
    def pairs():
        return {tf.constant(True): lambda: tf.constant(1)}

    with pytest.raises(ValueError, match="^Unordered dictionaries are not supported"):
        tf.case(pairs(), exclusive=False)
    assert tf.case(pairs(), exclusive=True).numpy() == 1
