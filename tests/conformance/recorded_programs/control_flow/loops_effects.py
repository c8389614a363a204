"""Side effects in loops: assignments in order, variables read in them, asserts, random numbers."""


def build(tf):
    tf.set_random_seed(3)
    v = tf.Variable(1.0, name="v")
    r = tf.get_variable("r", initializer=[0.0, 0.0], use_resource=True)
    table = tf.Variable(tf.zeros([4]), name="table")

    def add(i):
        with tf.control_dependencies([tf.assign_add(v, tf.cast(i, tf.float32))]):
            return i + 1

    added = tf.while_loop(lambda i: i < 5, add, [tf.constant(0)])

    def ordered(i):
        with tf.control_dependencies([v.assign(v.read_value() * 2.0)]):
            with tf.control_dependencies([tf.assign_add(v, 1.0)]):
                return tf.identity(i) + 1

    doubled = tf.while_loop(lambda i: i < 3, ordered, [tf.constant(0)], name="doubled")

    def resource(i, seen):
        with tf.control_dependencies([r.assign_add([1.0, 2.0])]):
            return i + 1, seen + r.read_value()

    resources = tf.while_loop(
        lambda i, s: i < 4, resource, [0, tf.zeros([2])], parallel_iterations=1, name="resources"
    )

    def scatter(i):
        with tf.control_dependencies([tf.scatter_add(table, [i % 4], [tf.cast(i, tf.float32)])]):
            return i + 1

    scattered = tf.while_loop(lambda i: i < 9, scatter, [tf.constant(0)], name="scattered")
    reads = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a + v), (0, 0.0), name="reads")

    def checked(i):
        with tf.control_dependencies([tf.Assert(i < 10, [i]), tf.assert_less(i, 20)]):
            return i + 1

    asserted = tf.while_loop(lambda i: i < 5, checked, [tf.constant(0)], name="asserted")
    drawn = tf.while_loop(
        lambda i, a: i < 3,
        lambda i, a: (i + 1, a + tf.random_uniform([2], seed=5) + tf.random_normal([2])),
        (0, tf.zeros([2])),
        name="drawn",
    )

    def made(i):
        w = tf.get_variable("w", [], initializer=tf.ones_initializer())
        return i + w

    variables = tf.while_loop(lambda i: i < 3.0, made, [tf.constant(0.0)], name="variables")
    steps = [("init", tf.global_variables_initializer())]
    steps += [("added", added), ("v", v), ("doubled", doubled), ("v", v)]
    steps += [("resources", resources), ("r", r), ("scattered", scattered), ("table", table)]
    steps += [("others", [reads, asserted, variables])]
    steps += [("drawn", drawn), ("again", drawn)]
    return {"steps": steps}
