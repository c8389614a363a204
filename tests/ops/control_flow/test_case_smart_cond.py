"""case, smart_cond and smart_case: the order of tests, defaults, asserts."""

from collections import OrderedDict

import pytest

import tfmini as tf
from tfmini.contrib.framework import smart_case, smart_cond, smart_constant_value


@pytest.fixture
def x():
    return tf.placeholder(tf.int32, [], name="x")


def pairs_of(x):
    return [(x < 0, lambda: tf.constant(-1)), (x < 5, lambda: x * 10), (x < 9, lambda: x * 20)]


@pytest.mark.parametrize(("value", "expected"), [(-3, -1), (2, 20), (7, 140), (9, 99)])
def test_the_first_true_predicate_decides(x, value, expected):
    result = tf.case(pairs_of(x), default=lambda: tf.constant(99))
    ordered = tf.case(OrderedDict(pairs_of(x)), default=lambda: tf.constant(99))
    with tf.Session() as session:
        assert session.run([result, ordered], {x: value}) == [expected, expected]


def test_without_default_one_must_be_true(x):
    result = tf.case(pairs_of(x))
    with tf.Session() as session:
        assert session.run(result, {x: 7}) == 140
        with pytest.raises(
            tf.errors.InvalidArgumentError,
            match=r"assertion failed: \[Input error: None of conditions evaluated as True:\] ",
        ):
            session.run(result, {x: 9})


def test_exclusive_predicates(x):
    result = tf.case(pairs_of(x), default=lambda: x, exclusive=True)
    text = r"\[Input error: exclusive=True: more than 1 conditions \(Less:0, Less_1:0, Less_2:0\) "
    with tf.Session() as session:
        assert session.run(result, {x: 9}) == 9
        with pytest.raises(tf.errors.InvalidArgumentError, match=text):
            session.run(result, {x: 2})


def test_a_dict_is_tested_in_the_order_of_names(x, caplog):
    tf.case(dict(pairs_of(x)), default=lambda: x)
    assert "An unordered dictionary of predicate/fn pairs was provided" in caplog.text


def test_predicates_must_be_bool(x):
    with pytest.raises(TypeError, match="pred must be Tensor of type bool: x:0"):
        tf.case([(x, lambda: 1)])
    with pytest.raises(TypeError, match="fn for pred Less:0 must be callable."):
        tf.case([(x < 1, 1)])


@pytest.mark.parametrize("pred", [True, 1, 0, False])
def test_smart_cond_decides_what_is_known(pred):
    assert smart_cond(pred, lambda: "yes", lambda: "no") == ("yes" if pred else "no")
    assert smart_cond(tf.constant(bool(pred)), lambda: 1, lambda: 0) == int(pred)


def test_smart_cond_builds_a_cond_of_what_is_not(x):
    result = smart_cond(x > 1, lambda: tf.constant(1), lambda: tf.constant(0), name="later")
    assert result.name == "later/Merge:0"
    with pytest.raises(TypeError, match="`true_fn` must be callable."):
        smart_cond(True)
    with pytest.raises(TypeError, match="`pred` must be a Tensor, or a Python bool, or 1 or 0."):
        smart_cond("yes", lambda: 1, lambda: 2)


def test_smart_constant_value(x):
    assert smart_constant_value(tf.constant(3) > 2) == True  # noqa: E712
    assert smart_constant_value(x > 2) is None


def test_smart_case_leaves_out_what_is_decided(x):
    assert smart_case([(False, lambda: 1), (True, lambda: 2)], default=lambda: 3) == 2
    result = smart_case([(False, lambda: x), (x > 1, lambda: x)], default=lambda: -x)
    with tf.Session() as session:
        assert session.run(result, {x: 5}) == 5
        assert session.run(result, {x: 0}) == 0


def test_a_dict_without_an_order_is_for_exclusive_predicates_alone_in_eager_mode(eager):
    def pairs():
        return {tf.constant(True): lambda: tf.constant(1)}

    with pytest.raises(ValueError, match="^Unordered dictionaries are not supported"):
        tf.case(pairs(), exclusive=False)
    assert tf.case(pairs(), exclusive=True).numpy() == 1
