"""A network with two hidden layers, dropout, weight decay, clipped gradients, Adam with a decayed rate."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(1)
    images = rng.rand(24, 8).astype(np.float32)
    labels = rng.randint(0, 4, 24)
    x = tf.placeholder(tf.float32, [None, 8], name="x")
    y = tf.placeholder(tf.int64, [None], name="y")
    keep = tf.placeholder_with_default(1.0, [], name="keep")

    def layer(value, size, name, activation=None):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [value.shape[-1], size])
            b = tf.get_variable("b", [size], initializer=tf.constant_initializer(0.1))
            tf.add_to_collection("decay", tf.nn.l2_loss(w))
            result = tf.nn.bias_add(tf.matmul(value, w), b)
            return activation(result) if activation else result

    hidden = tf.nn.dropout(layer(x, 12, "first", tf.nn.relu), keep)
    hidden = tf.nn.dropout(layer(hidden, 10, "second", tf.tanh), keep)
    logits = layer(hidden, 4, "out")
    with tf.name_scope("loss"):
        each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits)
        loss = tf.reduce_mean(each) + 1e-3 * tf.add_n(tf.get_collection("decay"))
    step = tf.train.create_global_step()
    rate = tf.train.exponential_decay(0.01, step, 5, 0.8, staircase=True)
    optimizer = tf.train.AdamOptimizer(rate)
    pairs = optimizer.compute_gradients(loss)
    clipped, norm = tf.clip_by_global_norm([g for g, _ in pairs], 1.0)
    train = optimizer.apply_gradients(zip(clipped, [v for _, v in pairs]), global_step=step)
    accuracy = tf.reduce_mean(tf.to_float(tf.nn.in_top_k(logits, y, 1)))
    with tf.control_dependencies([train]):
        average = tf.train.ExponentialMovingAverage(0.9, step)
        both = average.apply(tf.trainable_variables())
    steps = [("init", tf.global_variables_initializer())]
    for k in range(10):
        rows = slice(8 * (k % 3), 8 * (k % 3) + 8)
        feed = {x: images[rows], y: labels[rows], keep: 0.75}
        steps += [(f"loss {k}", loss, feed), (f"train {k}", [both, norm, rate], feed)]
    feed = {x: images, y: labels}
    steps += [("end", [accuracy, loss, step, tf.trainable_variables()], feed)]
    steps += [("averages", [average.average(v) for v in tf.trainable_variables()])]
    return {"steps": steps}
