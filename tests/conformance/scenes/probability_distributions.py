"""Distributions: options, shapes, rejected arguments, undefined statistics, divergences."""

import numpy as np

_MADE = {
    "bernoulli": lambda d, **o: d.Bernoulli(probs=[0.2, 0.7], **o),
    "bernoulli_of_logits": lambda d, **o: d.Bernoulli(logits=[[0.5], [-1.0]], **o),
    "beta": lambda d, **o: d.Beta([0.5, 2.0], [[3.0], [0.75]], **o),
    "categorical": lambda d, **o: d.Categorical(probs=[[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]], **o),
    "categorical_of_logits": lambda d, **o: d.Categorical(logits=[0.0, 1.0], **o),
    "dirichlet": lambda d, **o: d.Dirichlet([[0.5, 2.0, 3.0], [1.0, 1.5, 4.0]], **o),
    "dirichlet_multinomial": lambda d, **o: d.DirichletMultinomial(4.0, [[1.0, 2.0, 3.0]], **o),
    "exponential": lambda d, **o: d.Exponential([0.5, 3.0], **o),
    "gamma": lambda d, **o: d.Gamma([0.5, 3.0], [[2.0], [0.25]], **o),
    "laplace": lambda d, **o: d.Laplace([0.0, -1.0], 2.0, **o),
    "multinomial": lambda d, **o: d.Multinomial([3.0, 2.0], probs=[[0.2, 0.8], [0.5, 0.5]], **o),
    "multinomial_of_logits": lambda d, **o: d.Multinomial(4.0, logits=[0.5, -1.0, 2.0], **o),
    "normal": lambda d, **o: d.Normal([0.0, 1.0], [[1.0], [0.5], [3.0]], **o),
    "student": lambda d, **o: d.StudentT([0.5, 1.5, 3.0], 1.0, [[2.0], [0.5]], **o),
    "uniform": lambda d, **o: d.Uniform([0.0, -1.0], [[1.0], [4.0]], **o),
}

_VALUES = {
    "beta": [0.25, 0.75],
    "categorical": [0, 2],
    "dirichlet": [0.25, 0.25, 0.5],
    "dirichlet_multinomial": [1.0, 2.0, 1.0],
    "multinomial": [[1.0, 2.0], [2.0, 0.0]],
    "multinomial_of_logits": [1.0, 2.0, 1.0],
}

_STATISTICS = "mean variance stddev mode entropy covariance".split()
_OF_VALUES = "log_prob prob cdf log_cdf survival_function log_survival_function quantile".split()


def _life(name):
    """A scene: a distribution's properties, statistics, and probabilities of values."""

    def scene(tf, stage):
        of_logits = name in ("bernoulli_of_logits", "categorical_of_logits")
        made = _MADE[name](tf.distributions, **{"dtype": tf.int64} if of_logits else {})
        stage.say(made.name, made.dtype, made.batch_shape, made.event_shape, made)
        stage.say(sorted(made.parameters), made.reparameterization_type, made.is_scalar_batch())
        stage.say(made.allow_nan_stats, made.validate_args, made.is_scalar_event())
        value = _VALUES.get(
            name, [1, 0] if "ber" in name or "cat" in name else [0.5, 0.25, 1.5][:1]
        )
        again = made.copy(validate_args=True, name="again")
        with tf.Session() as session:
            run = lambda function, *args: stage.attempt(lambda: session.run(function(*args)))  # noqa: E731
            run(lambda: (made.batch_shape_tensor(), made.event_shape_tensor()))
            for method in _STATISTICS:
                stage.say(method)
                run(getattr(made, method))
            for method in _OF_VALUES:
                stage.say(method)
                run(getattr(made, method), np.float32(value) if "eg" not in name else value)
            for shape in ([], 2, [2, 1]):
                stage.attempt(lambda: made.sample(shape, seed=1).shape)  # noqa: B023
            stage.attempt(made.sample, [[1]])
            run(lambda: tf.shape(made.sample([2, 1], seed=3)))
            stage.say(again.name, again.validate_args, again.parameters["validate_args"])
            run(again.log_prob, -1.0)
            run(again.prob, [0.5, 0.5])
            run(again.cdf, [[2.5, 0.5, 1.5, 7.0]])

    return scene


for _name in _MADE:
    _made = _life(_name)
    _made.__module__ = __name__
    globals()[_name] = _made


def _refused(tf, stage, cases):
    for name, function in cases.items():
        stage.say(name)
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            made = function()
            stage.say(made.dtype, made.batch_shape, made.event_shape)
            stage.say(session.run(made.mean()))


def arguments(tf, stage):
    d = tf.distributions
    both = {"validate_args": True}
    fed = lambda value: tf.placeholder_with_default(np.float32(value), None)  # noqa: E731
    cases = {
        "not a probability": lambda: d.Bernoulli(probs=[0.5, 1.5], **both),
        "categorical of a scalar, checked": lambda: d.Categorical(logits=fed(1.0), **both),
        "categorical of a string": lambda: d.Categorical(probs=["a"]),
        "beta below zero": lambda: d.Beta(-1.0, 2.0, **both),
        "beta of two dtypes": lambda: d.Beta(np.float32(1), np.float64(2)),
        "dirichlet of a scalar": lambda: d.Dirichlet(1.0, **both),
        "dirichlet of one": lambda: d.Dirichlet([1.0], **both),
        "dirichlet multinomial of zeros": lambda: d.DirichletMultinomial(1.0, [0.0, 2.0], **both),
        "gamma of two dtypes": lambda: d.Gamma(np.float64(1), tf.constant(1.0)),
        "laplace of two dtypes": lambda: d.Laplace(np.float64(1), tf.constant(1.0)),
        "multinomial below zero": lambda: d.Multinomial(-1.0, probs=[0.5, 0.5], **both),
        "multinomial of one side": lambda: d.Multinomial(1.0, probs=[0.5, 0.2], **both),
        "normal, fed": lambda: d.Normal(fed([[1.0]]), fed([2.0, -1.0]), **both),
        "student below zero": lambda: d.StudentT(-1.0, 0.0, 1.0, **both),
        "student of two dtypes": lambda: d.StudentT(np.float64(1), tf.constant(1.0), 1.0),
        "student of one": lambda: d.StudentT(1.0, 0.0, 1.0, allow_nan_stats=False),
        "uniform of none": lambda: d.Uniform(1.0, 1.0, **both),
    }
    _refused(tf, stage, cases)


def a_distribution_of_its_own(tf, stage):
    d = tf.distributions

    class Plain(d.Distribution):
        def __init__(self, **options):
            given = {"dtype": tf.float32, "validate_args": False, "allow_nan_stats": True}
            given["reparameterization_type"] = d.NOT_REPARAMETERIZED
            super().__init__(**dict(given, **options))

        def _batch_shape(self):
            return tf.TensorShape([2])

        def _log_prob(self, value):
            return -value

    stage.attempt(d.Distribution, tf.float32, d.NOT_REPARAMETERIZED, False, True)
    stage.attempt(Plain, graph_parents=[3])
    stage.attempt(Plain, graph_parents=[tf.constant(1.0)])
    plain = Plain(name="plain")
    with tf.Session() as session:
        for method in (*_STATISTICS, "batch_shape_tensor", "event_shape_tensor", "is_scalar_event"):
            stage.say(method)
            stage.attempt(lambda: session.run(getattr(plain, method)()))  # noqa: B023
        for method in _OF_VALUES:
            stage.say(method)
            stage.attempt(lambda: session.run(getattr(plain, method)([0.5])))  # noqa: B023
        stage.attempt(plain.sample)
        stage.attempt(plain.kl_divergence, d.Normal(0.0, 1.0))
        stage.attempt(lambda: plain.event_shape)
    stage.say(str(plain), repr(plain))
