"""Two LSTM layers unrolled by hand with shared variables, gradients clipped, Adam."""

import numpy as np

TOLERANCE = 2e-5  # float32; the furthest value was off by less than 5e-6


def build(tf):
    rng = np.random.RandomState(2)
    batch, length, size, words = 3, 5, 4, 7
    text = rng.randint(0, words, [batch, length + 1])
    inputs = tf.placeholder(tf.int32, [batch, length], name="inputs")
    targets = tf.placeholder(tf.int32, [batch, length], name="targets")
    embedding = tf.get_variable("embedding", [words, size])
    steps_in = tf.unstack(tf.nn.embedding_lookup(embedding, inputs), axis=1)

    def cell(x, state):
        c, h = state
        kernel = tf.get_variable("kernel", [2 * size, 4 * size])
        bias = tf.get_variable("bias", [4 * size], initializer=tf.zeros_initializer())
        gates = tf.nn.bias_add(tf.matmul(tf.concat([x, h], 1), kernel), bias)
        i, j, f, o = tf.split(gates, num_or_size_splits=4, axis=1)
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
        return h, (c, h)

    states = [(tf.zeros([batch, size]), tf.zeros([batch, size])) for _ in range(2)]
    outputs = []
    with tf.variable_scope("rnn"):
        for t, x in enumerate(steps_in):
            if t > 0:
                tf.get_variable_scope().reuse_variables()
            for k in range(2):
                with tf.variable_scope(f"layer{k}"):
                    x, states[k] = cell(x, states[k])
            outputs.append(x)
    flat = tf.reshape(tf.concat(outputs, 1), [-1, size])
    with tf.variable_scope("softmax"):
        w = tf.get_variable("w", [size, words])
        b = tf.get_variable("b", [words])
    logits = tf.matmul(flat, w) + b
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(
        labels=tf.reshape(targets, [-1]), logits=logits
    )
    cost = tf.reduce_sum(loss) / batch
    variables = tf.trainable_variables()
    gradients, norm = tf.clip_by_global_norm(tf.gradients(cost, variables), 5.0)
    train = tf.train.AdamOptimizer(0.05).apply_gradients(zip(gradients, variables))
    feed = {inputs: text[:, :-1], targets: text[:, 1:]}
    steps = [("init", tf.global_variables_initializer()), ("gradients", gradients, feed)]
    steps += [(f"train {k}", [train, cost, norm], feed) for k in range(6)]
    return {"steps": steps + [("end", [variables, states], feed)]}
