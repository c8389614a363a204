"""Tensors, attrs, specs and imported nodes: their conversions, and errors."""

import numpy as np
from google.protobuf import text_format

from tests.conformance.short_programs import rows, table_of


def programs(tf):

    raw = tf.raw_ops
    convert, part = tf.convert_to_tensor, tf.contrib.graph_editor

    def slices(dense_shape=None):
        return tf.IndexedSlices(tf.constant([1.0, 2.0]), tf.constant([0, 2]), dense_shape)

    def sparse():
        return tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])

    def node(text, **options):
        message = tf.GraphDef()
        text_format.Merge(text, message)
        return tf.import_graph_def(message, name="", **options)

    def imported(dtype=tf.float32, input_map=(), **options):
        with tf.Graph().as_default() as graph:
            tf.identity(tf.placeholder(tf.float32, [2, 3], name="x"), name="y")
        mine = dict.fromkeys(input_map, tf.placeholder(dtype, [2, 3], name="mine"))
        return tf.import_graph_def(graph.as_graph_def(), mine, **options)

    class Other:
        pass

    def converted(given, **options):
        class Mine:
            pass

        tf.register_tensor_conversion_function(Mine, lambda *args, **kwargs: given)
        return convert(Mine(), **options)

    def overridden(value):
        with tf.get_default_graph()._attr_scope({"_mine": value}):
            return tf.no_op().node_def.attr["_mine"].s

    def static(tensor):
        value = tf.contrib.util.constant_value
        feedable = tf.get_default_graph().is_feedable(tensor)
        return [str(value(tensor)), str(value(tensor, partial=True)), feedable]

    def sparse_shape(tensor):
        indices, values = tf.placeholder(tf.int64, [None, None]), tf.placeholder(tf.float32, [None])
        return str(tf.SparseTensor(indices, values, tensor).get_shape())

    def fed(*shape, dtype=tf.int64):
        return tf.placeholder(dtype, shape)

    def proto(*args, **options):
        message = tf.make_tensor_proto(*args, **options)
        array = tf.make_ndarray(message)
        return [
            " ".join(str(message).split()),
            array.dtype.name,
            str(array.shape),
            str(array.tolist()),
        ]

    return rows(
        table_of(__file__),
        tf=tf, Other=Other, convert=convert, converted=converted, imported=imported, node=node, np=np,
        fed=fed, overridden=overridden, part=part, proto=proto, raw=raw, slices=slices, sparse=sparse,
        sparse_shape=sparse_shape, static=static,
    )  # fmt: skip
