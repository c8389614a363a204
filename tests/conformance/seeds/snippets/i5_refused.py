import tfmini as tf


def refused(make):
    try:
        make()
    except (ValueError, TypeError) as error:
        print(type(error).__name__, str(error).split("Originally")[0])


refused(lambda: tf.get_variable("w", [None, 3]))
refused(lambda: tf.get_variable("no_shape"))
refused(lambda: tf.get_variable(tf.truncated_normal([2, 3])))
refused(lambda: tf.get_variable("x", [3], initializer=tf.orthogonal_initializer()))
refused(lambda: tf.Variable())
with tf.variable_scope("once"):
    tf.get_variable("w", [1])


def again():
    with tf.variable_scope("once", reuse=False):
        tf.get_variable("w", [1])


refused(again)
print(tf.Variable(tf.truncated_normal([2, 3])).name)
