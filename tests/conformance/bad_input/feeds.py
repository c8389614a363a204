"""Feeds that are missing, of another shape or kind, or for unfeedable tensors."""


def of_wrong_rank(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    return x + 1.0, {x: [1.0, 2.0, 3.0]}


def string_for_float(tf):
    x = tf.placeholder(tf.float32, name="x")
    return x + 1.0, {x: "text"}


def large_integer(tf):
    x = tf.placeholder(tf.int32, name="x")
    return x + 1, {x: 2**40}


def ragged_list(tf):
    x = tf.placeholder(tf.float32, name="x")
    return x + 1.0, {x: [[1.0], [1.0, 2.0]]}


def tensor_as_value(tf):
    x = tf.placeholder(tf.float32, name="x")
    return x + 1.0, {x: tf.constant(1.0)}


def operation_name(tf):
    tf.placeholder(tf.float32, name="x")
    return tf.constant(1.0), {"x": 1.0}


def operation(tf):
    x = tf.placeholder(tf.float32, name="x")
    return tf.constant(1.0), {x.op: 1.0}


def tensor_of_another_graph(tf):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
    return tf.constant(1.0), {x: 1.0}


def wrong_predicate_shape(tf):
    p = tf.placeholder(tf.bool, name="p")
    return tf.cond(p, lambda: tf.constant(1), lambda: tf.constant(2)), {p: [True, False]}


def partial_run_fed_twice(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    first, second = x + 1.0, x + y

    def use(sess):
        handle = sess.partial_run_setup([first, second], [x, y])
        sess.partial_run(handle, first, {x: 1.0})
        sess.partial_run(handle, second, {x: 1.0, y: 1.0})

    return use


def partial_run_not_declared(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    first, second = x + 1.0, x + 2.0

    def use(sess):
        handle = sess.partial_run_setup([first], [x])
        sess.partial_run(handle, second, {x: 1.0})

    return use


def partial_run_fetched_twice(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    first, second = x + 1.0, x + y

    def use(sess):
        handle = sess.partial_run_setup([first, second], [x, y])
        sess.partial_run(handle, first, {x: 1.0})
        sess.partial_run(handle, first)

    return use


def partial_run_without_fetches(tf):
    def use(sess):
        sess.partial_run_setup([], [])

    return use


def callable_with_too_few(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def use(sess):
        return sess.make_callable(x + 1.0, [x])()

    return use


def callable_of_wrong_shape(tf):
    x = tf.placeholder(tf.float32, [2], name="x")

    def use(sess):
        return sess.make_callable(x + 1.0, [x])([1.0, 2.0, 3.0])

    return use
