"""Variables uninitialised, made twice, missing, without names, of other shapes and dtypes."""


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


CASES = {
    "fetch_uninitialized": lambda tf: tf.get_variable("scope/w", [2, 2]),
    "read_uninitialized_resource": lambda tf: tf.get_variable("r", [2], use_resource=True) + 1.0,
    "get_with_an_empty_name": lambda tf: tf.get_variable("", [1]),
    "get_with_value_and_shape": lambda tf: tf.get_variable("w", [2], initializer=tf.ones([2])),
    "get_with_float_initializer_as_int": lambda tf: tf.get_variable(
        "w", [2], tf.int32, tf.random_normal_initializer()
    ),
    "constant_of_another_shape": lambda tf: tf.get_variable(
        "w", [3], initializer=tf.constant_initializer([1, 2], verify_shape=True)
    ),
    "constant_too_long": lambda tf: tf.get_variable(
        "w", [2], initializer=tf.constant_initializer([1, 2, 3])
    ),
    "constant_of_no_value": lambda tf: tf.constant_initializer({"a": 1}),
    "orthogonal_of_a_vector": lambda tf: tf.get_variable(
        "w", [3], initializer=tf.orthogonal_initializer()
    ),
    "variable_without_value": lambda tf: tf.Variable(),
    "variable_of_unknown_shape": lambda tf: tf.Variable(tf.placeholder(tf.float32)),
    "variable_with_collections_as_text": lambda tf: tf.Variable(1.0, collections="mine"),
    "assign_of_another_shape": lambda tf: tf.Variable([1.0, 2.0], name="v").assign([1.0, 2.0, 3.0]),
    "assign_to_a_slice_of_a_tensor": lambda tf: tf.zeros([2])[0].assign(1.0),
    "iterate_over_a_variable": lambda tf: list(tf.Variable([1.0, 2.0], name="v")),
    "scatter_of_another_shape": lambda tf: tf.scatter_add(
        tf.Variable([[1.0], [2.0]], name="v"), [0], [[1.0, 2.0]]
    ),
    "load_without_session": lambda tf: tf.Variable([1.0, 2.0], name="v").load([1.0]),
    "partitioner_that_returns_nonsense": lambda tf: tf.get_variable(
        "w", [4, 4], partitioner=lambda shape, dtype: [2, 2]
    ),
    "partitioner_that_returns_too_few": lambda tf: tf.get_variable(
        "w", [4, 4], partitioner=lambda shape, dtype: [2]
    ),
    "average_of_an_integer": lambda tf: tf.train.ExponentialMovingAverage(0.9).apply(
        [tf.Variable(1, name="n")]
    ),
}
