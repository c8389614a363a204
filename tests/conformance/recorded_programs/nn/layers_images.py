"""Image layers: convolution, pools, batch normalization, dropout, flatten; a network trained for 20 steps."""

import numpy as np


def build(tf):
    tf.set_random_seed(5)
    layers = tf.layers
    x = tf.placeholder(tf.float32, [None, 8, 8, 3], name="x")
    labels = tf.placeholder(tf.int32, [None], name="labels")
    training = tf.placeholder_with_default(False, [], name="training")
    l2 = tf.contrib.layers.l2_regularizer(0.01)
    hidden = layers.conv2d(x, 6, 3, padding="same", activation=tf.nn.relu, kernel_regularizer=l2)
    hidden = layers.batch_normalization(hidden, training=True)
    hidden = layers.max_pooling2d(tf.nn.relu(hidden), 2, 2)
    hidden = layers.conv2d(hidden, 4, (3, 2), strides=(1, 2), use_bias=False, name="second")
    hidden = layers.batch_normalization(hidden, training=training, momentum=0.9, fused=False)
    hidden = layers.average_pooling2d(hidden, [2, 1], [1, 1], padding="SAME")
    hidden = layers.flatten(hidden)
    hidden = layers.dropout(hidden, 0.4, seed=3, training=training)
    hidden = layers.dense(hidden, 7, name="dense")
    hidden = layers.batch_normalization(hidden, training=True, name="norm")
    logits = layers.dense(layers.dropout(tf.nn.relu(hidden), training=True), 3)
    loss = tf.reduce_mean(
        tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    )
    loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        train = tf.train.MomentumOptimizer(0.05, 0.9).minimize(loss)
    rng = np.random.RandomState(3)
    feed = {x: rng.randn(6, 8, 8, 3), labels: rng.randint(0, 3, 6), training: True}
    steps = [("initialize", tf.global_variables_initializer())]
    for number in range(20):
        steps += [(f"train {number}", [train, loss], feed)]
    # Gradients of biases before normalizations are only noise.
    kept = [v for v in tf.global_variables() if "bias" not in v.name]
    steps += [("variables", kept), ("logits", logits, {x: feed[x]})]
    facts = {
        "trainable": [v.name for v in tf.trainable_variables()],
        "updates": [v.name for v in tf.get_collection(tf.GraphKeys.UPDATE_OPS)],
    }
    return {"facts": facts, "steps": steps}


TOLERANCE = 1e-3  # another summation order, over 20 steps
