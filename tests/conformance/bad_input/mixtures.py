"""tf.contrib.distributions: invalid parameters and components."""


def half_a_count(tf):
    x = tf.placeholder(tf.float32, [])
    return tf.contrib.distributions.Poisson(1.0, validate_args=True).prob(x), {x: 0.5}


def logistic_of_a_negative_scale(tf):
    scale = tf.placeholder(tf.float32, [])
    return tf.contrib.distributions.Logistic(0.0, scale, validate_args=True).mean(), {scale: -1.0}


def negative_tolerance(tf):
    atol = tf.placeholder(tf.float32, [])
    return tf.contrib.distributions.Deterministic(1.0, atol, validate_args=True).prob(1.0), {
        atol: -1.0
    }


def vectors_of_two_spaces(tf):
    x = tf.placeholder(tf.float32, [None])
    point = tf.contrib.distributions.VectorDeterministic([1.0, 2.0], validate_args=True)
    return point.prob(x), {x: [1.0]}


def relaxed_logarithms_above_zero(tf):
    x = tf.placeholder(tf.float32, [2])
    c = tf.contrib.distributions
    relaxed = c.ExpRelaxedOneHotCategorical(0.5, [0.0, 1.0], validate_args=True)
    return relaxed.log_prob(x), {x: [0.5, -1.0]}


def mixture_of_one_more_class(tf):
    c = tf.contrib.distributions
    c.Mixture(c.Categorical([0.0, 1.0]), [c.Normal(0.0, 1.0)])


def mixture_of_nothing(tf):
    c = tf.contrib.distributions
    c.Mixture(c.Categorical([0.0, 1.0]), [])


def mixture_of_a_dict(tf):
    c = tf.contrib.distributions
    c.Mixture(c.Categorical([0.0, 1.0]), {"a": 1})


def mixture_by_a_coin(tf):
    c = tf.contrib.distributions
    coin = c.Bernoulli(0.0, name="coin")
    c.Mixture(coin, [c.Normal(0.0, 1.0)] * 2)


def mixture_of_shapes(tf):
    c = tf.contrib.distributions
    c.Mixture(c.Categorical([0.0, 1.0]), [c.Normal(0.0, 1.0), c.Normal([0.0, 1.0], 1.0)])


def family_of_one_more(tf):
    c = tf.contrib.distributions
    c.MixtureSameFamily(c.Categorical([0.0, 1.0]), c.Normal([0.0, 1.0, 2.0], 1.0))


def family_by_floats(tf):
    c = tf.contrib.distributions
    c.MixtureSameFamily(c.Normal(0.0, 1.0), c.Normal([0.0, 1.0], 1.0))


def family_of_another_batch(tf):
    c = tf.contrib.distributions
    c.MixtureSameFamily(c.Categorical([[0.0, 1.0]] * 2), c.Normal([[0.0, 1.0]] * 3, 1.0))


def batch_of_a_batch(tf):
    c = tf.contrib.distributions
    c.TransformedDistribution(c.Normal([0.0], 1.0), c.bijectors.Exp(), batch_shape=[2])


def event_of_no_elements(tf):
    c = tf.contrib.distributions
    c.TransformedDistribution(c.Normal(0.0, 1.0), c.bijectors.Exp(), event_shape=[0])


def cdf_of_several_draws(tf):
    c = tf.contrib.distributions
    c.TransformedDistribution(c.Normal(0.0, 1.0), c.bijectors.Exp(), event_shape=[2]).cdf(1.0)


def entropy_of_a_log_normal(tf):
    c = tf.contrib.distributions
    c.TransformedDistribution(c.Normal(0.0, 1.0), c.bijectors.Exp()).entropy()


def bijector_without_a_rank(tf):
    class Own(tf.contrib.distributions.bijectors.Bijector):
        def __init__(self):
            super().__init__()

    Own()


def relaxed_coin_of_a_negative_temperature(tf):
    temperature = tf.placeholder(tf.float32, [])
    coin = tf.contrib.distributions.RelaxedBernoulli(temperature, 0.0, validate_args=True)
    return coin.sample(), {temperature: -1.0}


def logarithm_of_a_negative_number(tf):
    y = tf.placeholder(tf.float32, [])
    return tf.contrib.distributions.bijectors.Exp(validate_args=True).inverse(y), {y: -1.0}
