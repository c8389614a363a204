"""Rare distributions of tf.contrib and related functions: percentiles, triangular matrices, moving statistics."""

import numpy as np

TOLERANCE = 5e-5  # float32 through logarithms, powers and Fourier transforms


def build(tf):
    c = tf.contrib.distributions
    rate = tf.placeholder(tf.float32, name="rate")
    loc = tf.Variable([0.5, -1.0], name="loc")
    anything = tf.placeholder(tf.float32, name="anything")
    geometric = c.Geometric(probs=[0.25, 0.9])
    by_odds = c.Geometric(logits=rate, validate_args=True, name="by_odds")
    negative = c.NegativeBinomial([2.0, 3.5], logits=rate)
    checked = c.NegativeBinomial(2.0, probs=[0.25, 0.5], validate_args=True, name="checked")
    kumaraswamy = c.Kumaraswamy([2.0, 0.5], rate)
    strict = c.Kumaraswamy(2.0, 3.0, validate_args=True, allow_nan_stats=False, name="strict")
    plain = c.SinhArcsinh(loc, 2.0)
    skewed = c.SinhArcsinh(loc, rate, skewness=0.5, tailweight=[1.5, 0.5], name="skewed")
    of_uniform = c.SinhArcsinh(0.5, 2.0, 0.1, distribution=c.Uniform(-1.0, 1.0), name="of_uniform",
                               validate_args=True)  # fmt: skip
    rows = c.Normal(tf.stack([loc, loc + 1, loc * 2]), 1.5)
    together = c.Independent(rows)
    all_together = c.Independent(rows, reinterpreted_batch_ndims=2, name="all_together")
    unknown = c.Independent(c.Normal(anything, 1.0), validate_args=True)
    low_rank = c.MultivariateNormalDiagPlusLowRank(
        loc, scale_diag=[1.0, 2.0], scale_perturb_factor=[[1.0], [0.5]], scale_perturb_diag=[0.5],
        validate_args=True)  # fmt: skip
    diagonal = c.MultivariateNormalDiagPlusLowRank(
        loc, scale_identity_multiplier=1.5, name="diagonal")  # fmt: skip
    thin = c.MultivariateNormalDiagPlusLowRank(
        loc, [1.0, 2.0], 0.5, scale_perturb_factor=[[1.0], [-0.5]], name="thin")  # fmt: skip

    exponential = c.VectorExponentialDiag(loc, [[1.0, 2.0], [3.0, 0.5], [1.0, 1.0]])
    laplace = c.VectorLaplaceDiag(loc, scale_identity_multiplier=1.5)
    bare = c.VectorLaplaceDiag(scale_diag=[1.0, 2.0], name="bare")
    scaled = [exponential, laplace, bare, c.VectorExponentialDiag(scale_diag=[1.0, 0.5])]

    def previous(x=None):
        means = tf.zeros([3]) if x is None else tf.concat([x[..., :1] * 0, x[..., :-1]], -1) * 0.5
        return c.Independent(c.Normal(means, 1.0), 1)

    steps = c.Autoregressive(previous, num_steps=2)
    everything = [geometric, by_odds, negative, checked, kumaraswamy, strict, plain, skewed]
    everything += [of_uniform, together, all_together, unknown, low_rank, diagonal, thin, steps]
    everything += scaled
    samples = []
    for one in everything:
        samples += [one.sample(seed=1), one.sample([2, 1], seed=2)]
    stream = c.SeedStream(7, salt="salt")
    seeds = [stream(), stream(), c.SeedStream(stream, "other")(), c.SeedStream(None, "")()]
    statistics = []
    for one in (geometric, by_odds, negative, checked, kumaraswamy, strict, together, low_rank):
        statistics += [one.mean(), one.mode(), one.variance(), one.stddev()]
    for one in (geometric, by_odds, kumaraswamy, together, all_together, unknown, thin):
        statistics.append(one.entropy())
    for one in everything:
        statistics += [one.batch_shape_tensor(), one.event_shape_tensor()]
    for one in scaled:
        statistics += [one.mean(), one.mode(), one.variance(), one.stddev(), one.covariance()]
    statistics += [low_rank.covariance(), thin.variance()]
    x = [0.25, 0.5]
    values = [geometric.log_prob([0.0, 2.5]), geometric.cdf([-1.0, 2.0]), by_odds.prob([1.0, 2.0])]
    values += [negative.prob([1.0, 3.0]), negative.cdf([1.0, 2.5]), checked.log_prob([0.0, 4.0])]
    values += [kumaraswamy.log_prob(x), kumaraswamy.cdf(x), strict.prob(x), kumaraswamy.prob(x)]
    values += [plain.log_prob(x), skewed.prob(x), skewed.cdf(x), of_uniform.prob(0.3)]
    values += [together.log_prob(np.ones([3, 2], np.float32)), all_together.prob([[1.0, 2.0]])]
    values += [unknown.log_prob([[1.0, 0.5, 2.0]]), low_rank.log_prob(x), diagonal.prob(x)]
    values += [thin.log_prob([x, [1.0, -2.0]]), steps.log_prob([1.0, 2.0, 0.5])]
    values += [one.log_prob([[1.0, 2.5]] * 3) for one in scaled]
    kl = c.kl_divergence
    between = [kl(together, c.Independent(c.Normal([[0.0, 1.0]] * 3, 1.0), 1)), kl(low_rank, thin)]
    slopes = tf.gradients([samples[13], samples[25], values[10], values[17]] + between, [loc])
    slopes += tf.gradients([values[3], values[6], values[11], statistics[16]], [rate])

    numbers = tf.constant(np.random.RandomState(3).randn(4, 5).astype(np.float32))
    some = tf.placeholder_with_default(numbers, [None, None], name="some")
    observed = c.normal_conjugates_known_scale_posterior(
        c.Normal(1.0, 2.0), tf.constant(0.5), tf.constant(3.0), 4)  # fmt: skip
    expected = c.normal_conjugates_known_scale_predictive(
        c.Normal(1.0, 2.0), tf.constant(0.5), tf.constant(3.0), 4)  # fmt: skip
    vector = tf.range(1.0, 7.0)
    square = tf.reshape(tf.range(9.0), [3, 3])
    functions = [
        c.percentile(numbers, 50.0), c.percentile(some, 30.0, axis=[0], interpolation="lower"),
        c.percentile(numbers, 30, axis=-1, interpolation="higher", keep_dims=True),
        c.percentile(numbers, 75.0, keep_dims=True, validate_args=True),
        c.auto_correlation(numbers), c.auto_correlation(some, axis=0, max_lags=2),
        c.auto_correlation(tf.complex(numbers, numbers), max_lags=3, center=False, normalize=False),
        observed.mean(), observed.stddev(), expected.mean(), expected.stddev(),
        c.fill_triangular(vector), c.fill_triangular([vector, vector], upper=True),
        c.fill_triangular(tf.placeholder_with_default(vector, [None])),
        c.fill_triangular_inverse(square), c.fill_triangular_inverse(square, upper=True),
        c.fill_triangular_inverse(some[:, :4]), c.matrix_diag_transform(square, tf.exp),
        c.matrix_diag_transform(square), c.tridiag([1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0]),
        c.tridiag(above=some), c.tridiag(diag=vector), c.softplus_inverse([1e-9, 0.1, 3.0, 50.0]),
        c.reduce_weighted_logsumexp(numbers, axis=1),
        c.reduce_weighted_logsumexp(some, -numbers, axis=0, keep_dims=True),
    ]  # fmt: skip
    functions += c.reduce_weighted_logsumexp(numbers, numbers, axis=-1, return_sign=True)
    functions += c.reduce_weighted_logsumexp(numbers, return_sign=True)
    moving = c.moving_mean_variance(numbers, 0.9)
    average = tf.get_variable("average", [5], initializer=tf.ones_initializer())
    logs = c.assign_log_moving_mean_exp(average, [0.0, 1.0, 2.0, 3.0, 4.0], 0.9)
    feed = {rate: [2.0, 0.5], anything: [[1.0, 0.5, 2.0], [3.0, 1.0, 0.5]]}
    return {
        "facts": {
            "text": [str(one) for one in everything],
            "parameters": [sorted(one.parameters) for one in everything],
            "seeds": [str(seed) for seed in seeds],
            "shapes": [str(one.shape) for one in functions],
            "variables": [variable.name for variable in tf.global_variables()],
            "trained": [variable.name for variable in tf.trainable_variables()],
        },
        "steps": [
            ("initialize", tf.global_variables_initializer()),
            ("samples", samples, feed),
            ("statistics", statistics, feed),
            ("values", values, feed),
            ("between", between, feed),
            ("slopes", slopes, feed),
            ("functions", functions),
            ("moving", list(moving)),
            ("moved", list(moving)),
            ("logs", logs),
        ],
    }
