"""tf.distributions: parameters and arguments that cannot be, what is not implemented, failing checks."""

import numpy as np


def normal_of_integers(tf):
    tf.distributions.Normal(0, 1)


def normal_of_two_dtypes(tf):
    tf.distributions.Normal(np.float64(0.0), np.float32(1.0))


def normal_of_shapes_that_do_not_broadcast(tf):
    tf.distributions.Normal([0.0, 1.0], [1.0, 2.0, 3.0]).sample()


def scale_below_zero(tf):
    scale = tf.placeholder(tf.float32)
    normal = tf.distributions.Normal(0.0, scale, validate_args=True)
    return normal.mean(), {scale: [1.0, -1.0]}


def cdf_of_half_precision(tf):
    tf.distributions.Normal(np.float16(0.0), np.float16(1.0)).cdf(np.float16(1.0))


def low_above_high(tf):
    low = tf.placeholder(tf.float32, [])
    return tf.distributions.Uniform(low, 2.0, validate_args=True).mean(), {low: 3.0}


def logits_and_probs(tf):
    tf.distributions.Bernoulli(logits=0.0, probs=0.5)


def integer_logits(tf):
    tf.distributions.Categorical(logits=[1, 2])


def scalar_logits(tf):
    tf.distributions.Categorical(logits=1.0)


def one_category(tf):
    tf.distributions.Categorical(logits=[1.0], validate_args=True)


def category_of_bool(tf):
    tf.distributions.Categorical(logits=[1.0, 2.0]).log_prob(tf.constant([True]))


def category_out_of_range(tf):
    k = tf.placeholder(tf.int32, [1])
    return tf.distributions.Categorical(logits=[[1.0, 2.0]]).log_prob(k), {k: [2]}


def probs_above_one(tf):
    probs = tf.placeholder(tf.float32, [1])
    return tf.distributions.Bernoulli(probs=probs, validate_args=True).mean(), {probs: [1.5]}


def probs_that_do_not_sum_to_one(tf):
    probs = tf.placeholder(tf.float32, [2])
    return tf.distributions.Categorical(probs=probs, validate_args=True).entropy(), {
        probs: [0.5, 0.25]
    }


def half_a_coin(tf):
    x = tf.placeholder(tf.float32, [1])
    return tf.distributions.Bernoulli(0.0, validate_args=True).log_prob(x), {x: [0.5]}


def counts_of_another_total(tf):
    n = tf.placeholder(tf.float32, [2])
    counts = tf.distributions.DirichletMultinomial(3.0, [1.0, 2.0], validate_args=True)
    return counts.log_prob(n), {n: [1.0, 1.0]}


def mode_of_a_flat_gamma(tf):
    alpha = tf.placeholder(tf.float32, [2])
    return tf.distributions.Gamma(alpha, 1.0, allow_nan_stats=False).mode(), {alpha: [0.5, 2.0]}


def mode_of_a_batch_of_dirichlets(tf):
    alpha = tf.placeholder(tf.float32, [2, 3])
    return tf.distributions.Dirichlet(alpha).mode(), {alpha: np.ones([2, 3])}


def variance_of_a_double_t(tf):
    number = np.array(3.0)
    tf.distributions.StudentT(number, number, number).variance()


def divergence_of_nan(tf):
    scale = tf.placeholder(tf.float32, [])
    normal = tf.distributions.Normal(0.0, scale, allow_nan_stats=False)
    return normal.kl_divergence(normal), {scale: float("nan")}


def divergence_of_strangers(tf):
    normal = tf.distributions.Normal(0.0, 1.0)
    normal.kl_divergence(tf.distributions.Laplace(0.0, 1.0))


def quantile_of_a_gamma(tf):
    tf.distributions.Gamma(1.0, 1.0).quantile(0.5)


def cdf_of_a_coin(tf):
    tf.distributions.Bernoulli(0.0).log_cdf(1)


def covariance_of_a_normal(tf):
    tf.distributions.Normal(0.0, 1.0).covariance()


def shapes_of_a_dirichlet(tf):
    tf.distributions.Dirichlet.param_shapes([2])


def unknown_static_shapes(tf):
    tf.distributions.Normal.param_static_shapes(tf.TensorShape([None]))


def sample_shape_of_a_matrix(tf):
    tf.distributions.Normal(0.0, 1.0).sample([[1, 2]])


def parent_that_is_no_tensor(tf):
    d = tf.distributions
    d.Distribution(tf.float32, d.NOT_REPARAMETERIZED, False, True, graph_parents=[None])


def divergence_that_cannot_be_called(tf):
    tf.distributions.RegisterKL(int, int)(3)


def multivariate_normal_of_no_size(tf):
    tf.contrib.distributions.MultivariateNormalDiag()


def multivariate_normal_of_other_sizes(tf):
    tf.contrib.distributions.MultivariateNormalDiag([1.0, 2.0, 3.0], [1.0, 2.0])


def multivariate_normal_of_nothing(tf):
    tf.contrib.distributions.MultivariateNormalTriL()


def affine_that_may_be_singular(tf):
    scale = tf.linalg.LinearOperatorFullMatrix(tf.eye(2))
    c = tf.contrib.distributions
    c.bijectors.AffineLinearOperator([1.0, 2.0], scale, validate_args=True)


def multivariate_normal_without_deviation(tf):
    d = tf.contrib.distributions.MultivariateNormalDiag([1.0, 2.0], [1.0, 0.0], validate_args=True)
    return d.sample()


def covariance_that_is_not_symmetric(tf):
    matrix = tf.placeholder_with_default([[2.0, 1.0], [0.0, 2.0]], [2, 2])
    c = tf.contrib.distributions
    return c.MultivariateNormalFullCovariance([1.0, 2.0], matrix, validate_args=True).sample()


def covariance_that_is_not_positive(tf):
    c = tf.contrib.distributions
    return c.MultivariateNormalFullCovariance([1.0, 2.0], [[-2.0, 1.0], [1.0, 2.0]]).sample()


def affine_of_other_dtypes(tf):
    scale = tf.linalg.LinearOperatorDiag([1.0])
    tf.contrib.distributions.bijectors.AffineLinearOperator(np.ones(1), scale)


def affine_of_no_operator(tf):
    tf.contrib.distributions.bijectors.AffineLinearOperator(scale=3.0)


def affine_of_too_few_axes(tf):
    scale = tf.linalg.LinearOperatorDiag(np.ones([4, 2, 3], np.float32))
    tf.contrib.distributions.bijectors.AffineLinearOperator(scale=scale).forward([1.0, 2.0, 3.0])
