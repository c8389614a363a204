"""The executor type of function calls, as in TensorFlow 1.15.5."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.context import context
from tfmini._src.session.eager.enable import eager_mode

_ASKED = pytest.mark.parametrize("asked", ["", "DEFAULT", None, "SINGLE_THREADED_EXECUTOR"])


@_ASKED
def test_executors_return_the_same(asked):
    five_more = tf.function(lambda x: x + 5)
    with eager_mode(), tf.experimental.function_executor_type(asked):
        assert five_more(tf.constant(0)).numpy() == 5


@_ASKED
def test_nodes_record_executor_type(asked):
    with tf.experimental.function_executor_type(asked):
        result = tf.function(lambda x: x + 5)(tf.constant(1))
    assert result.op.get_attr("executor_type") == (asked or "").encode()
    with tf.Session() as session:
        assert session.run(result) == 6


def test_unknown_executor_is_refused():
    five_more = tf.function(lambda x: x + 5)
    with eager_mode():
        with pytest.raises(tf.errors.NotFoundError, match="factory registered for the given exec"):
            with tf.experimental.function_executor_type("FAST"):
                five_more(tf.constant(0))
        assert five_more(tf.constant(0)).numpy() == 5
        concrete = five_more.get_concrete_function(tf.constant(0))
        assert context().has_function(concrete.name)
        assert not context().has_function("fast")
