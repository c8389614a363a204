"""tf.contrib.distributions.bijectors: chains, inverses, custom functions, flows, and conditional bijectors."""

import numpy as np

from tests.conformance.scenes.contrib_bijectors import ROOTS, ROWS, SQUARES, WIDE, _told


def of_others(tf, stage):
    b = tf.contrib.distributions.bijectors

    class ByTwo(b.Bijector):
        """A bijector without determinants."""

        def __init__(self, **options):
            super().__init__(forward_min_event_ndims=0, **options)

        def _forward(self, x):
            return x * 2.0

    class _HTTPDouble(ByTwo):
        """A one-way bijector."""

        def _forward_log_det_jacobian(self, x):
            return tf.fill([], np.log(np.float32(2)))

    class Nothing(b.Bijector):
        """A bijector without functions."""

        def __init__(self, *args, **options):
            super().__init__(*args, **options)

    inline = lambda **options: b.Inline(  # noqa: E731
        tf.exp,
        tf.log,
        inverse_log_det_jacobian_fn=lambda y: -tf.reduce_sum(tf.log(y), -1),
        **options,
    )
    _told(
        tf,
        stage,
        {
            "chain": (
                lambda fed: b.Chain([b.AffineScalar(1.0, 2.0), b.Exp(), b.Softplus()]),
                WIDE,
                ROWS + 3,
                1,
            ),
            "empty": (lambda fed: b.Chain(), WIDE, WIDE, 0),
            "empty_list": (lambda fed: b.Chain([], name="own"), WIDE, WIDE, 1),
            "of_ranks": (
                lambda fed: b.Chain([b.CholeskyOuterProduct(), b.FillTriangular(), b.Exp()]),
                WIDE,
                SQUARES,
                2,
            ),
            "of_ranks_back": (
                lambda fed: b.Invert(b.Chain([b.Exp(), b.Invert(b.FillTriangular())], True)),
                ROWS,
                ROOTS,
                2,
            ),
            "chain_of_dtypes": (
                lambda fed: b.Chain([b.Affine([1.0]), b.Affine(np.zeros(1))]),
                WIDE,
                WIDE,
                1,
            ),
            "chain_of_many": (lambda fed: b.Chain([b.AbsoluteValue()]), WIDE, WIDE, 0),
            "inverted": (lambda fed: b.Invert(b.Exp(), name="own"), ROWS, WIDE, 1),
            "inverted_affine": (
                lambda fed: b.Invert(b.Affine([1.0, 2.0, 3.0], 2.0), True),
                WIDE,
                WIDE,
                1,
            ),
            "inverted_many": (lambda fed: b.Invert(b.AbsoluteValue()), WIDE, WIDE, 0),
            "inverted_softmax": (lambda fed: b.Invert(b.SoftmaxCentered()), ROWS, WIDE, 1),
            "inline": (lambda fed: inline(forward_min_event_ndims=1), WIDE, ROWS, 1),
            "inline_ranks": (
                lambda fed: inline(inverse_min_event_ndims=1, is_constant_jacobian=True, name="o"),
                WIDE,
                ROWS,
                2,
            ),
            "inline_shapes": (
                lambda fed: b.Inline(
                    forward_event_shape_fn=lambda shape: shape.concatenate(1),
                    forward_event_shape_tensor_fn=lambda shape: tf.concat([shape, [1]], 0),
                    inverse_event_shape_fn=lambda shape: shape[:-1],
                    inverse_event_shape_tensor_fn=lambda shape: shape[:-1],
                    forward_log_det_jacobian_fn=lambda x: x,
                    forward_min_event_ndims=0,
                    inverse_min_event_ndims=1,
                ),
                WIDE,
                ROWS,
                1,
            ),
            "inline_without": (lambda fed: b.Inline(), WIDE, ROWS, 1),
            "by_two": (lambda fed: ByTwo(), WIDE, ROWS, 1),
            "doubled": (lambda fed: _HTTPDouble(dtype=tf.float32), WIDE, ROWS, 1),
            "of_dtype": (lambda fed: ByTwo(dtype=tf.float64), WIDE, ROWS, 1),
            "nothing": (lambda fed: Nothing(forward_min_event_ndims=1), WIDE, ROWS, 1),
            "without_rank": (lambda fed: Nothing(), WIDE, ROWS, 1),
            "negative": (lambda fed: Nothing(inverse_min_event_ndims=-1), WIDE, ROWS, 1),
            "float_rank": (lambda fed: Nothing(inverse_min_event_ndims=1.0), WIDE, ROWS, 1),
            "parents": (lambda fed: Nothing([1.0], inverse_min_event_ndims=1), WIDE, ROWS, 1),
            "float_event": (lambda fed: b.Exp(), WIDE, ROWS, 1.0),
            "vector_event": (lambda fed: b.Exp(validate_args=True), WIDE, ROWS, [1]),
        },
    )


def flows(tf, stage):
    b = tf.contrib.distributions.bijectors
    net = lambda x, units: (tf.tile(x[:, :1], [1, units]), tf.tile(x[:, -1:] / 10, [1, units]))  # noqa: E731
    before = lambda x: (tf.cumsum(x, -1, exclusive=True), tf.cumsum(x, -1, exclusive=True) / 4)  # noqa: E731
    layer = lambda **options: tf.layers.BatchNormalization(**options)  # noqa: E731
    _told(
        tf,
        stage,
        {
            "real": (lambda fed: b.RealNVP(1, net), WIDE, WIDE, 1),
            "real_of_two": (lambda fed: b.RealNVP(2, net, name="own"), WIDE, WIDE, 1),
            "real_shift": (
                lambda fed: b.RealNVP(1, lambda x, n: (net(x, n)[0], None), True),
                WIDE,
                WIDE,
                1,
            ),
            "real_scale": (
                lambda fed: b.RealNVP(1, lambda x, n: (None, net(x, n)[1])),
                WIDE,
                WIDE,
                1,
            ),
            "real_all": (lambda fed: b.RealNVP(3, net), WIDE, WIDE, 1),
            "real_none": (lambda fed: b.RealNVP(0, net), WIDE, WIDE, 1),
            "real_template": (
                lambda fed: b.RealNVP(2, b.real_nvp_default_template([3, 2], name="n")),
                WIDE,
                WIDE,
                1,
            ),
            "real_template_shift": (
                lambda fed: b.RealNVP(
                    1, b.real_nvp_default_template([2], True, tf.nn.tanh, "n", use_bias=False)
                ),
                WIDE,
                WIDE,
                1,
            ),
            "masked": (lambda fed: b.MaskedAutoregressiveFlow(before), WIDE / 9, WIDE / 9, 1),
            "masked_unrolled": (
                lambda fed: b.MaskedAutoregressiveFlow(
                    lambda x: (None, before(x)[1]), unroll_loop=True
                ),
                WIDE / 9,
                WIDE / 9,
                1,
            ),
            "masked_shift": (
                lambda fed: b.MaskedAutoregressiveFlow(
                    lambda x: (before(x)[0], None), True, name="own"
                ),
                WIDE / 9,
                WIDE / 9,
                1,
            ),
            "masked_template": (
                lambda fed: b.MaskedAutoregressiveFlow(
                    b.masked_autoregressive_default_template(
                        [6, 3], log_scale_min_clip=-0.1, log_scale_max_clip=0.2
                    )
                ),
                WIDE,
                WIDE,
                1,
            ),
            "masked_template_shift": (
                lambda fed: b.MaskedAutoregressiveFlow(
                    b.masked_autoregressive_default_template(
                        [3], True, tf.nn.tanh, name="n", kernel_initializer=tf.ones_initializer()
                    )
                ),
                WIDE,
                WIDE,
                1,
            ),
            "batch": (lambda fed: b.BatchNormalization(), WIDE, WIDE, 1),
            "batch_averages": (lambda fed: b.BatchNormalization(training=False), WIDE, WIDE, 1),
            "batch_plain": (
                lambda fed: b.BatchNormalization(layer(center=False, axis=1, epsilon=0.1)),
                WIDE,
                WIDE,
                1,
            ),
            "batch_first": (
                lambda fed: b.BatchNormalization(
                    layer(
                        axis=1,
                        beta_initializer=tf.constant_initializer([1.0, 2.0]),
                        gamma_initializer=tf.constant_initializer([3.0, 0.5]),
                        moving_variance_initializer=tf.constant_initializer([4.0, 0.25]),
                    ),
                    False,
                ),
                np.stack([WIDE, WIDE + 1], 1)[:, :, :2].reshape(2, 2, 2),
                np.stack([WIDE, WIDE + 1], 1)[:, :, :2].reshape(2, 2, 2),
                1,
            ),
            "batch_without_scale": (
                lambda fed: b.BatchNormalization(layer(scale=False)),
                WIDE,
                WIDE,
                1,
            ),
            "batch_renormalized": (
                lambda fed: b.BatchNormalization(layer(renorm=True)),
                WIDE,
                WIDE,
                1,
            ),
            "batch_virtual": (
                lambda fed: b.BatchNormalization(layer(virtual_batch_size=1)),
                WIDE,
                WIDE,
                1,
            ),
            "batch_of_dense": (lambda fed: b.BatchNormalization(tf.layers.Dense(1)), WIDE, WIDE, 1),
        },
    )


def with_conditions(tf, stage):
    of = tf.contrib.distributions

    class Shift(of.bijectors.ConditionalBijector):
        """A bijector that shifts by an argument."""

        def __init__(self, name):
            super().__init__(forward_min_event_ndims=0, name=name)

        def _forward(self, x, by=1.0, **others):
            return x + by

        def _inverse(self, y, by=1.0, **others):
            return y - by

        def _inverse_log_det_jacobian(self, y, by=1.0, **others):
            return tf.fill([], by)

    shift = Shift("shift")
    x = tf.constant(WIDE)
    first = shift.forward(x, by=2.0)
    stage.say(first is shift.forward(x, by=2.0), first is shift.forward(x), shift.inverse(first))
    stage.say(shift.inverse(first, by=2.0) is x, shift.inverse(first, name="n", by=2.0).name)
    stage.say(shift.forward(x, by=2.0, more=(1, 2)) is first)
    log = shift.inverse_log_det_jacobian(x, 1, by=2.0)
    stage.say(log is shift.inverse_log_det_jacobian(x, 1, by=2.0))
    chain = of.bijectors.Chain([shift, of.bijectors.Exp(), Shift("other")])
    both = of.ConditionalTransformedDistribution(of.Normal(0.0, [1.0, 2.0, 3.0]), shift)
    several = of.ConditionalTransformedDistribution(of.Normal(0.0, 1.0), chain, event_shape=[3])
    log_normal = of.ConditionalTransformedDistribution(of.Normal(0.0, 1.0), of.bijectors.Exp())
    folded = of.ConditionalTransformedDistribution(
        of.Normal(0.5, 1.0), of.bijectors.AbsoluteValue()
    )
    with tf.Session() as session:
        for key in (
            lambda: [first, log],
            lambda: both.sample(2, seed=1, bijector_kwargs={"by": 5.0}),
            lambda: both.log_prob(x, bijector_kwargs={"by": 5.0}),
            lambda: both.prob(x, bijector_kwargs={"by": 5.0}),
            lambda: both.cdf(x, bijector_kwargs={"by": 5.0}),
            lambda: both.log_cdf(x, bijector_kwargs={"by": 5.0}),
            lambda: both.survival_function(x, bijector_kwargs={"by": 5.0}),
            lambda: both.log_survival_function(x, bijector_kwargs={"by": 5.0}),
            lambda: both.quantile(0.25),
            lambda: several.sample(2, seed=1),
            lambda: several.log_prob(ROWS),
            lambda: several.prob(ROWS),
            lambda: several.cdf(ROWS),
            lambda: log_normal.log_prob(ROWS, distribution_kwargs={"name": "own"}),
            lambda: log_normal.prob(ROWS),
            lambda: log_normal.quantile(0.25),
            lambda: folded.log_prob(ROWS),
            lambda: folded.prob(ROWS),
            lambda: folded.sample([2], seed=4),
            lambda: folded.cdf(ROWS),
            lambda: folded.quantile(0.5),
        ):
            stage.attempt(lambda: session.run(key()))  # noqa: B023  called here
