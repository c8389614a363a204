"""Fetches that are nothing, unknown, of another graph, or cannot be fetched."""

import numpy as np


def none(tf):
    return lambda sess: sess.run(None)


def none_in_a_list(tf):
    a = tf.constant(1.0)
    return [a, None]


def none_as_gradient(tf):
    w1, w2 = tf.Variable([[1, 2]]), tf.Variable([[3, 4]])
    res = tf.matmul(w1, [[2], [1]])
    return tf.gradients(res, [w1, w2])


def number(tf):
    return lambda sess: sess.run(5)


def number_in_a_dict(tf):
    return {"a": 1.5}


def array(tf):
    return lambda sess: sess.run(np.zeros([2]))


def unknown_name(tf):
    return lambda sess: sess.run("nothing:0")


def unknown_operation(tf):
    return lambda sess: sess.run("nothing")


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


def inside_a_cond(tf):
    made = []

    def branch():
        made.append(tf.constant(1.0, name="within"))
        return made[0]

    tf.cond(tf.placeholder_with_default(False, []), branch, lambda: tf.constant(2.0))
    return lambda sess: sess.run(made[0])


def inside_the_other_branch(tf):
    x = tf.constant(3.0, name="x")
    made = []

    def branch():
        made.append(tf.square(x, name="within"))
        return made[0]

    tf.cond(tf.placeholder_with_default(True, []), lambda: x + 1.0, branch)
    return lambda sess: sess.run(made[0])


def unfetchable(tf):
    a = tf.constant(1.0, name="a")
    tf.get_default_graph().prevent_fetching(a.op)
    return a.op


def eval_without_session(tf):
    return tf.constant(1.0).eval()


def run_without_session(tf):
    return tf.no_op().run()


def variable_eval_without_session(tf):
    return tf.Variable(1.0).eval()


def eval_in_another_graph(tf):
    with tf.Graph().as_default():
        other = tf.constant(1.0)

    def use(sess):
        with sess.as_default():
            return other.eval()

    return use


def callable_of_none(tf):
    return lambda sess: sess.make_callable(None)
