"""Gradients of loops whose body reads, creates and writes variables; training through them."""

import numpy as np


def build(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    y = tf.placeholder(tf.float32, [4, 2], name="y")
    r = tf.get_variable("r", initializer=[[0.5, -0.2, 0.1]], use_resource=True)
    v = tf.Variable([[1.0, 0.3, -0.4]], name="v")
    calls = tf.Variable(0, name="calls", trainable=False)

    def reading(i, h):
        return i + 1, tf.sigmoid(h * r.read_value() + v.read_value() * r)

    read = tf.while_loop(lambda i, h: i < 3, reading, [0, x], name="reading")[1]
    fetches = [tf.gradients(read, [r, v, x])]

    def layer(i, h):
        with tf.variable_scope("layer", reuse=tf.AUTO_REUSE):
            w = tf.get_variable("w", [3, 3], initializer=tf.random_uniform_initializer(-0.5, 0.5))
            b = tf.get_variable("b", [3], initializer=tf.constant_initializer(0.1))
        with tf.control_dependencies([tf.assign_add(calls, 1)]):
            return i + 1, tf.nn.relu(tf.nn.xw_plus_b(h, w, b)) + tf.nn.l2_normalize(h, 1)

    hidden = tf.while_loop(lambda i, h: i < 4, layer, [0, x * v], name="hidden")[1]
    w_out = tf.get_variable("w_out", [3, 2], initializer=tf.glorot_uniform_initializer())
    logits = tf.matmul(hidden, w_out)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    loss += tf.reduce_sum(tf.square(read)) * 0.01
    optimizer = tf.train.AdamOptimizer(0.05)
    pairs = optimizer.compute_gradients(loss)
    clipped, norm = tf.clip_by_global_norm([g for g, _ in pairs], 5.0)
    train = optimizer.apply_gradients(zip(clipped, [variable for _, variable in pairs]))
    fetches.append([g for g, _ in pairs])
    second = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss, var_list=[r, v])
    rng = np.random.RandomState(3)
    feed = {x: rng.randn(4, 3).astype("f"), y: np.eye(2)[[0, 1, 1, 0]]}
    steps = [("init", tf.global_variables_initializer())]
    steps += [(str(i), fetch, feed) for i, fetch in enumerate(fetches)]
    for _ in range(3):
        steps += [("train", train, feed), ("second", second, feed), ("loss", [loss, norm], feed)]
    steps += [("calls", calls), ("trained", tf.trainable_variables())]
    return {"steps": steps}
