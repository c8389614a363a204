"""validate_args and allow_nan_stats: the assertions added to the graph, with valid values."""

import numpy as np


def build(tf):
    d = tf.distributions
    p = tf.placeholder(tf.float32, [None], name="p")
    rows = tf.placeholder(tf.float32, [None, None], name="rows")
    strict = {"validate_args": True, "allow_nan_stats": False}
    normal = d.Normal(p, p, **strict)
    uniform = d.Uniform(p, p + 1.0, **strict)
    gamma = d.Gamma(p, p, **strict)
    beta = d.Beta(p, p, **strict)
    student = d.StudentT(p, p, p, **strict)
    coin = d.Bernoulli(probs=p / 10.0, **strict)
    by_rows = d.Categorical(probs=rows, **strict)
    by_logits = d.Categorical(logits=rows, validate_args=True, dtype=tf.int64)
    mix = d.Dirichlet(rows, **strict)
    counted = d.DirichletMultinomial(3.0, rows, **strict)
    many = d.Multinomial(3.0, probs=rows, validate_args=True)
    count = tf.constant([1.0, 0.0, 2.0])
    values = [
        normal.log_prob(1.0),
        normal.kl_divergence(normal),
        uniform.prob(2.5),
        gamma.prob([0.5]),
        gamma.mode(),
        gamma.cdf(0.5),
        d.Exponential(p, validate_args=True).prob(1.0),
        d.Laplace(p, p, validate_args=True).prob(1.0),
        beta.log_prob(0.5),
        beta.mode(),
        student.mean(),
        student.variance(),
        coin.log_prob(1),
        coin.log_prob(1.0),
        by_rows.log_prob([1, 2]),
        by_rows.log_prob(np.int64(2)),
        by_rows.prob(1.0),
        by_rows.cdf([2]),
        by_logits.sample(2, seed=1),
        mix.prob([0.25, 0.25, 0.5]),
        counted.prob(count),
        many.prob(count),
    ]
    mode = d.Dirichlet(rows * 10.0, allow_nan_stats=False).mode()
    feed = {p: [3.0, 4.0], rows: [[0.5, 0.25, 0.25], [0.125, 0.5, 0.375]]}
    return {"steps": [("values", values, feed), ("mode", mode, {rows: feed[rows]})]}
