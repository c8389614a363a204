"""Reference variables written in loops, or between a loop and its gradient."""


def build(tf):
    steps = []

    def run(name, variables, fetches):
        steps.append((name, [v.initializer for v in variables]))
        steps.append((name, fetches))
        steps.append((name, variables))

    def counted(name, times, body, *start):
        return tf.while_loop(
            lambda i, *rest: i < times, body, [0, *start], parallel_iterations=1, name=name
        )

    v = tf.Variable(2.0, name="v")

    def squared(i):
        chosen = tf.cond(tf.constant(True), lambda: tf.assign(v, tf.square(v)), lambda: v)
        with tf.control_dependencies([chosen]):
            return i + 1

    run("in_cond", [v], tf.while_loop(lambda i: i < 4, squared, [0], name="in_cond"))

    def now_and_then(i, total):
        odd = tf.equal(i % 2, 1)
        chosen = tf.cond(
            odd, lambda: tf.cond(i > 2, lambda: v.assign(v * v), lambda: v.assign(-v)), lambda: v
        )
        with tf.control_dependencies([chosen]):
            return i + 1, total + v

    run("cond_in_cond", [v], counted("cond_in_cond", 5, now_and_then, 0.0))

    def used(i, total):
        with tf.control_dependencies([tf.assign(v, v * v)]):
            return i + 1, total + v

    run("used", [v], counted("used", 4, used, 0.0))

    def nested(i, total):
        def inner(j):
            with tf.control_dependencies([tf.assign_add(v, v)]):
                return j + 1

        loop = tf.while_loop(lambda j: j < 2, inner, [0], parallel_iterations=1)
        with tf.control_dependencies([loop]):
            return i + 1, total + v

    run("nested", [v], counted("nested", 3, nested, 0.0))

    def read_inside(i, total):
        inner = tf.while_loop(lambda j, t: j < 2, lambda j, t: (j + 1, t + v), [0, 0.0])[1]
        with tf.control_dependencies([inner]):
            with tf.control_dependencies([v.assign(v * 3.0)]):
                return i + 1, total + inner

    run("read_inside", [v], counted("read_inside", 3, read_inside, 0.0))

    def start(i, x):
        with tf.control_dependencies([tf.assign(v, v * 3.0)]):
            return i + 1, x + 1.0

    run("start", [v], counted("start", 4, start, v))

    def given_on(i, x):
        with tf.control_dependencies([x]):
            return i + 1, tf.assign(v, x * 3.0)

    run("given_on", [v], counted("given_on", 4, given_on, v))
    run("given_on", [v], counted("given_on", 0, given_on, v))

    table = tf.Variable([1.0, 2.0, 3.0], name="table")
    filled = tf.while_loop(
        lambda j, _: j < 3,
        lambda j, _: [j + 1, tf.scatter_update(table, j, 10.0)],
        [0, tf.identity(table)],
        parallel_iterations=1,
        name="filled",
    )
    run("filled", [table], filled)

    def swapped(i, a, b):
        with tf.control_dependencies([a, b]):
            with tf.control_dependencies([tf.assign_add(table, [1.0, 0.0, 0.0])]):
                return i + 1, tf.identity(b), tf.identity(a)

    other = tf.Variable([7.0, 8.0, 9.0], name="other")
    run("swapped", [table, other], counted("swapped", 3, swapped, table, other))

    resource = tf.get_variable("resource", initializer=2.0, use_resource=True)

    def kept(i, total):
        with tf.control_dependencies([total]):
            before = resource.read_value()
        with tf.control_dependencies([before]):
            with tf.control_dependencies([resource.assign(resource * resource)]):
                return i + 1, total + before

    run("kept", [resource], counted("kept", 3, kept, resource))

    # The product's gradient uses the variable instead of the value read by the loop.
    y = counted("product", 3, lambda i, x: (i + 1, x * v), 1.0)[1]
    with tf.control_dependencies([y]):
        with tf.control_dependencies([tf.assign(v, 10.0)]):
            seed = tf.identity(1.0)
    run("written_between", [v], [y, tf.gradients(y, v, seed)])

    # The gradient's additions to the loop wait for its outputs.
    mean = tf.Variable(0.0, name="mean")
    x = tf.get_variable("x", initializer=2.0, use_resource=True)
    z = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t * x), [0, 1.0], name="awaited")[1]
    with tf.control_dependencies([tf.assign(mean, z)]):
        train = tf.train.GradientDescentOptimizer(0.1).minimize(z)
    run("awaited", [mean, x], [z, train])
    return {"steps": steps}
