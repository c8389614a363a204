"""tf.contrib.distributions: transformed distributions, mixtures, quadratures, and statistics functions."""

import numpy as np

from tests.conformance.scenes.contrib_distributions import ROOT, _told

ROWS = np.float32([[0.25, 0.5, 0.75], [0.125, 0.625, 0.875]])
PAIRS = np.float32([[0.25, 0.5], [-1.0, 2.0]])


def transformed(tf, stage):
    of = tf.contrib.distributions
    b = of.bijectors
    make = of.TransformedDistribution
    normal = lambda *args: of.Normal(0.5, *args or [2.0])  # noqa: E731
    _told(
        tf,
        stage,
        {
            "plain": (lambda fed: make(normal(), b.Exp()), ROWS),
            "without": (lambda fed: make(normal(), name="own"), ROWS),
            "event_of_batch": (
                lambda fed: make(normal([1.0, 2.0]), b.AffineScalar(1.0, 3.0), event_shape=[3]),
                ROWS,
            ),
            "fed_batch": (
                lambda fed: make(normal(), b.Exp(), fed("shape", [2, 3], dtype=tf.int32)),
                ROWS,
            ),
            "fed_wrong": (
                lambda fed: make(
                    of.Normal(fed("loc", [0.5, 1.0]), 1.0), None, [3], validate_args=True
                ),
                ROWS,
            ),
            "zero": (lambda fed: make(normal(), batch_shape=[0]), ROWS),
        },
        survival=True,
    )


def of_vectors(tf, stage):
    of = tf.contrib.distributions
    _told(
        tf,
        stage,
        {
            "diag_misfit": (lambda fed: of.MultivariateNormalDiag([1.0] * 3, [1.0, 2.0]), PAIRS),
            "tril_alone": (lambda fed: of.MultivariateNormalTriL(scale_tril=ROOT), PAIRS),
            "low_rank_alone": (
                lambda fed: of.MultivariateNormalDiagPlusLowRank(scale_perturb_factor=ROOT),
                PAIRS,
            ),
            "exponential_alone": (
                lambda fed: of.VectorExponentialDiag(scale_diag=[-1.0, 2.0], validate_args=True),
                PAIRS,
            ),
            "exponential_multiple": (
                lambda fed: of.VectorExponentialDiag([[1.0, 2.0]], scale_identity_multiplier=2.0),
                PAIRS + 2,
            ),
            "sinh": (
                lambda fed: of.VectorSinhArcsinhDiag([1.0, 2.0], [0.5, 2.0], None, [0.5, -0.5]),
                PAIRS,
            ),
            "sinh_all": (
                lambda fed: of.VectorSinhArcsinhDiag(
                    [1.0, 2.0], None, 2.0, tailweight=[0.5, 2.0], validate_args=True
                ),
                PAIRS,
            ),
            "sinh_of_laplace": (
                lambda fed: of.VectorSinhArcsinhDiag(
                    None, [0.5, 2.0], distribution=of.Laplace(0.0, 1.0), name="own"
                ),
                PAIRS,
            ),
        },
    )


def of_numbers(tf, stage):
    of = tf.contrib.distributions
    _told(
        tf,
        stage,
        {
            "kumaraswamy_checked": (
                lambda fed: of.Kumaraswamy(fed("a", 2.0), 3.0, validate_args=True, name="own"),
                ROWS,
            ),
            "sinh_symmetric": (lambda fed: of.SinhArcsinh([1.0], 2.0), PAIRS),
            "sinh_of_laplace": (
                lambda fed: of.SinhArcsinh(
                    1.0, 2.0, -0.5, distribution=of.Laplace(0.0, 1.0), validate_args=True
                ),
                PAIRS,
            ),
            "autoregressive": (
                lambda fed: of.Autoregressive(
                    lambda x=None: of.Independent(
                        of.Normal(
                            tf.zeros([3]) if x is None else tf.cumsum(x, -1, exclusive=True), 0.5
                        ),
                        1,
                    )
                ),
                ROWS,
            ),
            "autoregressive_of_first": (
                lambda fed: of.Autoregressive(
                    lambda x: of.Normal(x / 2.0, 0.5), tf.constant([1.0, 8.0]), 2, name="own"
                ),
                ROWS[:, :2],
            ),
            "autoregressive_none": (
                lambda fed: of.Autoregressive(lambda x: of.Normal(x, 0.5), 1.0, 0),
                ROWS,
            ),
        },
    )


def quadratures(tf, stage):
    of = tf.contrib.distributions
    loc, scale = tf.constant([[0.5], [1.0]]), tf.constant([[0.25], [2.0]])
    fed = tf.placeholder_with_default(np.float64([1.0, 2.0]), None, "fed")
    log, softmax = "quadrature_scheme_lognormal_", "quadrature_scheme_softmaxnormal_"
    with tf.Session() as session:
        for name in (log + "gauss_hermite", log + "quantiles"):
            function = getattr(of, name)
            stage.attempts(
                lambda: session.run(function(loc[:, 0], scale[:, 0], 3)),  # noqa: B023  called here
                lambda: session.run(function(loc, scale, 1, True, "own")),  # noqa: B023
                lambda: session.run(function(fed, fed, 2)),  # noqa: B023
            )
        function = getattr(of, softmax + "quantiles")
        stage.attempts(
            lambda: session.run(function(loc, scale, 3)),
            lambda: session.run(function([0.5], [1.0], 1, True, "own")),
        )
        stage.attempts(
            lambda: session.run(function(np.float64([0.5]), [1.0], 3)),
            lambda: session.run(function([0.5], np.float64([1.0]), 3)),
        )
        for name in (softmax + "quantiles", softmax + "gauss_hermite"):
            function = getattr(of, name)
            stage.attempts(
                lambda: function(0.5, 1.0, 2),  # noqa: B023
                lambda: function([0.5, 1.0], [1.0, 2.0], 2),  # noqa: B023
                lambda: function(loc, scale[0, 0], 2),  # noqa: B023
                lambda: function(fed, fed, 2),  # noqa: B023
            )


def percentiles(tf, stage):
    of = tf.contrib.distributions
    x = np.float32([[3.0, 1.0, 4.0, 1.5], [9.0, 2.0, 6.0, 5.0], [-3.0, 5.0, 8.0, 0.0]])
    fed = tf.placeholder_with_default(x, None, "fed")
    part = tf.placeholder_with_default(x, [None, 4], "part")
    ask = of.percentile
    found = [
        *[ask(x, q) for q in (0.0, 30.0, 50, 100.0)],
        *[ask(x, 40.0, 1, way) for way in ("lower", "higher", "nearest", None)],
        ask(x, 40.0, [0, 1], "lower", True),
        ask(x, 40.0, [-1], keep_dims=True),
        ask(x, 70.0, axis=0, name="own"),
        ask(fed, 70.0),
        ask(fed, 70.0, keep_dims=True),
        ask(part, 70.0, 0),
        ask(part, 70.0, 1, keep_dims=True, validate_args=True),
        ask(x[None], 20.0, [2, 0]),
        ask(x[None], 20.0, [2, 0], keep_dims=True),
        ask(x[None], 20.0, [-1, 1], keep_dims=True),
        ask(np.int64([5, 1, 3]), 60.0),
    ]
    stage.say([(each.name, str(each.shape)) for each in found])
    q = tf.placeholder(tf.float32, name="q")
    checked = ask(x, q, validate_args=True)
    with tf.Session() as session:
        stage.say(session.run(found))
        for value in (50.0, -1.0, 100.5, [1.0]):
            stage.attempt(session.run, checked, {q: value})
    stage.attempts(
        lambda: ask(x, [1.0, 2.0]),
        lambda: ask(x, 1.0, 2),
        lambda: ask(x, 1.0, [0, -3]),
        lambda: ask(x, 1.0, [[0]]),
        lambda: ask(x, 1.0, tf.placeholder(tf.int32, [])),
        lambda: ask(x, 1.0, 0.5),
        lambda: ask(fed, 1.0, 0),
        lambda: ask(3.0, 1.0, 0),
    )


def correlations(tf, stage):
    of = tf.contrib.distributions
    x = np.float32([[3.0, 1.0, 4.0, 1.5, -2.0], [9.0, 2.0, 6.0, 5.0, 1.0]])
    fed = tf.placeholder_with_default(x, None, "fed")
    ask = of.auto_correlation
    found = [
        ask(x),
        ask(x, 0),
        ask(x, max_lags=2),
        ask(x, max_lags=9, normalize=False),
        ask(x, -2, center=False),
        ask(x, 1, tf.constant(1), False, False, "own"),
        ask(x.astype(np.float64)[0]),
        ask(x[0] + 1j * x[1], normalize=False),
        ask(fed, 1, 2),
        ask(fed, -1, tf.placeholder_with_default(1, [], "lags")),
    ]
    stage.say([(each.name, str(each.dtype), str(each.shape)) for each in found])
    with tf.Session() as session:
        for each in found:
            stage.attempt(session.run, each)
    stage.attempt(ask, [1, 2, 3])
    stage.attempt(ask, x, max_lags=tf.placeholder_with_default(1, [], "lag"))


def functions(tf, stage):
    of = tf.contrib.distributions
    prior = of.Normal([1.0, 2.0], [3.0, 0.5])
    s, zero = tf.constant([4.0, 5.0]), np.float32(0)
    posterior = of.normal_conjugates_known_scale_posterior
    predictive = of.normal_conjugates_known_scale_predictive
    stage.attempts(
        lambda: posterior(of.Laplace(0.0, 1.0), 1.0, s, 1),
        lambda: predictive(prior, 1.0, tf.cast(s, tf.float64), 1),
    )
    first, second = posterior(prior, 2.0, s, 3), predictive(prior, [2.0, 1.0], s, tf.constant(4))
    weighted = of.reduce_weighted_logsumexp
    x, w = np.float32([[0.0, 1.0, -np.inf], [700.0, 699.0, 3.0]]), np.float32([1.0, -2.0, 0.5])
    six = np.arange(12, dtype=np.int32).reshape(2, 6)
    nine = np.arange(18, dtype=np.float64).reshape(2, 3, 3)
    fed = tf.placeholder_with_default(six, None, "fed")
    fed_matrix = tf.placeholder_with_default(nine, [2, None, None], "fed_matrix")
    fill, back = of.fill_triangular, of.fill_triangular_inverse
    found = [
        [first.loc, first.scale, second.loc, second.scale],
        weighted(x),
        weighted(x, w),
        weighted(x, w, 1, return_sign=True),
        weighted(x, w, [0], True, True, "own"),
        weighted(x, axis=1, return_sign=True),
        weighted([-np.inf, -np.inf], [1.0, 2.0]),
        fill(six),
        fill(six, True, "own"),
        fill(fed),
        fill(fed[0], upper=True),
        fill([5]),
        back(nine),
        back(nine, True, "own_back"),
        back(fed_matrix),
        back(fed_matrix, upper=True),
        of.matrix_diag_transform(nine, tf.exp, "transformed"),
        of.matrix_diag_transform(nine),
        of.tridiag([1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0]),
        of.tridiag(diag=[[3, 4]]),
        of.tridiag(below=[1.0]),
        of.tridiag(above=[[1.0], [2.0]], name="tri"),
        of.softplus_inverse([1e-20, 1e-3, 1.0, 50.0, zero]),
        of.softplus_inverse(np.float64([1e-20, 1e-3, 1.0, 50.0]), name="inverse"),
    ]
    stage.say([[(x.name, str(x.shape)) for x in tf.nest.flatten(each)] for each in found])
    with tf.Session() as session:
        for each in found:
            stage.attempt(session.run, each)
    stage.attempts(lambda: fill([1, 2]), lambda: fill(3), lambda: back([1, 2]), of.tridiag)
    for seed in (None, 7):
        stream = of.SeedStream(seed, "salt")
        stage.say(
            stream.original_seed, stream.salt, stream(), stream(), of.SeedStream(stream, "s")()
        )


def moving_statistics(tf, stage):
    of = tf.contrib.distributions
    value = tf.placeholder(tf.float32, [2], "value")
    of_value = of.moving_mean_variance(value, 0.75)
    again = of.moving_mean_variance(value, 0.5, ["mine"], "own")
    log_mean = tf.get_variable("log_mean", initializer=[0.0, -1.0])
    by_log = of.assign_log_moving_mean_exp(log_mean, value, 0.9)
    mean = tf.get_variable("mean", initializer=[1.0, 2.0], use_resource=True)
    variance = tf.get_variable("variance", initializer=[3.0, 4.0], use_resource=True)
    stage.attempts(
        lambda: of.moving_mean_variance(tf.constant([1]), 0.5),
        lambda: of.assign_moving_mean_variance(tf.Variable([1]), variance, value, 0.5),
        lambda: of.assign_moving_mean_variance(tf.Variable(np.ones(2)), variance, value, 0.5),
        lambda: of.assign_log_moving_mean_exp(tf.Variable([1]), value, 0.5),
        lambda: of.moving_mean_variance(tf.placeholder(tf.float32), 0.5),
    )
    other = of.assign_moving_mean_variance(mean, variance, value, 0.25, name="moved")
    with tf.Session() as session:
        session.run(
            [tf.global_variables_initializer(), tf.variables_initializer(tf.get_collection("mine"))]
        )
        for given in ([1.0, 2.0], [3.0, -2.0], [1.0, 1.0]):
            stage.say(*session.run([of_value, again, by_log, other], {value: given}))
            stage.say(session.run([mean, variance, log_mean]))
