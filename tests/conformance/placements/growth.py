"""Graphs that grow between runs: stateful nodes stay, the others are placed again."""

DEVICES = {"CPU": 3}


def more_nodes(tf):
    a = tf.square(tf.placeholder(tf.float32, []), name="a")
    yield
    with tf.device("/cpu:1"):
        tf.square(a, name="b")
    yield
    tf.square(a, name="c")


def generator_moves(tf):
    a = tf.constant(1.0, name="a")
    yield
    with tf.device("/cpu:2"):
        tf.square(a, name="b")


def variable_stays(tf):
    v = tf.Variable(1.0, name="v")
    w = tf.get_variable("w", [], use_resource=True)
    yield
    u = tf.assign_add(v, 1.0, name="u")
    with tf.device("/cpu:2"):
        w.assign_add(1.0)
        tf.square(u)


def variable_cannot_follow(tf):
    v = tf.Variable(1.0, name="v")
    yield
    tf.assign_add(v, 1.0, name="u").op._set_device("/cpu:2")


def random_numbers_stay(tf):
    r = tf.random_uniform([2])
    yield
    with tf.device("/cpu:1"):
        tf.square(r)


def asked_too_late(tf):
    a = tf.square(tf.placeholder(tf.float32, []), name="a")
    yield
    a.op._set_device("/cpu:1")
    tf.square(a, name="b")
    with tf.device("/cpu:2"):
        tf.square(a, name="c")


def late_error(tf):
    a = tf.square(2.0, name="a")
    yield
    with tf.device("/cpu:7"):
        tf.square(a, name="b")
