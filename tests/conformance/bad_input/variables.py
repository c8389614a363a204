"""Variables that are uninitialized, duplicated, missing, unnamed, or of other shapes and dtypes."""


def train_uninitialized(tf):
    w = tf.get_variable("w", [2])
    return tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(w * w))


def get_twice(tf):
    tf.get_variable("weights", [1])
    tf.get_variable("weights", [1])


def get_again_without_reuse(tf):
    with tf.variable_scope("test"):
        tf.get_variable("test", [2, 2])
    with tf.variable_scope("test", reuse=False):
        tf.get_variable("test", [2, 2])


def reuse_missing(tf):
    with tf.variable_scope("scope", reuse=True):
        tf.get_variable("w", [1])


def reuse_with_another_shape(tf):
    tf.get_variable("w", [2])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("w", [3])


def reuse_with_another_dtype(tf):
    tf.get_variable("w", [2])
    with tf.variable_scope("", reuse=tf.AUTO_REUSE):
        tf.get_variable("w", [2], tf.float64)


def assign_fed_of_another_shape(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    x = tf.placeholder(tf.float32, name="x")
    return v.assign(x), {x: [1.0]}


def scatter_out_of_range(tf):
    v = tf.Variable([[1.0], [2.0]], name="v")
    with tf.control_dependencies([v.initializer]):
        return tf.scatter_update(v, [5], [[1.0]])


def count_up_past_the_limit(tf):
    v = tf.Variable(3, name="v")
    with tf.control_dependencies([v.initializer]):
        return tf.count_up_to(v, 3)


def load_of_another_shape(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    return lambda sess: v.load([1.0], sess)


def scope_that_is_no_name(tf):
    with tf.variable_scope(5):
        pass


def scope_without_name(tf):
    with tf.variable_scope(None):
        pass


def scope_with_default_name_and_reuse(tf):
    with tf.variable_scope(None, default_name="x", reuse=True):
        pass
