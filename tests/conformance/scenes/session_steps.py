"""Partial runs, callables, handles, step hooks: repeated calls, calls after errors, and from other sessions."""


def _sums(tf):
    a = tf.placeholder(tf.float32, [], name="a")
    b = tf.placeholder(tf.float32, [], name="b")
    c = tf.placeholder(tf.float32, [], name="c")
    first = tf.add(a, b, name="first")
    second = tf.multiply(first, c, name="second")
    return a, b, c, first, second


def parts_in_turn(tf, stage):
    a, b, c, first, second = _sums(tf)
    with tf.Session() as session:
        step = session.partial_run_setup([first, second], [a, b, c])
        stage.attempt(session.partial_run, step, first, {a: 1, b: 2})
        stage.attempt(session.partial_run, step, second, {c: 4})
        stage.attempt(session.partial_run, step, second, {c: 4})
        again = session.partial_run_setup([first, second], [a, b, c])
        stage.say(again == step)
        stage.attempt(session.partial_run, again, [], {a: 1})
        stage.attempt(session.partial_run, again, [first], {b: 5})
        stage.attempt(session.partial_run, again, {"x": second}, {c: 0.5})
        for key in "xy":
            stage.attempt(session.run, {key: first}, {a: 1, b: 2})


def parts_write_once(tf, stage):
    v = tf.Variable(1.0, name="v")
    x, y = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    add = tf.assign_add(v, x)
    after = add * y
    with tf.Session() as session:
        session.run(v.initializer)
        step = session.partial_run_setup([add.op, after], [x, y])
        stage.attempt(session.partial_run, step, add.op, {x: 5.0})
        stage.attempt(session.run, v)
        stage.attempt(session.partial_run, step, after, {y: 2.0})
        stage.attempt(session.run, v)


def errors_one_after_the_other(tf, stage):
    x = tf.placeholder(tf.int32, [None], name="x")
    parts = {
        "gathered": tf.gather([1, 2, 3], x),
        "divided": tf.div(6, x),
        "shaped": tf.reshape(x, [2, -1]),
        "one_hot": tf.one_hot(x, 3),
        "sum": tf.reduce_sum(x, x[0]),
    }
    with tf.Session() as session:
        for given in ([0, 1], [5], [], [1, 2, 0, 1], [-1]):
            for name in sorted(parts):
                stage.attempt(session.run, parts[name], {x: given})


def nan_and_assert_in_one_run(tf, stage):
    x = tf.placeholder(tf.float32, [], name="x")
    v = tf.Variable(0.0, name="v")
    with tf.control_dependencies([tf.assert_positive(x, message="positive")]):
        put = tf.assign(v, tf.check_numerics(1.0 / x, "divided"))
    with tf.Session() as session:
        session.run(v.initializer)
        for value in (2.0, -1.0, 0.0, float("inf"), 4.0):
            stage.attempt(session.run, put, {x: value})
            stage.attempt(session.run, v)
