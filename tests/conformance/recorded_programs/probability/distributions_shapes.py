"""Sample shapes as tensors, static sample shapes, a custom distribution and divergence."""


def build(tf):
    d = tf.distributions

    class Triangle(d.Distribution):
        """A distribution with density 2 x on [0, 1] that defines only the methods not derivable from others."""

        def __init__(self, size, name="Triangle"):
            self._size = tf.convert_to_tensor(size)
            super().__init__(
                dtype=tf.float32,
                reparameterization_type=d.NOT_REPARAMETERIZED,
                validate_args=False,
                allow_nan_stats=True,
                parameters={"size": size},
                graph_parents=[self._size],
                name=name,
            )

        def _sample_n(self, n, seed=None):
            shape = tf.concat([[n], self._size], 0)
            return tf.sqrt(tf.random_uniform(shape, seed=seed))

        def _prob(self, value):
            return 2.0 * value

        def _log_cdf(self, value):
            return 2.0 * tf.log(value)

        def _variance(self):
            return tf.constant(1.0 / 18.0)

        def _batch_shape_tensor(self):
            return tf.identity(self._size)

    @d.RegisterKL(Triangle, d.Uniform)
    def kl(a, b, name=None):
        with tf.name_scope(name, "kl_triangle_uniform", [b.low]):
            return tf.log(2.0 * b.range()) - 0.5

    size = tf.placeholder(tf.int32, [None], name="size")
    shape = tf.placeholder(tf.int32, name="shape")
    vector = tf.placeholder(tf.int32, [2], name="vector")
    number = tf.placeholder(tf.int32, [], name="number")
    own = Triangle([2])
    other = Triangle(size, name="other")
    normal = d.Normal([0.0, 1.0], 1.0)
    unknown = d.Normal(tf.placeholder_with_default([0.0, 1.0], None), 1.0, name="unknown")
    samples = []
    for one in (own, other, normal, unknown):
        samples += [one.sample(s, seed=2) for s in ([], [3], shape, vector, number, [number, 1])]
    values = [
        own.log_prob([0.25, 0.5]),
        own.cdf(0.5),
        own.survival_function(0.5),
        own.log_survival_function(0.5),
        own.stddev(),
        own.kl_divergence(d.Uniform(0.0, [1.0, 2.0])),
        own.batch_shape_tensor(),
        other.batch_shape_tensor("sized"),
        own.is_scalar_batch(),
        other.is_scalar_batch(),
        normal.is_scalar_batch(),
        normal.is_scalar_event(),
        unknown.is_scalar_batch(),
        normal.event_shape_tensor(),
        normal.batch_shape_tensor(),
        unknown.batch_shape_tensor(),
    ]
    shapes = d.Normal.param_shapes(vector)
    values += [shapes["loc"], shapes["scale"]]
    feed = {size: [1, 2], shape: [2, 1], vector: [1, 2], number: 2}
    return {
        "facts": {
            "text": [repr(one) for one in (own, other, unknown)],
            "copied": own.copy(size=[3]).name,
            "missing": [hasattr(own, m) for m in ("loc", "sample_n")],
        },
        "steps": [
            ("samples", samples, feed),
            ("one", samples[2], {shape: 4}),
            ("values", values, feed),
        ],
    }
