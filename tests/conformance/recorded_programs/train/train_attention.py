"""Handwritten multi-head attention: batch products, masks, layer normalization, position encodings."""

import numpy as np

TOLERANCE = 1e-4  # float32; the maximum difference was below 2e-5


def build(tf):
    rng = np.random.RandomState(9)
    batch, length, size, heads, words = 2, 4, 6, 2, 9
    ids = tf.placeholder(tf.int32, [None, length], name="ids")
    labels = tf.placeholder(tf.int32, [None, length], name="labels")
    table = tf.get_variable(
        "table", [words, size], initializer=tf.random_normal_initializer(0.0, 0.1)
    )
    places = np.arange(length)[:, None] / 10.0 ** (np.arange(size) / size)
    position = tf.constant(
        np.where(np.arange(size) % 2, np.cos(places), np.sin(places)), tf.float32
    )
    x = tf.nn.embedding_lookup(table, ids) * size**0.5 + position[tf.newaxis]
    mask = tf.cast(tf.not_equal(ids, 0), tf.float32)

    def project(value, name, units=size):
        with tf.variable_scope(name):
            w = tf.get_variable("w", [size, units])
            flat = tf.matmul(tf.reshape(value, [-1, size]), w)
            return tf.reshape(flat, [-1, length, units])

    def split_heads(value):
        return tf.transpose(tf.reshape(value, [-1, length, heads, size // heads]), [0, 2, 1, 3])

    def normalized(value, name):
        with tf.variable_scope(name):
            mean, variance = tf.nn.moments(value, axes=[-1], keep_dims=True)
            gain = tf.get_variable("gain", [size], initializer=tf.ones_initializer())
            bias = tf.get_variable("bias", [size], initializer=tf.zeros_initializer())
            return (value - mean) * tf.rsqrt(variance + 1e-6) * gain + bias

    with tf.variable_scope("attention"):
        query, key, value = (split_heads(project(x, name)) for name in ("q", "k", "v"))
        scores = tf.matmul(query, key, transpose_b=True) / tf.sqrt(
            tf.cast(size // heads, tf.float32)
        )
        scores += (1.0 - mask[:, tf.newaxis, tf.newaxis, :]) * -1e9
        weights = tf.nn.softmax(scores)
        mixed = tf.transpose(tf.matmul(weights, value), [0, 2, 1, 3])
        mixed = project(tf.reshape(mixed, [tf.shape(ids)[0], length, size]), "out")
    hidden = normalized(x + mixed, "first")
    with tf.variable_scope("forward"):
        grown = project(hidden, "up", 8)
        gelu = (
            0.5
            * grown
            * (1.0 + tf.tanh(np.sqrt(2 / np.pi) * (grown + 0.044715 * tf.pow(grown, 3))))
        )
        down = tf.tensordot(gelu, tf.get_variable("down", [8, size]), axes=[[2], [0]])
    hidden = normalized(hidden + down, "second")
    logits = tf.tensordot(hidden, tf.transpose(table), 1)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_sum(each * mask) / tf.maximum(tf.reduce_sum(mask), 1.0)
    smoothed = tf.one_hot(labels, words) * 0.9 + 0.1 / words
    soft = tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits_v2(labels=smoothed, logits=logits)
    )
    step = tf.train.get_or_create_global_step()
    late = tf.cast(step, tf.float32) + 1.0
    rate = size**-0.5 * tf.minimum(late**-0.5, late * 4.0**-1.5)
    optimizer = tf.train.AdamOptimizer(rate, beta2=0.98, epsilon=1e-9)
    gradients, variables = zip(*optimizer.compute_gradients(loss + 0.1 * soft))
    gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
    train = optimizer.apply_gradients(zip(gradients, variables), global_step=step)
    feed = {ids: [[1, 2, 3, 0], [4, 5, 0, 0]], labels: rng.randint(0, words, [batch, length])}
    steps = [("init", tf.global_variables_initializer()), ("weights", weights, feed)]
    steps += [(f"train {k}", [train, norm], feed) for k in range(4)] + [
        ("loss", [loss, soft], feed)
    ]
    return {"steps": steps + [("end", [list(variables), step])]}
