"""Word vectors by nce_loss: 20 steps, a learned sampler and the log-uniform one, sparse updates."""

import numpy as np


def build(tf):
    words, width = 30, 6
    centre = tf.placeholder(tf.int32, [8], name="centre")
    around = tf.placeholder(tf.int32, [8, 1], name="around")
    table = tf.get_variable("table", initializer=tf.random_uniform([words, width], -1.0, 1.0))
    start = tf.truncated_normal([words, width], stddev=1.0 / np.sqrt(width))
    weights = tf.Variable(start, name="weights")
    biases = tf.Variable(tf.zeros([words]), name="biases")
    rows = tf.nn.embedding_lookup(table, centre)
    loss = tf.reduce_mean(
        tf.nn.nce_loss(
            weights=weights,
            biases=biases,
            labels=around,
            inputs=rows,
            num_sampled=5,
            num_classes=words,
        )
    )
    seen = tf.nn.learned_unigram_candidate_sampler(
        tf.cast(around, tf.int64), 1, 6, True, words, seed=11
    )
    softmax = tf.reduce_mean(
        tf.nn.sampled_softmax_loss(weights, biases, around, rows, 6, words, sampled_values=seen)
    )
    train = tf.train.GradientDescentOptimizer(0.5).minimize(loss + 0.1 * softmax)
    norm = tf.sqrt(tf.reduce_sum(tf.square(table), 1, keepdims=True))
    normed = table / norm
    similar = tf.matmul(tf.nn.embedding_lookup(normed, [1, 2]), normed, transpose_b=True)
    rng = np.random.RandomState(5)
    feeds = [
        {centre: rng.randint(0, words, 8), around: rng.randint(0, words, (8, 1))} for _ in range(20)
    ]
    return {
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            *[("step", [train, loss, softmax], feed) for feed in feeds],
            ("weights", [table, weights, biases]),
            ("similar", similar),
        ],
    }
