"""Activations, initializers, constraints and regularizers by name and config; learning phases, uids, functions."""

import numpy as np

from tests.conformance.scenes import eager_mode, in_own_graph


@in_own_graph
def functions_of_the_backend(tf, stage):
    k = tf.keras.backend
    x, z = k.placeholder((None, 2), name="x"), k.placeholder(shape=(), name="z")
    v = k.variable([1.0, 2.0], name="v")
    y = x * v + z
    updating = k.function(
        [x], [v], updates=[(v, v + tf.reduce_sum(x, 0)), k.update_add(v, [1.0, 1.0])]
    )
    single = k.function([x], x * 2.0)
    more = k.function([z], [z + 1.0], fetches=[z * 3.0], feed_dict={x: [[1.0, 1.0]]})
    seen = []
    more.fetch_callbacks[more.fetches[0]] = seen.append
    stage.attempts(
        lambda: single(["a"]),
        lambda: k.function([x], [y], updates=3),
        lambda: k.eval(tf.SparseTensor([[0]], [1.0], [2])),
        lambda: k.backend(),
    )
    before = k.get_value(v)
    updating([np.array([[1.0, 2.0]])])
    stage.say(np.any(k.get_value(v) != before))
    session = k.get_session()
    stage.say(session.graph is tf.get_default_graph(), k.get_session() is session)
    other = tf.Session()
    k.set_session(other)
    stage.say(k.get_session() is other)
    w = k.variable([3.0])
    k.manual_variable_initialization(True)
    try:
        stage.attempt(lambda: k.get_value(w))
    finally:
        k.manual_variable_initialization(False)
    stage.attempt(lambda: k.get_value(w))
    with tf.Graph().as_default(), eager_mode(tf):
        stage.attempts(lambda: k.get_value(k.variable([1.0])))
