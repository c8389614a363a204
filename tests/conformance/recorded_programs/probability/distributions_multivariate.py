"""Multivariate normals: diagonal, triangular, full covariance and operator scales; batches and unknown shapes."""

import numpy as np

TOLERANCE = 1e-4  # float32; the maximum difference was below 2e-5


def build(tf):
    c = tf.contrib.distributions
    random = np.random.RandomState(6)
    loc = random.uniform(-1, 1, [2, 3]).astype(np.float32)
    deviations = random.uniform(0.5, 2, [2, 3]).astype(np.float32)
    square = random.uniform(-1, 1, [3, 3]).astype(np.float32) + 3 * np.eye(3, dtype=np.float32)
    some_loc = tf.placeholder(tf.float32, [None, 3], name="some_loc")
    some_square = tf.placeholder(tf.float32, name="some_square")
    feed = {some_loc: loc, some_square: np.stack([square, 2 * square])}
    everything = [
        c.MultivariateNormalDiag(loc, deviations[0]),
        c.MultivariateNormalDiag(some_loc, deviations, validate_args=True, name="some"),
        c.MultivariateNormalDiag([1.0, 2.0], scale_identity_multiplier=0.5, name="scaled"),
        c.MultivariateNormalDiag(tf.constant(loc, tf.float64)),
        c.MultivariateNormalDiag(scale_diag=deviations, name="centered"),
        c.MultivariateNormalDiagWithSoftplusScale(loc[0], deviations - 1),
        c.MultivariateNormalTriL(loc, square),
        c.MultivariateNormalTriL(some_loc, some_square, validate_args=True, name="unknown"),
        c.MultivariateNormalTriL(loc[0]),
        c.MultivariateNormalFullCovariance(loc, square.dot(square.T), validate_args=True),
    ]
    samples, values = [], []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 1], seed=2)]
        values += [one.mean(), one.variance(), one.stddev(), one.covariance(), one.mode()]
        values += [one.log_prob(samples[-2]), one.prob(samples[-1]), one.entropy()]
        values += [one.batch_shape_tensor(), one.event_shape_tensor()]
    diag, some, _, _, centered, soft, tril, unknown, _, full = everything
    pairs = [(diag, soft), (tril, full), (some, tril), (unknown, diag)]
    values += [tf.distributions.kl_divergence(a, b) for a, b in pairs]
    values += [centered.cross_entropy(diag)]
    slopes = tf.gradients(
        [diag.log_prob(loc[1]), unknown.log_prob(loc), unknown.sample(seed=3)],
        [diag.loc, some_loc, some_square],
    )
    affine = c.bijectors.AffineLinearOperator([1.0, 2.0, 3.0], tril.scale)
    y = affine.forward(loc)
    values += [y, affine.inverse(square), affine.inverse_log_det_jacobian(square, 1)]
    values += [c.bijectors.AffineLinearOperator().forward(loc)]
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "parameters": [sorted(one.parameters) for one in everything],
            "known": [affine.inverse(y).name, affine.name, tril.scale.name, centered.loc is None],
        },
        "steps": [("samples", samples, feed), ("values", values, feed), ("slopes", slopes, feed)],
    }
