"""Graphs rewritten by tf.graph_util: each case's GraphDef in an otherwise empty MetaGraphDef."""

import numpy as np


def model(tf, resources):
    """A network with a gather, a cond and its training; its variables have values."""
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    ids = tf.placeholder(tf.int32, [None], name="ids")
    weights = np.arange(12, dtype=np.float32).reshape(4, 3) / 7
    with tf.variable_scope("net", use_resource=resources):
        w = tf.get_variable("w", initializer=weights)
        table = tf.get_variable("table", initializer=-weights)
        bias = tf.get_variable("b", [3], initializer=tf.ones_initializer())
    hidden = tf.nn.relu(tf.check_numerics(tf.matmul(x, w) + bias, "bad"))
    hidden += tf.gather(table, ids)
    hidden = tf.cond(tf.reduce_sum(hidden) > 0, lambda: hidden * bias, lambda: hidden - bias)
    out = tf.identity(tf.identity(hidden, name="before"), name="out")
    return tf.train.AdamOptimizer().minimize(tf.reduce_sum(out, name="loss"), name="train")


def frozen(tf, resources, names=("out",), **kwargs):
    model(tf, resources)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        graph_def = sess.graph.as_graph_def()
        return tf.graph_util.convert_variables_to_constants(sess, graph_def, list(names), **kwargs)


def wrapped(tf, graph_def):
    return tf.MetaGraphDef(graph_def=graph_def)


def variables(tf):
    return wrapped(tf, frozen(tf, False))


def resource_variables(tf):
    return wrapped(tf, frozen(tf, True))


def training_too(tf):
    return wrapped(tf, frozen(tf, False, ["train", "out"], variable_names_whitelist=["net/b"]))


def some_left_as_they_are(tf):
    return wrapped(tf, frozen(tf, True, variable_names_blacklist=["net/w"]))


def nothing_to_freeze(tf):
    return wrapped(tf, frozen(tf, False, ["x"]))


def handles_in_loops_and_branches(tf):
    v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
    condition = tf.placeholder(tf.bool, [], name="condition")
    tf.cond(condition, lambda: v * 2.0, lambda: v.sparse_read([0, 1]), name="branches")
    with tf.Session() as sess:
        sess.run(v.initializer)
        graph_def = sess.graph.as_graph_def()
        made = tf.graph_util.convert_variables_to_constants(sess, graph_def, ["branches/Merge"])
    return wrapped(tf, made)


def every_dtype(tf):
    names = []
    for dtype in (tf.float16, tf.float64, tf.int8, tf.int64, tf.uint8, tf.bool, tf.complex64):
        value = np.array([[0, 1, 2]]).astype(dtype.as_numpy_dtype)
        names.append(tf.Variable(value, name=dtype.name).op.name)
    names.append(tf.Variable([b"text", b"\xff\x00"], name="strings").op.name)
    names.append(tf.Variable(3.5, name="scalar").op.name)
    names.append(tf.Variable(tf.zeros([0, 2]), name="empty").op.name)
    names.append(tf.Variable(tf.cast([1.5], tf.bfloat16), name="brain").op.name)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        graph_def = sess.graph.as_graph_def()
        return wrapped(tf, tf.graph_util.convert_variables_to_constants(sess, graph_def, names))


def sub_graph(tf):
    model(tf, False)
    graph_def = tf.get_default_graph().as_graph_def()
    return wrapped(tf, tf.graph_util.extract_sub_graph(graph_def, ["loss", "net/w/Assign"]))


def without_training_nodes(tf):
    return wrapped(tf, tf.graph_util.remove_training_nodes(frozen(tf, False)))


def with_protected_nodes(tf):
    kept = ["out", "CheckNumerics"]
    return wrapped(tf, tf.graph_util.remove_training_nodes(frozen(tf, False), kept))
