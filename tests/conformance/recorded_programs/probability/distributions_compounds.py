"""Reshaped batches, sinh-arcsinh vectors, quadratures, the Poisson distribution with a log-normal rate."""

import numpy as np

TOLERANCE = 1e-4  # float32


def build(tf):
    c = tf.contrib.distributions
    anything = tf.placeholder(tf.float32, name="anything")
    shape = tf.placeholder(tf.int32, [2], name="shape")
    base = c.Normal([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 2.0, 1.0, 2.0, 1.0, 2.0])
    means = np.float32(np.arange(12).reshape([6, 2]))
    vectors = c.MultivariateNormalDiag(means, means + 1)
    table = c.BatchReshape(base, [2, 3])
    late = c.BatchReshape(base, shape, validate_args=True, name="late")
    pairs = c.BatchReshape(vectors, [3, 2], validate_args=True)
    x = np.float32(np.linspace(-1, 3, 6).reshape([2, 3]))
    values = [
        table.sample(2, seed=1),
        table.log_prob(x),
        table.prob(np.stack([x, x])),
        table.cdf(x),
    ]
    values += [table.mean(), table.stddev(), table.variance(), table.entropy(), table.mode()]
    values += [table.batch_shape_tensor(), table.event_shape_tensor(), table.survival_function(x)]
    values += [
        late.sample(2, seed=2),
        late.log_prob(anything),
        late.mean(),
        late.batch_shape_tensor(),
    ]
    values += [pairs.sample(seed=3), pairs.log_prob(np.float32(np.ones([3, 2, 2])))]
    values += [pairs.covariance(), pairs.mean(), pairs.entropy()]
    bent = c.VectorSinhArcsinhDiag([1.0, 2.0], scale_diag=[1.0, 2.0], skewness=[0.5, 0.0])
    heavy = c.VectorSinhArcsinhDiag(
        scale_diag=[[1.0, 2.0]],
        scale_identity_multiplier=[0.5],
        tailweight=[2.0, 1.5],
        distribution=c.Laplace(0.0, 1.0),
        validate_args=True,
        name="heavy",
    )
    values += [bent.sample(2, seed=4), bent.log_prob([0.5, 1.0]), bent.skewness, bent.tailweight]
    values += [heavy.sample(seed=5), heavy.prob([[0.5, 1.0]]), heavy.scale.diag_part()]
    counts = c.PoissonLogNormalQuadratureCompound(0.5, 0.25, quadrature_size=5)
    hermite = c.PoissonLogNormalQuadratureCompound(
        [0.0, 1.0],
        [0.5, 0.25],
        quadrature_size=4,
        quadrature_fn=c.quadrature_scheme_lognormal_gauss_hermite,
        validate_args=True,
        name="hermite",
    )
    for each in (counts, hermite):
        values += [each.sample(3, seed=6), each.log_prob([[1.0, 3.0]]), each.mean()]
        values += [each.variance(), each.stddev(), each.batch_shape_tensor()]
    values += c.quadrature_scheme_softmaxnormal_quantiles([[0.5], [1.0]], [[2.0], [1.0]], 3)
    return {
        "facts": {"names": [d.name for d in (table, late, pairs, bent, heavy, counts)]},
        "steps": [("values", values, {anything: x.T, shape: [3, -1]})],
    }
