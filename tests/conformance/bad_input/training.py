"""Gradients and optimizers without variables, of invalid kinds, with missing gradients."""


def loss_of_integers(tf):
    v = tf.Variable(1, name="v")
    return tf.train.GradientDescentOptimizer(0.1).minimize(v * v)


def only_constants_given(tf):
    a = tf.constant(1.0)
    return tf.train.GradientDescentOptimizer(0.1).minimize(a * a, var_list=[a])


def apply_another_shape(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    return tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.zeros([3]), v)])


def gradient_registered_twice(tf):
    tf.RegisterGradient("BadInputTwice")(lambda op, grad: grad)
    tf.RegisterGradient("BadInputTwice")(lambda op, grad: grad)


def gradient_overridden_by_nothing(tf):
    a = tf.constant([1.0, 2.0])
    with tf.get_default_graph().gradient_override_map({"Tanh": "NeverRegistered"}):
        b = tf.tanh(a)
    return tf.gradients(b, a)


def gradient_override_of_no_dict(tf):
    with tf.get_default_graph().gradient_override_map(["Tanh"]):
        return tf.tanh(1.0)


def custom_gradient_of_another_length(tf):
    @tf.custom_gradient
    def twice(a, b):
        return a * b, lambda dy: (dy,)

    a = tf.constant(2.0)
    return tf.gradients(twice(a, a * 3.0), a)


def global_step_of_text(tf):
    v = tf.Variable(1.0, name="v")
    step = tf.Variable("a", name="step", trainable=False)
    return tf.train.GradientDescentOptimizer(0.1).minimize(v * v, global_step=step)
