"""Cell names in object-based checkpoints, as in TensorFlow 1.15.5."""

import tfmini as tf
from tfmini._src.train.object_checkpoint.object_graph import object_graph_message, walk

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


def keys_of(cell):
    """A cell's checkpoint keys by variable name."""
    tf.nn.static_rnn(cell, [tf.zeros([2, 3])], dtype=tf.float32)
    message, _ = object_graph_message(walk(tf.train.Checkpoint(net=cell)))
    return [a.checkpoint_key for node in message.nodes for a in node.attributes]


def test_cell_keys():
    with tf.Graph().as_default():
        assert keys_of(tf.nn.rnn_cell.BasicRNNCell(3)) == [
            f"net/{name}{VALUE}" for name in ("kernel", "bias")
        ]
    with tf.Graph().as_default():
        gates = [f"net/{part}.S{name}{VALUE}" for part in ("gates",) for name in ("kernel", "bias")]
        result = keys_of(tf.contrib.cudnn_rnn.CudnnCompatibleGRUCell(3))
        assert result == gates + [
            f"net/candidate.S{part}.S{name}{VALUE}"
            for name in ("kernel", "bias")
            for part in ("input_projection", "hidden_projection")
        ]


def test_nested_cell_keys():
    with tf.Graph().as_default():
        cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(3))
        assert keys_of(cell) == [f"net/cell/{name}{VALUE}" for name in ("kernel", "bias")]
    with tf.Graph().as_default():
        cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicLSTMCell(3) for _ in range(2)])
        assert keys_of(cell) == [
            f"net/cell-{n}/{name}{VALUE}" for n in (0, 1) for name in ("kernel", "bias")
        ]
