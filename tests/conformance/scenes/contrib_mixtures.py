"""Rare paths of tf.contrib.distributions: errors of mixtures, shapes unknown before a run, a head."""

import numpy as np

from tests.conformance import scenes
from tests.conformance.scenes.contrib_of_options import _FULL, _ROOT, _TWO


def _tried(tf, stage, cases):
    """Records what each function returns, with shapes and values of tensors."""
    for function in cases:
        with tf.Graph().as_default(), tf.Session() as session, stage.failing():
            tf.set_random_seed(1)
            made = function()
            leaves = [x for x in tf.nest.flatten(made) if isinstance(x, tf.Tensor)]
            if not leaves:
                stage.say(made)
                continue
            stage.say([(x.name, str(x.shape), x.dtype.name) for x in leaves])
            stage.say(session.run(leaves))


def mixtures_refused(tf, stage):
    d = tf.contrib.distributions
    cat = lambda n=2, **o: d.Categorical(probs=[1.0 / n] * n, **o)  # noqa: E731
    normal = lambda *a: d.Normal(*(a or (0.0, 1.0)))  # noqa: E731
    pair = lambda: [normal(), normal(2.0, 0.5)]  # noqa: E731
    loose = scenes.unknown(tf)
    ranked = scenes.unknown(tf, True)
    family = d.MixtureSameFamily

    def lower():
        of_two = d.Mixture(
            d.Categorical([[0.0, 1.0]]), [normal([0.0], [1.0]), normal([1.0], [3.0])]
        )
        return [of_two.entropy_lower_bound(), of_two.entropy_lower_bound(name="mine")]

    def fed(**options):
        made = d.Mixture(
            d.Categorical(ranked([[0.0, 1.0]])[:, :2]) if options.pop("sliced", False) else cat(),
            [normal(), normal(loose(2.0), 1.0)],
            **options,
        )
        return [
            made.mean(),
            made.sample(3, seed=2),
            made.batch_shape_tensor(),
            made.event_shape_tensor(),
        ]

    def vectors(**options):
        parts = [
            d.MultivariateNormalDiag(ranked([[0.0, 1.0]]), [1.0, 2.0]),
            d.MultivariateNormalDiag([[3.0, 1.0]], [1.0, 2.0]),
        ]
        made = d.Mixture(
            d.Categorical(tf.placeholder_with_default([[0.0, 1.0]], [None, 2])), parts, **options
        )
        n = tf.placeholder_with_default(2, [])
        return [
            *(made.sample(n, seed=2), made.sample(3, seed=2), made.mean(), made.variance()),
            *(made.log_prob([[0.5, 0.25]]), made.entropy_lower_bound(), made.event_shape_tensor()),
            *(made.batch_shape_tensor(), made.stddev(), made.covariance()),
        ]

    def unfit():
        made = d.Mixture(
            d.Categorical(tf.placeholder_with_default([[0.0, 1.0]] * 2, [None, 2])),
            [d.Normal(loose([0.0]), 1.0), d.Normal(loose([0.0]), 1.0)],
            validate_args=True,
        )
        return made.mean()

    def several():
        made = family(
            d.Categorical(loose([[0.0, 1.0]])),
            d.MultivariateNormalDiag(loose([[[0.0, 1.0], [2.0, 3.0]]]), [1.0, 2.0]),
        )
        return [
            *(made.sample(2, seed=3), made.mean(), made.log_prob(loose([[0.5, 0.25]]))),
            *(made.batch_shape_tensor(), made.event_shape_tensor(), made.covariance()),
        ]

    _tried(
        tf,
        stage,
        [
            lambda: d.Mixture(normal(), pair()),
            lambda: d.Mixture(cat(), []),
            lambda: d.Mixture(cat(), {0: normal()}),
            lambda: d.Mixture(cat(), [normal(), 3]).name.x,
            lambda: d.Mixture(cat(), [normal(), d.Normal(np.float64(0.0), np.float64(1.0))]),
            lambda: d.Mixture(cat(3), pair()),
            lambda: d.Mixture(cat(), [normal(), normal([0.0, 1.0], 1.0)]),
            lambda: d.Mixture(cat(), [normal(), d.MultivariateNormalDiag([0.0])]),
            lambda: d.Mixture(d.Categorical(loose([0.0, 1.0])), pair()),
            lambda: d.Mixture(cat(), [d.Independent(normal(loose([0.0]), 1.0), loose(1))] * 2),
            lower,
            fed,
            lambda: fed(use_static_graph=True),
            lambda: fed(validate_args=True),
            vectors,
            lambda: vectors(use_static_graph=True),
            unfit,
            lambda: d.Mixture(cat(), pair()).cat.name,
            lambda: d.Mixture(cat(), pair()).num_components,
            lambda: family(cat(dtype=tf.float32), normal([0.0, 1.0], 1.0)),
            lambda: family(
                d.OneHotCategorical([0.0, 1.0], dtype=tf.int32), normal([0.0, 1.0], 1.0)
            ),
            lambda: family(d.Categorical([[0.0, 1.0]] * 2), normal([[0.0, 1.0]] * 3, 1.0)),
            lambda: family(cat(3), normal([0.0, 1.0], 1.0)),
            lambda: family(cat(), normal()),
            several,
        ],
    )


def shapes_only_a_run_knows(tf, stage):
    d = tf.contrib.distributions
    b = d.bijectors
    loose = scenes.unknown(tf)

    def told(made, value, *methods):
        def case():
            one = made()
            found = [one.batch_shape_tensor(), one.event_shape_tensor(), one.is_scalar_batch()]
            found += [one.sample(2, seed=3), one.log_prob(value)]
            return found + [getattr(one, m)() for m in methods]

        return case

    row = np.float32([0.5, 2.0])
    _tried(
        tf,
        stage,
        [
            told(lambda: d.Geometric(loose(_TWO)), row, "mean", "variance", "mode"),
            told(lambda: d.HalfNormal(loose(_TWO)), row, "mean", "variance", "entropy"),
            told(
                lambda: d.NegativeBinomial(loose(_TWO), [0.5, 0.25]), np.float32([1.0, 0.0]), "mean"
            ),
            told(lambda: d.Deterministic(loose(_TWO)), row, "mean"),
            told(lambda: d.VectorDeterministic(loose([_TWO])), row, "mean"),
            told(lambda: d.VectorDeterministic(loose(_TWO), validate_args=True), row, "mode"),
            told(lambda: d.VectorDeterministic(1.0), row),
            told(lambda: d.VectorDeterministic(loose(np.float32(1.0)), validate_args=True), row),
            told(lambda: d.QuantizedDistribution(d.Normal(loose(_TWO), 1.0)), row),
            told(lambda: d.Beta(loose(_TWO), 2.0), np.float32([0.5, 0.25]), "mean", "mode"),
            told(lambda: d.Beta(_TWO + 1, 2.0, allow_nan_stats=False), np.float32([0.5]), "mode"),
            told(
                lambda: d.Dirichlet(loose(_TWO + 1.0), allow_nan_stats=False),
                np.float32([0.5, 0.5]),
                "mode",
            ),
            told(lambda: d.Multinomial(2.0, loose(_TWO)), np.float32([1.0, 1.0]), "mean"),
            told(
                lambda: d.Kumaraswamy(_TWO + 1, 2.0, allow_nan_stats=False),
                np.float32([0.5, 0.25]),
                "mode",
            ),
            told(lambda: d.WishartCholesky(3.0, loose(_ROOT)), _FULL, "mean"),
            told(
                lambda: d.MultivariateNormalTriL(loose(_TWO), loose(_ROOT)),
                row,
                "mean",
                "covariance",
            ),
            told(lambda: d.PoissonLogNormalQuadratureCompound(loose(_TWO), 1.0, 3), row, "mean"),
            told(
                lambda: d.TransformedDistribution(
                    d.Normal(loose(_TWO), 1.0), b.Affine(scale_diag=_TWO), event_shape=[2]
                ),
                row,
            ),
            told(
                lambda: d.TransformedDistribution(
                    d.Normal(0.0, 1.0), b.Exp(), loose([2]), loose([3]), validate_args=True
                ),
                np.ones([2, 3], np.float32),
            ),
            told(lambda: d.RelaxedOneHotCategorical(0.5, loose(_TWO)), np.float32([0.5, 0.5])),
            told(
                lambda: d.Autoregressive(
                    lambda x: d.Independent(d.Normal(x * 0.5, 1.0), 1), loose(_TWO), 2
                ),
                row,
            ),
            lambda: d.Autoregressive(
                lambda x: d.Independent(d.Normal(loose(_TWO), 1.0), 1), loose(_TWO)
            ),
            lambda: (
                d.Autoregressive(lambda x: d.Independent(d.Normal(x, 1.0), 1), _TWO)
                .sample(seed=None)
                .shape
            ),
            *[
                lambda kind=kind: kind.param_shapes([2, 3])
                for kind in (
                    d.Binomial,
                    d.Chi2,
                    d.Geometric,
                    d.HalfNormal,
                    d.Poisson,
                    d.RelaxedBernoulli,
                )
            ],
            *[
                lambda kind=kind: kind.param_static_shapes([2])
                for kind in (d.Normal, d.Chi2, d.Gamma, d.Mixture, d.RelaxedBernoulli)
            ],
            lambda: d.Normal.param_static_shapes(tf.TensorShape([3, 2])),
            lambda: d.Normal.param_static_shapes(tf.TensorShape([None, 2])),
            lambda: d.Normal.param_static_shapes(tf.placeholder(tf.int32, [1])),
        ],
    )


def conditions_and_checks(tf, stage):
    d = tf.contrib.distributions
    b = d.bijectors
    loose = scenes.unknown(tf)
    normal = lambda **o: d.Normal([0.0, 1.0], 1.0, **o)  # noqa: E731

    class Around(d.ConditionalDistribution):
        def __init__(self):
            kind = d.FULLY_REPARAMETERIZED
            super().__init__(tf.float32, kind, False, True, name="Around", graph_parents=[])

        def _batch_shape(self):
            return tf.TensorShape([])

        def _event_shape(self):
            return tf.TensorShape([2])

        def _sample_n(self, n, seed=None, center=0.0):
            return tf.ones([n, 2]) * center

        def _log_prob(self, value, center=0.0):
            return -tf.reduce_sum((value - center) ** 2, -1)

        def _cdf(self, value, center=0.0):
            return tf.reduce_sum(value, -1) * center

    class More(Around):
        def _prob(self, value, center=0.0):
            return center

        def _log_cdf(self, value, center=0.0):
            return center + 1.0

        def _survival_function(self, value, center=0.0):
            return center + 2.0

        def _log_survival_function(self, value, center=0.0):
            return center + 3.0

    around = lambda: Around()  # noqa: E731
    value = [0.5, 0.25]
    hand = lambda **o: d.QuantizedDistribution(d.Uniform(loose(0.0), 3.5), 1.0, 3.0, **o)  # noqa: E731
    quadrature = d.PoissonLogNormalQuadratureCompound

    class Bare(d.Distribution):
        def __init__(self, **parts):
            self.parts = parts
            super().__init__(
                tf.float32, d.NOT_REPARAMETERIZED, False, True, name="Bare", graph_parents=[]
            )

        def _batch_shape(self):
            return tf.TensorShape([])

        def _event_shape(self):
            return tf.TensorShape([])

        def _cdf(self, x):
            return tf.sigmoid(x)

    _tried(
        tf,
        stage,
        [
            lambda: around().sample(3, center=2.0),
            lambda: around().sample([2, 1], name="mine"),
            lambda: around().sample(loose([2]), center=1.0),
            lambda: around().log_prob(value, center=1.0),
            lambda: More().prob(value, center=1.0, name="mine"),
            lambda: around().cdf(value, center=2.0),
            lambda: More().log_cdf(value, center=2.0),
            lambda: More().survival_function(value, center=0.5),
            lambda: More().log_survival_function(value, center=0.5),
            lambda: around().prob(value),
            lambda: around().log_cdf(value),
            lambda: around().survival_function(value),
            lambda: d.QuantizedDistribution(Bare()).log_prob([1.0, 0.0]),
            lambda: d.QuantizedDistribution(Bare()).prob([1.0, 0.0]),
            lambda: hand().log_prob([1.0, 2.0, 3.0]),
            lambda: hand(validate_args=True).prob([1.0, 2.5]),
            lambda: d.BatchReshape(normal(), [2, -2]),
            lambda: d.BatchReshape(normal(), [2, 1]).log_survival_function([[0.5], [0.25]]),
            lambda: d.BatchReshape(normal(), [2, 1]).survival_function([[0.5], [0.25]]),
            lambda: d.BatchReshape(normal(), [2, 1]).quantile([[0.5], [0.25]]),
            lambda: d.BatchReshape(normal(), [2, 1]).cdf(loose([[0.5], [0.25]])),
            lambda: d.BatchReshape(normal(), [2, 1]).log_prob([0.5, 0.25, 1.0]),
            lambda: d.BatchReshape(normal(), loose([2, 1])).log_prob(loose([[[0.5], [1.0]]])),
            lambda: d.BatchReshape(
                normal(), loose([-1, 2]), validate_args=True
            ).batch_shape_tensor(),
            lambda: d.kl_divergence(
                d.Independent(d.Normal(loose(_TWO), 1.0), 1),
                d.Independent(d.Normal(loose(_TWO), 2.0), 1),
            ),
            lambda: d.Poisson(1),
            lambda: d.Poisson(log_rate=[1, 2]),
            lambda: d.Poisson(),
            lambda: d.Poisson(1.0, 1.0),
            lambda: d.Bernoulli(logits=[1, 2]),
            lambda: d.Categorical([1.0, 2.0]).log_prob([True]),
            lambda: d.Categorical([1.0, 2.0]).log_prob([1.0, 0.0]),
            lambda: d.Categorical(loose([1.0, 2.0])).prob(loose([1, 0])),
            lambda: quadrature(
                0.0, 1.0, 3, lambda *a: (tf.constant([1.0], tf.float64), tf.constant([1.0]))
            ),
            lambda: quadrature(loose(0.0), loose(1.0), 2, validate_args=True).mean(),
            lambda: quadrature(np.float64(0.0), np.float64(1.0), 2).variance(),
            lambda: d.QuantizedDistribution(
                normal(validate_args=True), 1.0, 0.0, validate_args=True
            ).mean(),
            lambda: b.Affine(shift=loose([1.0, 2.0]), scale_tril=loose(_ROOT)).forward(
                loose([[1.0, 2.0]])
            ),
            lambda: b.Affine(
                scale_perturb_factor=loose([[1.0], [2.0]]), scale_identity_multiplier=2.0
            ).inverse([1.0, 2.0]),
            lambda: b.Permute(loose([1, 0]), validate_args=True).forward(loose([1.0, 2.0])),
            lambda: b.Permute([1, 0]).inverse_log_det_jacobian([1.0, 2.0], 1),
            lambda: b.Permute([1, 0]).forward_log_det_jacobian([1.0, 2.0], 1),
            lambda: b.Permute([1, 1]).forward([1.0, 2.0]),
            lambda: b.Reshape([2], [1, 2]).inverse_log_det_jacobian([1.0, 2.0], 1),
            lambda: b.Reshape([2], loose([1, 2]), validate_args=True).forward([[1.0, 2.0]]),
            lambda: b.Exp().forward_log_det_jacobian(1.0, [0]),
            lambda: b.Exp(validate_args=True).forward_log_det_jacobian(1.0, loose(0)),
            lambda: b.Exp(validate_args=True).forward_log_det_jacobian(1.0, loose([0])),
            lambda: b.SoftmaxCentered().inverse_event_shape([]),
            lambda: b.SoftmaxCentered().forward_event_shape(tf.TensorShape(None)),
            lambda: b.PowerTransform(-1.0),
            lambda: d.matrix_diag_transform(loose(_ROOT), tf.exp),
            lambda: d.softplus_inverse(loose(_TWO)),
            lambda: d.tridiag(_TWO, _TWO, loose(_TWO)),
        ],
    )


def heads_of_distributions(tf, stage):
    d = tf.contrib.distributions
    made = d.estimator_head_distribution_regression
    kinds = tf.contrib.learn.ModeKeys

    def normal(logits):
        return d.Normal(logits[..., 0], tf.nn.softplus(logits[..., 1]))

    def several(logits):
        return d.MultivariateNormalDiag(logits[..., :2], tf.nn.softplus(logits[..., 2:]))

    def ops(head, labels, mode=kinds.EVAL, size=2, features=None):
        def case():
            tf.train.create_global_step()
            logits = tf.constant(np.arange(2 * size, dtype=np.float32).reshape(2, size) / 4)
            train = lambda loss: tf.no_op()  # noqa: E731
            one = head()
            found = one.create_model_fn_ops(features or {}, mode, labels, train, logits=logits)
            stage.say(one.logits_dimension, sorted(one.distributions, key=str) != [])
            stage.say(one.distribution(logits) is one.distribution(logits))
            stage.say(
                sorted(map(str, found.predictions or {})), sorted(found.eval_metric_ops or {})
            )
            return [found.loss] if found.loss is not None else list(found.predictions.values())

        return case

    _tried(
        tf,
        stage,
        [
            lambda: made(3),
            ops(lambda: made(normal, logits_dimension=2), [[1.0], [2.0]]),
            ops(lambda: made(normal, logits_dimension=2), None, kinds.INFER),
            ops(
                lambda: made(normal, 1, 2, "y", None, False, "mine"), {"y": np.float32([1.0, 2.0])}
            ),
            ops(lambda: made(several, 2, 4), np.float32([[1.0, 2.0], [3.0, 1.0]]), size=4),
            ops(lambda: made(normal, 2), np.float32([[1.0], [2.0]])),
            lambda: ops(
                lambda: made(normal, 1, 2, weight_column_name="w"),
                np.float32([[1.0], [2.0]]),
                features={"w": tf.constant([1.0, 3.0])},
            )(),
            lambda: ops(
                lambda: made(several, 2, 4),
                tf.placeholder_with_default(np.float32([[1.0, 2.0], [3.0, 1.0]]), [None, 2]),
                size=4,
            )(),
        ],
    )
