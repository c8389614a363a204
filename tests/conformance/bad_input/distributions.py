"""tf.distributions: invalid parameters and arguments, unimplemented methods, failing checks."""

import numpy as np


def category_out_of_range(tf):
    k = tf.placeholder(tf.int32, [1])
    return tf.distributions.Categorical(logits=[[1.0, 2.0]]).log_prob(k), {k: [2]}


def mode_of_a_batch_of_dirichlets(tf):
    alpha = tf.placeholder(tf.float32, [2, 3])
    return tf.distributions.Dirichlet(alpha).mode(), {alpha: np.ones([2, 3])}


def variance_of_a_double_t(tf):
    number = np.array(3.0)
    tf.distributions.StudentT(number, number, number).variance()


def divergence_of_strangers(tf):
    normal = tf.distributions.Normal(0.0, 1.0)
    normal.kl_divergence(tf.distributions.Laplace(0.0, 1.0))


def parent_that_is_no_tensor(tf):
    d = tf.distributions
    d.Distribution(tf.float32, d.NOT_REPARAMETERIZED, False, True, graph_parents=[None])


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


def affine_of_other_dtypes(tf):
    scale = tf.linalg.LinearOperatorDiag([1.0])
    tf.contrib.distributions.bijectors.AffineLinearOperator(np.ones(1), scale)


def affine_of_too_few_axes(tf):
    scale = tf.linalg.LinearOperatorDiag(np.ones([4, 2, 3], np.float32))
    tf.contrib.distributions.bijectors.AffineLinearOperator(scale=scale).forward([1.0, 2.0, 3.0])
