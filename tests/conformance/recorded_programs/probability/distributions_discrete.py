"""Bernoulli and categorical distributions, by logits and probabilities, of static and unknown shapes."""

import numpy as np


def build(tf):
    d = tf.distributions
    scores = tf.placeholder(tf.float32, [None, 3], name="scores")
    any_rank = tf.placeholder(tf.float64, name="any_rank")
    coins = [
        d.Bernoulli(logits=[0.3, -2.0]),
        d.Bernoulli(probs=np.array([[0.25], [0.5]]), dtype=tf.bool, name="half"),
        tf.contrib.distributions.Bernoulli(logits=scores, dtype=tf.float32),
    ]
    classes = [
        d.Categorical(probs=[0.1, 0.6, 0.3]),
        d.Categorical(logits=scores, name="by_logits"),
        d.Categorical(logits=any_rank, dtype=tf.int64),
        d.Categorical(logits=np.arange(6.0).reshape(2, 1, 3), dtype=tf.float64),
    ]
    statistics, samples = [], []
    for coin in coins:
        statistics += [coin.mean(), coin.variance(), coin.stddev(), coin.entropy(), coin.mode()]
    for one in classes:
        statistics += [one.mode(), one.entropy(), one.batch_shape_tensor(), one.event_size]
    for one in coins + classes:
        samples += [one.sample(seed=3), one.sample([2, 2], seed=4)]
    k = tf.placeholder(tf.int32, [None], name="k")
    values = [
        coins[0].log_prob([1, 0]),
        coins[0].prob(1.0),
        coins[0].prob([[0], [1]]),
        coins[1].log_prob(np.array([[1.0, 0.0]])),
        coins[2].log_prob(tf.zeros([2, 3])),
        classes[0].log_prob(k),
        classes[0].prob(2),
        classes[0].cdf([0, 1, 2, 3]),
        classes[1].log_prob(k),
        classes[1].prob([[0], [1]]),
        classes[1].cdf(k),
        classes[2].log_prob([2, 0]),
        classes[2].cdf([1, 2]),
        classes[3].log_prob([[2.0], [1.0]]),
    ]
    between = [
        coins[0].kl_divergence(coins[0].copy(logits=0.0)),
        coins[2].cross_entropy(coins[2]),
        classes[1].kl_divergence(classes[0]),
        classes[0].cross_entropy(classes[1]),
    ]
    advantage = tf.constant([1.0, -0.5])
    loss = -tf.reduce_mean(classes[1].log_prob(k) * advantage + 0.1 * classes[1].entropy())
    slopes = tf.gradients([loss] + between + values[4:5], [scores])
    feed = {scores: [[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]], any_rank: [[0.1, 0.2, 0.9], [4.0, 1, 0]]}
    with_k = dict(feed)
    with_k[k] = [0, 2]
    return {
        "facts": {
            "text": [str(one) for one in coins + classes],
            "kind": repr(coins[0].reparameterization_type),
            "parameters": sorted(classes[0].parameters),
            "shapes": sorted(d.Bernoulli.param_static_shapes([4])),
        },
        "steps": [
            ("statistics", statistics, feed),
            ("samples", samples, feed),
            ("again", samples, feed),
            ("values", values, with_k),
            ("between", between, feed),
            ("slopes", slopes, with_k),
        ],
    }
