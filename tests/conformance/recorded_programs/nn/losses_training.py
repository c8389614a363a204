"""Training by tf.losses: the total of collected losses and penalties, under names and scopes."""

import numpy as np


def build(tf):
    losses = tf.losses
    nothing = losses.get_regularization_loss()
    x = tf.placeholder(tf.float32, [None, 4], name="x")
    y = tf.placeholder(tf.int32, [None], name="y")
    penalty = tf.contrib.layers.l2_regularizer(0.01)
    hidden = tf.layers.dense(x, 5, tf.nn.tanh, kernel_regularizer=penalty)
    with tf.variable_scope("head"):
        logits = tf.layers.dense(hidden, 3, kernel_regularizer=penalty, name="logits")
        loss = losses.sparse_softmax_cross_entropy(y, logits)
        losses.add_loss(0.1 * tf.reduce_mean(tf.square(hidden)))
        losses.add_loss(tf.constant(1.0), "elsewhere")
    total = losses.get_total_loss()
    bare = losses.get_total_loss(add_regularization_losses=False, name="bare")
    head = losses.get_total_loss(scope="head", name="head_total")
    penalties = losses.get_regularization_loss()
    some = losses.get_regularization_loss("head", "some")
    train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(total)
    rng = np.random.RandomState(3)
    feed = {x: rng.rand(6, 4).astype(np.float32), y: [0, 1, 2, 0, 1, 2]}
    steps = [(f"step {i}", [train, total, loss], feed) for i in range(20)]
    return {
        "facts": {
            "losses": [v.name for v in losses.get_losses()],
            "penalties": [v.name for v in losses.get_regularization_losses()],
            "scoped": [v.name for v in losses.get_regularization_losses("head")],
            "elsewhere": [v.name for v in losses.get_losses(None, "elsewhere")],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("sums", [nothing, total, bare, head, penalties, some], feed),
            *steps,
            ("weights", tf.trainable_variables()),
        ],
    }
