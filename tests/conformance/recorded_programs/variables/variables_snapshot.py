"""Parameters kept and put back in memory: Assign ops found by name, their values fed."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [None, 5], name="x")
    W = tf.Variable(np.zeros([5, 5]), dtype=tf.float32, name="W")
    b = tf.Variable(np.zeros([5]), dtype=tf.float32, name="b")
    y = tf.add(tf.matmul(x, W), b)
    graph = tf.get_default_graph()
    variables = graph.get_collection(tf.GraphKeys.GLOBAL_VARIABLES)
    assigns = [graph.get_operation_by_name(v.op.name + "/Assign") for v in variables]
    initial = [op.inputs[1] for op in assigns]
    ones = tf.tuple([tf.assign(W, np.ones([5, 5])), tf.assign(b, np.ones([5]))])
    batch = {x: np.ones([2, 5])}
    kept = []

    def store(sess):
        kept[:] = sess.run(variables)
        return list(kept)

    def restore(sess):
        return sess.run(assigns, feed_dict=dict(zip(initial, kept)))

    steps = [
        ("init", tf.global_variables_initializer()),
        ("zeros", y, batch),
        ("ones", ones),
        ("sixes", y, batch),
        ("store", store),
        ("doubled", [tf.assign_add(W, W * 2.0), tf.assign_sub(b, [1.0] * 5)]),
        ("changed", y, batch),
        ("restore", restore),
        ("sixes again", y, batch),
    ]
    return {"facts": {"initial": [t.name for t in initial]}, "steps": steps}
