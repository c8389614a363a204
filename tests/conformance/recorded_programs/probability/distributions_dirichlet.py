"""Dirichlet and multinomial distributions: vector events, their covariances."""

import numpy as np

METHODS = ("mean", "variance", "stddev", "covariance", "batch_shape_tensor", "event_shape_tensor")
TOLERANCE = 2e-5  # float32; the maximum difference was below 5e-6


def build(tf):
    d = tf.distributions
    alpha = tf.placeholder(tf.float32, [None, 3], name="alpha")
    anything = tf.placeholder(tf.float64, name="anything")
    mixes = [d.Dirichlet([1.0, 2.0, 3.0]), d.Dirichlet(alpha, name="fed"), d.Dirichlet(anything)]
    counts = [
        d.DirichletMultinomial(4.0, alpha),
        d.DirichletMultinomial(np.array([2.0, 3.0]), np.array([[1.0, 2.0], [3.0, 0.5]])),
        d.Multinomial(4.0, logits=alpha),
        d.Multinomial([2.0, 4.0], probs=[0.2, 0.3, 0.5], name="by_probs"),
    ]
    statistics = [getattr(one, m)() for one in mixes + counts[:1] + counts[2:] for m in METHODS]
    statistics += [mix.entropy() for mix in mixes] + [mixes[0].mode()]
    statistics += [counts[1].batch_shape_tensor(), counts[1].is_scalar_batch()]
    statistics += [mixes[2].is_scalar_batch(), mixes[0].is_scalar_event("named")]
    samples = [mix.sample(2, seed=6) for mix in mixes] + [mixes[1].sample()]
    samples += [counts[0].sample(seed=7), counts[0].sample([2, 3], seed=8), mixes[2].sample([1, 2])]
    x = np.array([0.2, 0.3, 0.5], np.float32)
    n = np.array([1.0, 0.0, 3.0], np.float32)
    values = [mixes[0].log_prob(x), mixes[1].prob(x), mixes[2].log_prob(x.astype(float))]
    values += [one.log_prob(n) for one in (counts[0], counts[2], counts[3])]
    values += [one.prob(n) for one in (counts[0], counts[2], counts[3])]
    between = [mixes[1].kl_divergence(mixes[0]), mixes[0].cross_entropy(mixes[1])]
    slopes = tf.gradients([samples[1], between[0]] + values[1:2] + values[3:5], [alpha])
    feed = {alpha: [[1.0, 1.5, 2.0], [5.0, 4.0, 3.0]], anything: [[[0.5, 1.0, 2.0]]]}
    return {
        "facts": {
            "text": [str(one) for one in mixes + counts],
            "parameters": [sorted(one.parameters) for one in mixes + counts],
        },
        "steps": [
            ("statistics", statistics, feed),
            ("samples", samples, feed),
            ("values", values, feed),
            ("between", between, feed),
            ("slopes", slopes, feed),
        ],
    }
