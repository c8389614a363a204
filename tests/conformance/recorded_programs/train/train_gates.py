"""Recurrent gates by hand with time-major inputs, masks by length, last relevant output, highway."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(11)
    batch, length, size, classes = 3, 4, 5, 2
    x = tf.placeholder(tf.float32, [batch, length, 2], name="x")
    lengths = tf.placeholder(tf.int32, [batch], name="lengths")
    y = tf.placeholder(tf.float32, [batch, classes], name="y")
    initial = np.sqrt(1.0 / size)
    with tf.variable_scope("gru", initializer=tf.random_uniform_initializer(-initial, initial)):
        w_gates = tf.get_variable("gates/kernel", [2 + size, 2 * size])
        b_gates = tf.get_variable("gates/bias", [2 * size], initializer=tf.ones_initializer())
        w_new = tf.get_variable("candidate/kernel", [2 + size, size])
        b_new = tf.get_variable("candidate/bias", [size], initializer=tf.zeros_initializer())
    state = tf.zeros(tf.stack([tf.shape(x)[0], size]))
    outputs = []
    for t, inputs in enumerate(tf.unstack(tf.transpose(x, [1, 0, 2]))):
        with tf.name_scope(f"step_{t}"):
            gates = tf.sigmoid(tf.matmul(tf.concat([inputs, state], 1), w_gates) + b_gates)
            reset, update = tf.split(value=gates, num_or_size_splits=2, axis=1)
            both = tf.concat([inputs, reset * state], 1)
            new = tf.tanh(tf.nn.bias_add(tf.matmul(both, w_new), b_new))
            grown = update * state + (1 - update) * new
            alive = tf.expand_dims(tf.cast(t < lengths, tf.float32), 1)
            state = alive * grown + (1.0 - alive) * state
            outputs.append(tf.where(t < lengths, grown, tf.zeros_like(grown)))
    stacked = tf.transpose(tf.stack(outputs), [1, 0, 2])
    flat = tf.reshape(stacked, [-1, size])
    last = tf.gather(flat, tf.range(0, batch) * length + (lengths - 1))
    with tf.variable_scope("highway"):
        w_h = tf.get_variable("w_h", [size, size], initializer=tf.orthogonal_initializer(seed=5))
        w_t = tf.get_variable("w_t", [size, size], initializer=tf.glorot_normal_initializer())
        b_t = tf.Variable(tf.constant(-1.0, shape=[size]), name="b_t")
        carry = tf.sigmoid(tf.matmul(last, w_t) + b_t)
        high = tf.nn.elu(tf.matmul(last, w_h)) * carry + last * tf.subtract(1.0, carry)
    out = tf.contrib.layers.xavier_initializer()([size, classes])
    w_out = tf.Variable(out, name="w_out")
    dropped = tf.nn.dropout(high, keep_prob=0.8, seed=2)
    logits = tf.matmul(dropped, w_out)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y))
    decay = sum(0.001 * tf.nn.l2_loss(v) for v in tf.trainable_variables() if "bias" not in v.name)
    step = tf.Variable(0, name="step", trainable=False)
    rate = tf.train.polynomial_decay(0.1, step, 5, 0.01, power=0.5)
    train = tf.train.AdagradOptimizer(rate).minimize(loss + decay, global_step=step)
    feed = {x: rng.randn(batch, length, 2), lengths: [4, 1, 2], y: [[1, 0], [0, 1], [1, 0]]}
    steps = [("init", tf.global_variables_initializer())]
    steps += [("states", [state, last, stacked], feed)]
    steps += [(f"train {k}", [train, loss], feed) for k in range(4)]
    return {"steps": steps + [("end", tf.global_variables())]}
