"""tf.contrib.distributions: every method of each distribution, with static and unknown shapes."""

import zlib

import numpy as np

from tests.conformance.short_programs import IN_NO_ORDER

OF_VALUES = ("log_prob", "prob", "log_cdf", "cdf")
SURVIVAL = ("log_survival_function", "survival_function")
STATISTICS = ("entropy", "mean", "mode", "stddev", "variance", "covariance")


def _methods(made, value, survival):
    """Functions by method name."""
    found = {
        "shapes": lambda: [made.batch_shape_tensor(), made.event_shape_tensor()],
        "one": lambda: made.sample(seed=3),
        "none": lambda: made.sample([0, 2], seed=4),
        "several": lambda: made.sample([2, 1], seed=5, name="drawn"),
        "quantile": lambda: made.quantile(0.3),
    }
    for name in OF_VALUES + SURVIVAL * survival:
        found[name] = lambda name=name: getattr(made, name)(value)
    for name in STATISTICS:
        found[name] = lambda name=name: getattr(made, name)()
    return found


def _tell(tf, stage, name, make, value, survival):
    """Records the results of all methods of a distribution."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        stage.say(name)
        feed = {}

        def fed(key, given, shape=None, dtype=tf.float32):
            result = tf.placeholder(dtype, shape, key)
            feed[result] = given
            return result

        with stage.failing():
            made = make(fed)
            stage.say(repr(made), sorted(made.parameters))
            stage.say(
                made.dtype, made.allow_nan_stats, made.validate_args, made.reparameterization_type
            )
            stage.say(made.batch_shape, made.event_shape)
            found = {}
            for key, method in _methods(made, value, survival).items():
                try:
                    result = method()
                except Exception as error:
                    stage.say(key, "!!", type(error).__name__, str(error).split("\n")[0])
                else:
                    if isinstance(result, tf.Tensor):
                        stage.say(key, result.name, str(result.shape))
                    found[key] = result
            try:
                values = session.run(found, feed)
            except Exception:
                for key in sorted(found):
                    stage.say(key)
                    _attempt(stage, session, found[key], feed)
            else:
                for key in sorted(values):
                    stage.say(key, values[key])
        _sum_up(tf, stage)


def _attempt(stage, session, fetch, feed):
    """Records what a run returns or raises, without the node, which TensorFlow does not find after "[["."""
    try:
        stage.say(session.run(fetch, feed))
    except Exception as error:
        stage.say(type(error).__name__, error.message.split("\n")[0])


def _sum_up(tf, stage):
    """Records the graph's node count, and the checksum of names, types and inputs."""
    lines = [
        " ".join([op.name, op.type, *(x.name for x in op.inputs)])
        for op in tf.get_default_graph().get_operations()
        if not op.name.startswith(IN_NO_ORDER)
    ]
    stage.say(len(lines), zlib.crc32("\n".join(lines).encode()))


def _told(tf, stage, cases, survival=False):
    for name, (make, value) in cases.items():
        _tell(tf, stage, name, make, value, survival)


MATRIX = np.float32([[2.0, 0.5], [0.5, 1.0]])
ROOT = np.float32([[1.5, 0.0], [0.5, 0.75]])
WHOLE = np.float32([[[1.5, 0.25], [0.25, 2.0]], [[3.0, -0.5], [-0.5, 1.0]]])


def wishart(tf, stage):
    of = tf.contrib.distributions
    _told(
        tf,
        stage,
        {
            "roots": (
                lambda fed: of.WishartFull(3.5, MATRIX, cholesky_input_output_matrices=True),
                ROOT,
            ),
            "small": (lambda fed: of.WishartCholesky(2.0, ROOT, allow_nan_stats=False), WHOLE),
            "fed": (
                lambda fed: of.WishartFull(
                    fed("df", 3.0), fed("scale", MATRIX), validate_args=True, name="own"
                ),
                WHOLE,
            ),
        },
    )


def wishart_refusals(tf, stage):
    of = tf.contrib.distributions
    scale, df = tf.placeholder(tf.float32, name="scale"), tf.placeholder(tf.float32, name="df")
    stage.attempts(
        lambda: of.WishartFull(1.5, MATRIX),
        lambda: of.WishartFull([3.0, 1.0], MATRIX),
        lambda: of.WishartCholesky(3, [[1, 0], [0, 1]]),
    )
    full = of.WishartFull(df, scale, validate_args=True).mean()
    root = of.WishartCholesky(df, scale, validate_args=True)
    extra = [root.mean_log_det(), root.log_normalization(name="norm"), root.scale(), root.dimension]
    stage.say(root.df, root.scale_operator, root.cholesky_input_output_matrices, extra)
    with tf.Session() as session:
        for given in ({df: 1.0, scale: MATRIX}, {df: 3.0, scale: -MATRIX}):
            stage.attempt(session.run, full, given)
            stage.attempt(session.run, extra, given)
            stage.attempt(session.run, root.stddev(), given)


def of_other_batches(tf, stage):
    of = tf.contrib.distributions
    normal = lambda: of.Normal(np.float32([[0.0, 1.0, 2.0]] * 2), 2.0)  # noqa: E731
    vectors = lambda: of.MultivariateNormalDiag(np.float32([[0.0, 1.0]] * 4), [1.0, 2.0])  # noqa: E731
    _told(
        tf,
        stage,
        {
            "vectors": (
                lambda fed: of.BatchReshape(vectors(), [2, -1], validate_args=True, name="own"),
                np.ones([3, 2, 2, 2], np.float32),
            ),
            "wrong": (lambda fed: of.BatchReshape(normal(), [4, 2]), 1.0),
            "nested": (lambda fed: of.BatchReshape(normal(), [[2, 3]]), 1.0),
        },
    )


def quantized(tf, stage):
    of = tf.contrib.distributions
    values = np.float32([-3.0, -1.0, 0.0, 1.0, 2.0, 9.0])
    normal = lambda: of.Normal(0.5, 2.0)  # noqa: E731
    _told(
        tf,
        stage,
        {
            "parts": (
                lambda fed: of.QuantizedDistribution(normal(), validate_args=True, name="own"),
                np.float32([0.5, 1.0]),
            ),
            "half": (
                lambda fed: of.QuantizedDistribution(normal(), low=0.5, validate_args=True),
                values,
            ),
            "of_counts": (lambda fed: of.QuantizedDistribution(of.Poisson(3.0), low=1), values),
        },
        survival=True,
    )


def simple_ones(tf, stage):
    of = tf.contrib.distributions
    values = np.float32([[0.0], [0.25], [0.5], [2.0], [-1.0]])
    counts = np.float32([[0.0], [1.0], [2.0], [5.0], [1.5]])
    _told(
        tf,
        stage,
        {
            "deterministic": (
                lambda fed: of.Deterministic([0.5, 2.0], atol=0.1, rtol=[0.0, 0.5]),
                values,
            ),
            "deterministic_wrong": (
                lambda fed: of.Deterministic(1.0, atol=-1.0, validate_args=True),
                values,
            ),
            "vector": (
                lambda fed: of.VectorDeterministic([[0.5, 2.0]], rtol=0.2, validate_args=True),
                np.float32([[0.5, 2.1], [0.5, 3.0]]),
            ),
            "half_normal_wrong": (lambda fed: of.HalfNormal(-1.0, validate_args=True), values),
            "chi2_abs": (lambda fed: of.Chi2WithAbsDf([-2.5, 3.0]), values),
            "geometric_both": (lambda fed: of.Geometric([0.1], [0.5]), counts),
        },
    )


def categories(tf, stage):
    of = tf.contrib.distributions
    fractions = np.float32([[0.2, 0.5, 0.3], [0.9, 0.05, 0.05]])
    logits = np.float32([0.5, -1.0, 2.0])
    _told(
        tf,
        stage,
        {
            "one_hot_wrong": (
                lambda fed: of.OneHotCategorical(probs=[0.5, 0.6], validate_args=True),
                [[1, 0]],
            ),
            "relaxed_probs": (
                lambda fed: of.RelaxedOneHotCategorical(
                    [0.5, 2.0], probs=fractions, validate_args=True
                ),
                fractions,
            ),
            "exp_relaxed": (
                lambda fed: of.ExpRelaxedOneHotCategorical(2.0, logits, name="own"),
                np.log(fractions),
            ),
            "relaxed_bernoulli_both": (lambda fed: of.RelaxedBernoulli(1.0, 0.5, 0.5), 0.5),
        },
    )


def _pairs(of):
    return {
        "one_hot": lambda: (
            of.OneHotCategorical([0.5, 1.0]),
            of.OneHotCategorical(probs=[0.5, 0.5]),
        ),
        "half_normal": lambda: (of.HalfNormal([1.0, 2.0]), of.HalfNormal(2.0)),
        "deterministic": lambda: (of.Deterministic([0.0, 1.0]), of.Normal(0.0, 1.0)),
        "vector": lambda: (
            of.VectorDeterministic([0.0, 1.0]),
            of.MultivariateNormalDiag([0.0, 1.0]),
        ),
        "full": lambda: (
            of.MultivariateNormalFullCovariance([0.0, 1.0], MATRIX),
            of.MultivariateNormalTriL([1.0, 1.0], ROOT),
        ),
        "diag": lambda: (
            of.MultivariateNormalDiag([[0.0, 1.0]] * 2, scale_identity_multiplier=2.0),
            of.MultivariateNormalDiag([1.0, 1.0], [1.0, 3.0]),
        ),
        "geometric": lambda: (of.Geometric([0.5]), of.Geometric([0.25])),
        "cauchy": lambda: (of.Cauchy(0.0, 1.0), of.Cauchy(0.0, 1.0)),
        "inverse_gamma": lambda: (of.InverseGamma(2.0, 1.0), of.InverseGamma(2.0, 1.0)),
        "gamma": lambda: (of.Gamma([2.0], 1.0), of.Gamma(3.0, 2.0)),
        "chi2": lambda: (of.Chi2(2.0), of.Chi2(3.0)),
        "binomial": lambda: (of.Binomial(2.0, probs=0.5), of.Binomial(2.0, probs=0.25)),
    }


def divergences(tf, stage):
    of = tf.contrib.distributions
    for method in ("kl_divergence", "cross_entropy"):
        stage.each(
            {
                f"{method}_{name}": lambda make=make, method=method: getattr(make()[0], method)(
                    make()[1]
                )
                for name, make in _pairs(of).items()
            }
        )
