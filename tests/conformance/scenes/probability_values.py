"""Distributions: values out of range, at boundaries and in tails; validated or not; precisions; samples; names."""

import numpy as np

from tests.conformance.scenes.probability_algebra import _alone

_OF_VALUES = (
    *("log_prob", "prob", "log_cdf", "cdf", "survival_function", "log_survival_function"),
    "quantile",
)
_KINDS = {
    "bernoulli": (lambda d, k, **o: d.Bernoulli(probs=k(0.25), **o), [0, 1, 2, -1]),
    "beta": (lambda d, k, **o: d.Beta(k(0.5), k(2.0), **o), [0.0, 0.5, 1.0, -0.5, 1.5, np.nan]),
    "categorical": (
        lambda d, k, **o: d.Categorical(probs=np.array([0.25, 0.75], k), **o),
        [0, 1, 2, -1],
    ),
    "dirichlet": (
        lambda d, k, **o: d.Dirichlet(np.array([0.5, 2.0], k), **o),
        [[0.25, 0.75], [0.0, 1.0], [0.5, 0.25], [-1.0, 2.0], [np.nan, 0.0]],
    ),
    "dirichlet multinomial": (
        lambda d, k, **o: d.DirichletMultinomial(k(3.0), np.array([0.5, 2.0], k), **o),
        [[1.0, 2.0], [3.0, 0.0], [1.5, 1.5], [-1.0, 4.0], [1.0, 1.0]],
    ),
    "exponential": (
        lambda d, k, **o: d.Exponential(k(2.0), **o),
        [0.0, 1.0, -1.0, 200.0, np.inf, np.nan],
    ),
    "gamma": (
        lambda d, k, **o: d.Gamma(k(1.5), k(2.0), **o),
        [0.0, 1.0, -1.0, 200.0, np.inf, np.nan],
    ),
    "laplace": (
        lambda d, k, **o: d.Laplace(k(1.0), k(2.0), **o),
        [1.0, 0.5, -300.0, 300.0, -np.inf, np.inf, np.nan],
    ),
    "multinomial": (
        lambda d, k, **o: d.Multinomial(k(3.0), probs=np.array([0.25, 0.75], k), **o),
        [[1.0, 2.0], [3.0, 0.0], [1.5, 1.5], [-1.0, 4.0], [1.0, 1.0]],
    ),
    "normal": (
        lambda d, k, **o: d.Normal(k(1.0), k(2.0), **o),
        [1.0, 0.5, -30.0, 30.0, -300.0, 300.0, np.inf, np.nan],
    ),
    "student": (
        lambda d, k, **o: d.StudentT(k(1.5), k(1.0), k(2.0), **o),
        [1.0, -30.0, 1e4, -np.inf, np.nan],
    ),
    "uniform": (
        lambda d, k, **o: d.Uniform(k(-1.0), k(3.0), **o),
        [-1.0, 3.0, 0.0, -2.0, 4.0, np.inf, np.nan],
    ),
}
_LEVELS = (0.0, 1.0, 1e-6, 0.999, -0.5, 1.5)


def _of(name):
    """A scene: a distribution evaluated at given values, in each precision, validated or not."""

    def scene(tf, stage):
        make, values = _KINDS[name]
        for kind, checks in ((np.float32, True), (np.float32, False), (np.float64, False)):
            with tf.Graph().as_default(), tf.Session() as session, stage.failing():
                made = make(tf.distributions, kind, validate_args=checks)
                stage.say(kind.__name__, checks, made)
                as_kind = np.int32 if name in ("bernoulli", "categorical") else kind
                for method in _OF_VALUES:
                    given = [_LEVELS] if method == "quantile" else [values]
                    if checks:
                        given = [[value] for value in given[0]]
                    for value in given:
                        value = np.array(value, kind if method == "quantile" else as_kind)
                        try:
                            stage.say(method, session.run(getattr(made, method)(value)))
                        except NotImplementedError:
                            stage.say(method, "is not there")
                            break
                        except tf.errors.InvalidArgumentError as error:
                            stage.say(method, value, error.message.split("]")[0])
                numbers = []
                for method in ("mean", "variance", "stddev", "mode", "entropy"):
                    with stage.failing():
                        numbers.append(getattr(made, method)())
                stage.say([x.dtype.name for x in numbers], session.run(numbers))
                if name == "multinomial" and kind is np.float64:
                    continue  # TensorFlow draws float32 ones
                draws = [made.sample(2, seed=3), made.sample(seed=3), made.sample([1, 2], 4)]
                stage.say([x.name for x in draws], [x.shape for x in draws], draws[0].dtype)

    return scene


for _name in _KINDS:
    _made = _of(_name)
    _made.__module__ = __name__
    globals()["values_of_" + _name.replace(" ", "_")] = _made


@_alone
def draws(tf, stage):
    tf.set_random_seed(2)
    d = tf.distributions
    fed = lambda x, shape=None: tf.placeholder_with_default(np.int32(x), shape)  # noqa: E731
    loose = tf.placeholder_with_default(np.float32([0.0, 1.0]), None)
    some = tf.placeholder_with_default(np.float32([[0.0, 1.0]]), [None, 2])
    normals = [d.Normal([0.0, 1.0], 1.0), d.Normal(loose, 1.0), d.Normal(some, 1.0)]
    normals.append(d.Multinomial(tf.constant([3.0, 2.0]), probs=[[0.5, 0.5]]))
    normals.append(d.Dirichlet(some + 1.0))
    shapes = ((), 0, 3, [2], [2, 0], [], fed(3), fed([2]), fed([2, 1], [2]), fed([2], [None]))
    with tf.Session() as session:
        for each in normals:
            for shape in shapes:
                with stage.failing():
                    made = each.sample(shape, seed=5)
                    stage.say(made.shape, session.run(tf.shape(made)))
        stage.attempts(
            lambda: normals[0].sample([[2]]),
            lambda: normals[0].sample(2.5),
            lambda: normals[0].sample("a"),
            lambda: session.run(normals[0].sample(fed([[2]]))),
            lambda: session.run(normals[0].sample(-1)),
            lambda: session.run(normals[0].sample(1, seed="a")),
        )
        for seed in (None, 0, 7):
            first, second = normals[0].sample(2, seed=seed), normals[0].sample(2, seed=seed)
            stage.say(session.run(first), session.run(second))
            stage.say([first.op.inputs[0].op.type, first.name])
        for name, (make, _) in _KINDS.items():
            if name not in ("categorical", "multinomial", "dirichlet multinomial"):
                made = make(d, np.float32).sample([2], seed=8)
                stage.say(name, session.run(made), session.run(made))
