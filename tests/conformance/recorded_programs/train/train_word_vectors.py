"""Word vectors with sampled negatives by hand: embeddings, sparse gradients, Adagrad."""

import numpy as np


def build(tf):
    rng = np.random.RandomState(5)
    words, size = 12, 4
    centers = tf.placeholder(tf.int32, [None], name="centers")
    contexts = tf.placeholder(tf.int32, [None, 1], name="contexts")
    negatives = tf.placeholder(tf.int32, [5], name="negatives")
    embeddings = tf.Variable(tf.random_uniform([words, size], -1.0, 1.0), name="embeddings")
    weights = tf.Variable(tf.truncated_normal([words, size], stddev=0.5), name="weights")
    biases = tf.Variable(tf.zeros([words]), name="biases")
    embedded = tf.nn.embedding_lookup(embeddings, centers)
    labels = tf.reshape(contexts, [-1])
    true = tf.reduce_sum(embedded * tf.nn.embedding_lookup(weights, labels), 1)
    true += tf.nn.embedding_lookup(biases, labels)
    false = tf.matmul(embedded, tf.nn.embedding_lookup(weights, negatives), transpose_b=True)
    false += tf.nn.embedding_lookup(biases, negatives)
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    loss = tf.reduce_mean(
        cross(labels=tf.ones_like(true), logits=true)
        + tf.reduce_sum(cross(labels=tf.zeros_like(false), logits=false), 1)
    )
    train = tf.train.AdagradOptimizer(0.5).minimize(loss)
    norm = tf.sqrt(tf.reduce_sum(tf.square(embeddings), 1, keep_dims=True))
    normalized = embeddings / norm
    similarity = tf.matmul(tf.nn.embedding_lookup(normalized, [0, 1]), normalized, transpose_b=True)
    steps = [("init", tf.global_variables_initializer())]
    for k in range(6):
        feed = {
            centers: rng.randint(0, words, 8),
            contexts: rng.randint(0, words, [8, 1]),
            negatives: rng.randint(0, words, 5),
        }
        steps += [(f"train {k}", [train, loss], feed)]
    return {"steps": steps + [("end", [embeddings, weights, biases, similarity])]}
