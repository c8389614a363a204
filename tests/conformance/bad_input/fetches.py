"""Fetches that are None, unknown, from another graph, or unfetchable."""


def unknown_output(tf):
    tf.constant(1.0, name="a")
    return lambda sess: sess.run("a:3")


def malformed_name(tf):
    tf.constant(1.0, name="a")
    return lambda sess: sess.run("a:b:0")


def of_another_graph(tf):
    with tf.Graph().as_default():
        other = tf.constant(1.0, name="other")
    return lambda sess: sess.run(other)


def operation_of_another_graph(tf):
    with tf.Graph().as_default():
        other = tf.no_op(name="other")
    return lambda sess: sess.run(other)


def variable_of_another_graph(tf):
    with tf.Graph().as_default():
        other = tf.Variable(1.0, name="other")
    return lambda sess: sess.run(other)


def eval_in_another_graph(tf):
    with tf.Graph().as_default():
        other = tf.constant(1.0)

    def use(sess):
        with sess.as_default():
            return other.eval()

    return use
