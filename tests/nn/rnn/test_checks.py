"""Cell and scope checks before unrolling."""

import re

import pytest

import tfmini as tf
from tfmini._src.nn.rnn.checks import check_cell, is_keras_cell


class LooksLikeOne:
    state_size = output_size = 1

    def zero_state(self, batch_size, dtype):
        return tf.zeros([batch_size, 1], dtype)

    def __call__(self, inputs, state):
        return inputs, state


def test_get_initial_state_replaces_zero_state():
    class Cell:
        state_size = output_size = 1
        get_initial_state = __call__ = LooksLikeOne.zero_state

    check_cell("cell", Cell())


def test_keras_cell_lacks_zero_state():
    class OfKeras(tf.layers.Layer):
        state_size = output_size = 1

    class OfOurs(OfKeras):
        zero_state = LooksLikeOne.zero_state

    with tf.Graph().as_default():
        assert is_keras_cell(OfKeras())
        assert not is_keras_cell(OfOurs())
        assert not is_keras_cell(LooksLikeOne())
        assert not is_keras_cell(tf.nn.rnn_cell.GRUCell(1))


def made_in(scope, unroll):
    """The variable that a cell creates in an unrolling function."""
    with tf.variable_scope("around", caching_device=scope):
        unroll(tf.nn.rnn_cell.BasicRNNCell(2, name="cell"), tf.ones([2, 1, 3]))
    return tf.global_variables()[0]


def static(cell, x):
    tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)


def dynamic(cell, x):
    tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)


def in_a_loop(cell, x):
    def body(i):
        static(cell, x)
        return i + 1

    tf.while_loop(lambda i: i < 2, body, [0])


@pytest.mark.parametrize("unroll", [static, dynamic])
def test_reads_are_cached_on_variable_device(unroll):
    with tf.Graph().as_default(), tf.device("/cpu:0"):
        variable = made_in(None, unroll)
        assert variable.value().op.name == "around/rnn/cell/kernel/read"
        assert variable.value().device == "/device:CPU:0"
        assert variable.value().op.colocation_groups() == [b"loc:@around/rnn/cell/kernel/read"]


def test_scope_sets_caching_device():
    with tf.Graph().as_default():
        assert made_in("/cpu:1", static).value().device == "/device:CPU:1"


def test_reads_in_loop_are_not_cached():
    with tf.Graph().as_default():
        variable = made_in(None, in_a_loop)
        assert variable.value().op.colocation_groups() == [b"loc:@around/rnn/cell/kernel"]


@pytest.mark.parametrize("shape", [[2, None], [4, 7, None]])
def test_unknown_input_depth_is_refused(shape):
    text = rf"^Expected inputs.shape\[-1\] to be known, saw shape: {re.escape(str(tuple(shape)))}$"
    with pytest.raises(ValueError, match=text):
        tf.nn.rnn_cell.GRUCell(3).build(tf.TensorShape(shape))
    cell = tf.nn.rnn_cell.GRUCell(3)
    cell.build(tf.TensorShape([4, None, 5]))
    assert cell.weights[0].shape == [8, 6]
