"""Wide features: a logistic regression on sparse rows and a factorization of their pairs."""

import numpy as np


def build(tf):
    features = tf.sparse_placeholder(tf.float32, [None, 8], name="features")
    labels = tf.placeholder(tf.float32, [None, 1], name="labels")
    weights = tf.get_variable("weights", [8, 1], initializer=tf.zeros_initializer())
    factors = tf.get_variable(
        "factors", [8, 3], initializer=tf.random_normal_initializer(stddev=0.1)
    )
    bias = tf.Variable(0.0, name="bias")
    linear = tf.sparse_tensor_dense_matmul(features, weights) + bias
    squares = tf.SparseTensor(features.indices, tf.square(features.values), features.dense_shape)
    sums = tf.square(tf.sparse_tensor_dense_matmul(features, factors))
    pairs = sums - tf.sparse_tensor_dense_matmul(squares, tf.square(factors))
    logits = linear + 0.5 * tf.reduce_sum(pairs, 1, keepdims=True)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    train = tf.train.AdagradOptimizer(0.3).minimize(loss)
    norm = tf.sparse_reduce_sum(squares, 1)

    random = np.random.RandomState(3)
    dense = random.randn(6, 8).astype("f") * (random.rand(6, 8) < 0.4)
    dense[:, 0] = 1.0
    places = np.argwhere(dense)
    value = tf.SparseTensorValue(places, dense[tuple(places.T)], dense.shape)
    feed = {features: value, labels: (dense.sum(1, keepdims=True) > 1).astype("f")}
    steps = [("init", tf.global_variables_initializer()), ("norm", norm, feed)]
    for _ in range(4):
        steps += [("train", [train, loss], feed), ("variables", [weights, factors, bias])]
    return {"steps": steps}


TOLERANCE = 2e-5  # float32; the furthest value was off by less than 5e-6
