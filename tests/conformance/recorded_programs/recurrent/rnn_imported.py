"""A network that comes from a meta graph: gradients are taken of it here, and it is trained."""

import numpy as np


def network(tf):
    x = tf.placeholder(tf.float32, [None, None, 2], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")
    cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.LSTMCell(3), tf.nn.rnn_cell.GRUCell(2)])
    outputs, _ = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    steps = [outputs[:, 0], outputs[:, 1]]
    upper, _ = tf.nn.static_rnn(
        tf.nn.rnn_cell.GRUCell(2), steps, dtype=tf.float32, sequence_length=lengths, scope="upper"
    )
    tf.add_n([tf.reduce_sum(tf.square(t)) for t in upper], name="loss")


def build(tf):
    network(tf)
    message = tf.train.export_meta_graph()
    seed = tf.get_default_graph().seed
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    tf.train.import_meta_graph(message, import_scope="old")
    graph = tf.get_default_graph()
    loss = graph.get_tensor_by_name("old/loss:0")
    x = graph.get_tensor_by_name("old/x:0")
    variables = tf.trainable_variables()
    gradients = tf.gradients(loss, [x, *variables])
    with tf.variable_scope("more"):
        more, _ = tf.nn.dynamic_rnn(
            tf.nn.rnn_cell.BasicRNNCell(2),
            graph.get_tensor_by_name("old/rnn/transpose_1:0"),
            dtype=tf.float32,
        )
    whole = loss + tf.reduce_sum(more)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(whole)
    feed = {
        "old/x:0": np.sin(np.arange(12, dtype=np.float32)).reshape(2, 3, 2),
        "old/lengths:0": np.array([3, 1], np.int32),
    }
    steps = [
        ("init", tf.global_variables_initializer()),
        ("gradients", [loss, gradients], feed),
        ("train", train, feed),
        ("trained", [whole, variables], feed),
    ]
    return {"facts": {"variables": [v.name for v in tf.global_variables()]}, "steps": steps}
