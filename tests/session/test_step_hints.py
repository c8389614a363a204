"""Hints at variables without values."""

import pytest

import tfmini as tf
from tests.notes import hint_of


@pytest.mark.parametrize("use_resource", [False, True])
def test_a_variable_without_a_value_is_named_with_its_line(use_resource):
    variable = tf.get_variable("missing", [2], use_resource=use_resource)
    with tf.Session() as session:
        with pytest.raises(tf.errors.FailedPreconditionError, match="missing") as caught:
            session.run(variable.read_value() if use_resource else variable)
    assert f"variable 'missing', made at {__file__}:" in hint_of(caught.value)


def test_other_errors_of_a_step_have_no_hint():
    with tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError, match="must feed") as caught:
            session.run(tf.placeholder(tf.float32))
    assert hint_of(caught.value) == ""
