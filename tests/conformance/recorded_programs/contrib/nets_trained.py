"""Networks with batch normalization and seeded dropout, trained for 20 steps: tf.layers, slim."""

import numpy as np


def plain(tf, x, training):
    maps = tf.layers.conv2d(x, 6, 3, padding="same", use_bias=False, name="first")
    maps = tf.nn.relu(tf.layers.batch_normalization(maps, training=training, momentum=0.9))
    maps = tf.layers.max_pooling2d(maps, 2, 2)
    maps = tf.layers.separable_conv2d(maps, 8, 3, padding="same", activation=tf.nn.relu)
    maps = tf.layers.batch_normalization(maps, training=training, momentum=0.9, renorm=True)
    flat = tf.layers.flatten(maps)
    hidden = tf.layers.dense(flat, 10, tf.nn.relu, kernel_regularizer=tf.nn.l2_loss)
    hidden = tf.layers.dropout(hidden, 0.4, training=training, seed=5)
    return tf.layers.dense(hidden, 3)


def fire(slim, x, squeezed, expanded, scope):
    """A SqueezeNet module: a squeeze layer, then parallel 1x1 and 3x3 filters."""
    few = slim.conv2d(x, squeezed, [1, 1], scope=scope + "/squeeze")
    one = slim.conv2d(few, expanded, [1, 1], scope=scope + "/one")
    three = slim.conv2d(few, expanded, [3, 3], scope=scope + "/three")
    return one, three


def squeezed(tf, x, training):
    slim = tf.contrib.slim
    settings = {"is_training": training, "decay": 0.8, "updates_collections": None}
    regularizer = slim.l2_regularizer(1e-3)
    with slim.arg_scope(
        [slim.conv2d],
        normalizer_fn=slim.batch_norm,
        normalizer_params=settings,
        weights_regularizer=regularizer,
    ):
        maps = slim.conv2d(x, 4, [3, 3], stride=2, scope="start")
        maps = tf.concat(fire(slim, maps, 3, 4, "fire"), 3)
        maps = slim.max_pool2d(maps, [2, 2], scope="pool")
    maps = slim.dropout(maps, 0.7, is_training=training, scope="dropout")
    logits = slim.conv2d(maps, 3, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits")
    return tf.reduce_mean(logits, [1, 2])


def build(tf):
    tf.set_random_seed(11)
    x = tf.placeholder(tf.float32, [6, 8, 8, 2], name="x")
    y = tf.placeholder(tf.int64, [6], name="y")
    training = tf.placeholder(tf.bool, [], name="training")
    made = []
    optimizers = (tf.train.MomentumOptimizer(0.01, 0.9), tf.train.AdamOptimizer(0.005))
    for network, optimizer in zip((plain, squeezed), optimizers):
        with tf.variable_scope(network.__name__) as scope:
            logits = network(tf, x, training)
            data = tf.losses.sparse_softmax_cross_entropy(y, logits)
            penalties = tf.losses.get_regularization_loss(scope.name)
            updates = tf.get_collection(tf.GraphKeys.UPDATE_OPS, scope.name)
            with tf.control_dependencies(updates):
                train = optimizer.minimize(
                    data + 1e-3 * penalties, var_list=scope.trainable_variables()
                )
            made.append((logits, data, train))
    rng = np.random.RandomState(2)
    feed = {x: rng.randn(6, 8, 8, 2).astype(np.float32), y: [0, 1, 2, 2, 1, 0], training: True}
    logits, losses, trains = zip(*made)
    return {
        "facts": {
            "variables": [v.name for v in tf.global_variables()],
            "trainable": [v.name for v in tf.trainable_variables()],
            "updates": [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[(f"train {n}", [*trains, *losses], feed) for n in range(20)],
            ("inference", logits, {**feed, training: False}),
        ],
    }


TOLERANCE = 1e-3  # another summation order, through 20 steps
