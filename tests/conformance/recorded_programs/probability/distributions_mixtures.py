"""Mixtures: of the same family in one batch, and of different families."""

import numpy as np

TOLERANCE = 5e-5  # float32; the maximum difference was below 1e-5


def build(tf):
    c = tf.contrib.distributions
    scores = tf.placeholder(tf.float32, [None, 2], name="scores")
    locs = tf.placeholder(tf.float32, [None, 2], name="locs")
    cat = c.Categorical(probs=[0.3, 0.7])
    by_scores = c.Categorical(logits=scores, name="by_scores")
    one_family = [
        c.MixtureSameFamily(cat, c.Normal([-1.0, 1.0], [0.1, 0.5], name="parts")),
        c.MixtureSameFamily(by_scores, c.Normal(locs, 2.0, name="fed"), name="of_fed"),
        c.MixtureSameFamily(cat, c.Dirichlet([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), name="vectors"),
    ]
    mixed = [
        c.Mixture(cat, [c.Normal(0.0, 1.0), c.Laplace(3.0, 0.5)]),
        c.Mixture(
            c.Categorical(logits=[[0.1, 0.2], [2.0, 1.0], [0.0, 0.0]]),
            [c.Uniform([0.0, 1.0, 2.0], 5.0), c.Normal([0.0, 1.0, 2.0], 1.0)],
            validate_args=True,
            name="checked",
        ),
        c.Mixture(
            by_scores,
            [c.Normal(locs[:, 0], 1.0), c.Logistic(locs[:, 1], 1.0)],
            use_static_graph=True,
            name="static",
        ),
        c.Mixture(by_scores, [c.Normal(locs[:, 0], 1.0), c.Normal(locs[:, 1], 3.0)], name="open"),
        c.Mixture(cat, [c.Dirichlet([1.0, 2.0]), c.Dirichlet([5.0, 5.0])], name="of_vectors"),
    ]
    everything = one_family + mixed
    samples, statistics, values = [], [], []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 2], seed=2)]
        statistics += [one.mean(), one.stddev(), one.batch_shape_tensor()]
        statistics.append(one.event_shape_tensor())
    for one in one_family[:2] + mixed[:1] + mixed[2:4]:
        values += [one.log_prob([[0.5], [1.0]]), one.prob(0.25), one.log_cdf([0.5])]
    values += [one_family[2].log_prob([0.2, 0.3, 0.5]), mixed[4].prob(np.float32([0.25, 0.75]))]
    values += [mixed[1].prob([0.5, 1.0, 4.0])]
    statistics += [one_family[2].covariance(), one_family[2].variance()]
    bounds = [one.entropy_lower_bound() for one in mixed[2:4:2]]
    bounds += [mixed[3].entropy_lower_bound("bound")]
    slopes = tf.gradients(values[3:6] + values[12:15] + bounds[1:], [scores, locs])
    feed = {scores: [[0.5, 1.0], [2.0, -1.0]], locs: [[0.0, 1.0], [2.0, 3.0]]}
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "counts": [one.num_components for one in mixed],
            "parameters": [sorted(one.parameters) for one in everything],
        },
        "steps": [
            ("samples", samples, feed),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("bounds", bounds, feed),
            ("slopes", slopes, feed),
        ],
    }
