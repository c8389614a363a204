"""tf.contrib.layers and slim: argument scopes, formats, mismatched ranks and sizes, training without variables."""


def images(tf, shape=(2, 6, 6, 4), dtype="float32"):
    return tf.placeholder(dtype, shape, name="x")


def layers(tf, part="layers"):
    return getattr(tf.contrib, part)


def scope_of_a_function_alone(tf):
    with tf.contrib.framework.arg_scope(tf.contrib.layers.conv2d):
        pass


def scope_of_a_plain_function(tf):
    with tf.contrib.framework.arg_scope([len], x=3):
        pass


def scope_again_with_arguments(tf):
    with tf.contrib.framework.arg_scope([tf.contrib.layers.conv2d], stride=2) as scope:
        with tf.contrib.framework.arg_scope(scope, stride=1):
            pass


def unknown_argument_of_a_scope(tf):
    with tf.contrib.framework.arg_scope([tf.contrib.layers.conv2d], quickness=2):
        return layers(tf).conv2d(images(tf), 2, 3)


def used_twice_in_a_scope(tf):
    layers(tf).conv2d(images(tf), 2, 3, scope="conv")
    return layers(tf).conv2d(images(tf), 2, 3, scope="conv")


def optimizer_of_unknown_name(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 0.1, "Newton")


def optimizer_without_rate(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, None, "Adam")


def rate_that_is_an_integer(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 1, "SGD")


def unknown_summary(tf):
    loss = tf.reduce_sum(layers(tf).linear(images(tf), 2))
    return layers(tf).optimize_loss(loss, None, 0.1, "SGD", summaries=["all"])


def factors_of_gradients_in_a_list(tf):
    pairs = [(tf.constant(1.0), tf.Variable(1.0))]
    return tf.contrib.slim.learning.multiply_gradients(pairs, [2.0])


def cell_of_another_rank(tf):
    cell = tf.contrib.rnn.Conv2DLSTMCell
    return cell(input_shape=[3, 2], output_channels=2, kernel_shape=[3, 3])
