"""`tf.get_variable` in graphs: reuse, scope defaults, initializers, partitions, getters, regularizers, collections."""


def partitioned_again(tf, stage):
    two, three = tf.fixed_size_partitioner(2), tf.fixed_size_partitioner(3)

    def after(first, second, reuse):
        with tf.variable_scope("s"):
            tf.get_variable("v", [6], **first)
        with tf.variable_scope("s", reuse=reuse):
            return tf.get_variable("v", **second).name

    cases = {
        "other": lambda: after({"partitioner": two}, {"shape": [6], "partitioner": three}, True),
        "auto_no_partitioner": lambda: after({"partitioner": two}, {"shape": [6]}, tf.AUTO_REUSE),
        "shape": lambda: after({"partitioner": two}, {"shape": [7], "partitioner": two}, True),
        "dtype": lambda: after(
            {"partitioner": two}, {"shape": [6], "dtype": tf.int32, "partitioner": two}, True
        ),
        "not_reused": lambda: after({"partitioner": two}, {"shape": [6], "partitioner": two}, None),
        "whole": lambda: after({}, {"shape": [6], "partitioner": two}, True),
    }
    stage.each(cases)
