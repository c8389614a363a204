"""Invalid meta graphs, graph files and frozen graphs."""

import os
import tempfile


def written(name, data):
    """The path of a file, the same each time, with these bytes."""
    folder = os.path.join(tempfile.gettempdir(), "tfmini_bad_input_meta_graphs")
    if not os.path.isdir(folder):
        os.mkdir(folder)
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def imports_an_unknown_op(tf):
    message = tf.MetaGraphDef()
    message.graph_def.node.add(name="n", op="NoSuchOp")
    message.graph_def.node.add(name="m", op="NorThisOne")
    tf.train.import_meta_graph(message)


def imports_a_node_without_its_input(tf):
    message = tf.MetaGraphDef()
    message.graph_def.node.add(name="n", op="NoOp", input=["^elsewhere"])
    tf.train.import_meta_graph(message)


def exported_op_is_unknown(tf):
    graph_def = tf.GraphDef()
    graph_def.node.add(name="n", op="NoSuchOp")
    tf.train.export_meta_graph(graph_def=graph_def)


def imports_into_a_graph_that_is_final(tf):
    tf.no_op(name="n")
    message = tf.train.export_meta_graph()
    graph = tf.Graph()
    graph.finalize()
    with graph.as_default():
        tf.train.import_meta_graph(message)


def inputs_are_not_bound(tf):
    x = tf.placeholder(tf.float32, name="x")
    y = tf.placeholder(tf.float32, name="y")
    tf.add(x, y, name="scope/sum")
    message = tf.train.export_meta_graph(export_scope="scope")
    tf.train.import_meta_graph(message, input_map={"$unbound_inputs_x": x})


def collection_holds_no_variable(tf):
    message = tf.MetaGraphDef()
    message.collection_def["variables"].bytes_list.value.append(b"")
    tf.train.import_meta_graph(message)


def freezes_for_a_tensor(tf):
    v = tf.Variable(1.0, name="v")

    def freeze(sess):
        return tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, [v.name])

    return freeze


def freezes_a_gather_in_batches(tf):
    v = tf.get_variable("v", [2, 2], use_resource=True)
    out = tf.raw_ops.ResourceGather(
        resource=v.handle, indices=[[0], [1]], batch_dims=1, dtype=tf.float32
    )

    def freeze(sess):
        sess.run(v.initializer)
        return tf.graph_util.convert_variables_to_constants(sess, sess.graph_def, [out.op.name])

    return freeze


def importing(tf, change, op="Placeholder"):
    """Imports a node after `change` has modified it."""
    graph = tf.Graph()
    with graph.as_default():
        if op == "Placeholder":
            tf.placeholder(tf.float32, [2], name="n")
        else:
            tf.constant([1.0, 2.0], name="n")
    graph_def = graph.as_graph_def(add_shapes=True)
    change(graph_def.node[0])
    tf.import_graph_def(graph_def)
