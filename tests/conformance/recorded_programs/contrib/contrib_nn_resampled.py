"""tf.contrib.nn: rank_sampled_softmax_loss, with partitioned weights too; scaled_softplus."""

import numpy as np


def build(tf):
    nn = tf.contrib.nn
    start = np.sin(np.arange(40) * 0.7).astype(np.float32)
    x = tf.get_variable("x", initializer=start[:12].reshape(3, 4))
    labels = tf.constant([[1], [3], [9]], tf.int64)
    offsets = np.cos(np.arange(10)).astype(np.float32)
    whole = tf.get_variable("whole", initializer=start.reshape(10, 4))
    biases = tf.get_variable("biases", initializer=offsets)
    parts = tf.get_variable(
        "parts",
        [10, 4],
        initializer=tf.ones_initializer(),
        partitioner=tf.fixed_size_partitioner(3),
    )
    sampled = (
        tf.constant([1, 5, 9, 2], tf.int64),
        tf.constant([[0.5], [0.1], [0.7]]),
        tf.constant([0.2, 0.9, 0.4, 0.6]),
    )
    warm = tf.constant(0.8)
    losses = [
        nn.rank_sampled_softmax_loss(
            whole, biases, labels, x, 6, 3, 10, 1, None, warm, True, "mod"
        ),
        nn.rank_sampled_softmax_loss(
            whole, biases, labels, x, 6, 3, 10, 1, None, 0.1, False, "div"
        ),
        nn.rank_sampled_softmax_loss(
            parts, biases, labels, x, 4, 2, 10, 1, sampled, warm, True, "mod"
        ),
        nn.rank_sampled_softmax_loss(
            parts, biases, labels, x, 4, 2, 10, 1, sampled, warm, True, "div", "n"
        ),
    ]
    alpha = tf.constant([0.3, 1.0, 2.0, 4.0])
    soft = [
        nn.scaled_softplus(4.0 * x, 2.0),
        nn.scaled_softplus(4.0 * x, alpha),
        nn.scaled_softplus(x, tf.constant([[0.2], [0.5], [1.0]]), clip=0.6),
        nn.scaled_softplus(x, 0.5, clip=tf.constant(1.0), name="clipped"),
    ]
    grads = tf.gradients([*losses, *soft], [x, whole, biases, alpha])
    return {
        "facts": {"shapes": [value.get_shape().as_list() for value in soft]},
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("losses", losses),
            ("soft", soft),
            ("gradients", [tf.convert_to_tensor(grad) for grad in grads]),
        ],
    }
