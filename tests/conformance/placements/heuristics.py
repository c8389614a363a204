"""Nodes placed with others: generators with their consumer, metadata ops with their input."""

DEVICES = {"CPU": 4}


def generator_of_one(tf):
    a = tf.constant(1.0, name="a")
    with tf.device("/cpu:2"):
        tf.square(a)


def generator_of_two(tf):
    a = tf.constant(1.0, name="a")
    with tf.device("/cpu:2"):
        tf.square(a)
        tf.negative(a)
    b = tf.constant(1.0, name="b")
    with tf.device("/cpu:1"):
        tf.square(b)
    with tf.device("/cpu:3"):
        tf.negative(b)


def generator_of_none(tf):
    tf.constant(1.0, name="a")
    with tf.device("/cpu:3"):
        tf.constant(2.0, name="b")
        tf.square(tf.placeholder(tf.float32, []))


def generator_with_controls(tf):
    a = tf.constant(1.0, name="a")
    b = tf.placeholder(tf.float32, [], name="b")
    with tf.device("/cpu:2"):
        tf.square(a)
        with tf.control_dependencies([b]):
            tf.no_op("after")
    with tf.device("/cpu:3"), tf.control_dependencies([a]):
        tf.no_op("elsewhere")


def generator_of_generator(tf):
    a = tf.constant(1.0, name="a")
    with tf.control_dependencies([a]):
        b = tf.constant(2.0, name="b")
    with tf.device("/cpu:2"):
        tf.square(b)


def generator_that_asks(tf):
    with tf.device("/cpu:1"):
        a = tf.constant(1.0, name="a")
    with tf.device("/cpu:2"):
        tf.square(a)


def generator_in_a_group(tf):
    a = tf.constant(1.0, name="a")
    with tf.colocate_with(a.op):
        b = tf.constant(2.0, name="b")
    with tf.device("/cpu:1"):
        tf.square(a)
    with tf.device("/cpu:2"):
        tf.square(b)


def random_numbers(tf):
    with tf.device("/cpu:2"):
        tf.random_uniform([2, 3], seed=1)
    tf.random_normal([2], seed=2)


def shapes(tf):
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    with tf.device("/cpu:2"):
        y = tf.square(x)
    tf.shape(y, name="shape"), tf.size(y, name="size"), tf.rank(tf.placeholder(tf.float32))
    z = tf.placeholder(tf.float32)
    with tf.device("/cpu:3"):
        z = tf.square(z)
    tf.rank(z, name="rank")
    tf.shape_n([y, z], name="shapes")


def shape_that_asks(tf):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/cpu:2"):
        y = tf.square(x)
    with tf.device("/cpu:1"):
        tf.shape(y, name="shape")
    with tf.device("/cpu:*"):
        tf.size(y, name="size")


def shape_of_a_generator(tf):
    with tf.device("/cpu:1"):
        x = tf.placeholder(tf.float32, [None])
    tf.shape(x, name="shape")


def shape_of_a_variable(tf):
    with tf.device("/cpu:3"):
        v = tf.Variable(tf.ones([2]), validate_shape=False, name="v")
    tf.shape(v, name="shape")
    tf.shape(v._ref(), name="of_the_reference")


def condition(tf):
    x = tf.placeholder(tf.float32, [], name="x")

    def then():
        with tf.device("/cpu:1"):
            return tf.multiply(x, 2.0)

    def otherwise():
        with tf.device("/cpu:2"):
            return tf.constant(1.0)

    with tf.device("/cpu:3"):
        tf.cond(x > 0.0, then, otherwise)


def condition_on_a_variable(tf):
    with tf.device("/cpu:1"):
        v = tf.Variable(1.0, name="v")
        w = tf.get_variable("w", [], use_resource=True)
    x = tf.placeholder(tf.bool, [])
    tf.cond(x, lambda: tf.assign_add(v, 1.0), lambda: w + 1.0)


def summed_gradients(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    with tf.device("/cpu:1"):
        y = tf.reduce_mean(tf.square(x), axis=1)
    with tf.device("/cpu:2"):
        loss = tf.reduce_sum(y)
    tf.gradients(loss, x)


def edges_that_point_back(tf):
    a = tf.placeholder(tf.float32, [], name="a")
    b = tf.square(a, name="b")
    with tf.device("/cpu:2"):
        late = tf.no_op("late")
        tf.square(a, name="d")
    b.op._add_control_input(late)
    tf.square(b, name="c")
