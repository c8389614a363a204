"""Recurrent networks: their loop contexts, imported and re-exported, frozen, cut to a part."""

import numpy as np

from tests.support.programs import recording


def trained(tf):
    recording.build(tf, "rnn_train_dynamic")
    return tf.train.export_meta_graph()


def loops_in_loops(tf):
    recording.build(tf, "rnn_in_loops")
    return tf.train.export_meta_graph()


def decided_by_a_function(tf):
    recording.build(tf, "rnn_raw")
    return tf.train.export_meta_graph()


def unrolled_with_lengths(tf):
    recording.build(tf, "rnn_static_lengths")
    return tf.train.export_meta_graph()


def both_ways_imported_elsewhere(tf):
    recording.build(tf, "rnn_bidirectional")
    first = tf.train.export_meta_graph()
    tf.reset_default_graph()
    tf.train.import_meta_graph(first, import_scope="elsewhere")
    return tf.train.export_meta_graph()


def scope_of_one_network(tf):
    recording.build(tf, "rnn_dynamic")
    return tf.train.export_meta_graph(export_scope="outer")


def without_devices(tf):
    recording.build(tf, "rnn_dynamic")
    return tf.train.export_meta_graph(clear_devices=True, strip_default_attrs=True)


def network(tf, resources):
    """A dynamic network with initialized variables; returns the name of its output."""
    x = tf.placeholder(tf.float32, [None, None, 2], name="x")
    lengths = tf.placeholder(tf.int32, [None], name="lengths")

    def values(shape, dtype=None, partition_info=None):
        return tf.constant(np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 10)

    with tf.variable_scope("net", use_resource=resources, initializer=values):
        cell = tf.nn.rnn_cell.LSTMCell(2)
        outputs, state = tf.nn.dynamic_rnn(cell, x, lengths, dtype=tf.float32)
    tf.identity(outputs, name="out")
    return "out"


def frozen(tf, resources):
    name = network(tf, resources)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        graph = sess.graph.as_graph_def()
        return tf.graph_util.convert_variables_to_constants(sess, graph, [name])


def frozen_variables(tf):
    return tf.MetaGraphDef(graph_def=frozen(tf, False))


def frozen_resource_variables(tf):
    return tf.MetaGraphDef(graph_def=frozen(tf, True))


def frozen_and_cleaned(tf):
    return tf.MetaGraphDef(graph_def=tf.graph_util.remove_training_nodes(frozen(tf, False)))


def part_of_a_network(tf):
    name = network(tf, False)
    graph = tf.get_default_graph().as_graph_def()
    return tf.MetaGraphDef(graph_def=tf.graph_util.extract_sub_graph(graph, [name]))
