"""Monte Carlo estimates of expectations, by importance sampling or with score function gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.distribution import Distribution


@deprecated(
    "2018-10-01",
    "The tf.contrib.bayesflow library has moved to TensorFlow Probability "
    "(https://github.com/tensorflow/probability). Use `tfp.monte_carlo.expectation` instead.",
    warn_once=True,
)
def expectation(
    f: Callable[..., Any],
    samples: TensorLike,
    log_prob: Callable[..., Any] | None = None,
    use_reparametrization: bool = True,
    axis: TensorLike = 0,
    keep_dims: bool = False,
    name: str | None = None,
) -> Tensor:
    """Returns the mean of f(samples), which estimates the expectation E_p[f(x)] for samples of p.

    Args:
      f: a function of samples.
      samples: a float tensor of samples from p.
      log_prob: log density of p, a function of samples; required for the score function gradient.
      use_reparametrization: whether gradients flow through the samples; otherwise, the score function gradient is used,
        the gradient of f(x) + f(x) log p(x) for constant samples.
      axis: dimensions to average, None for all.
      keep_dims: whether to keep the reduced dimensions with size 1.
      name: the name scope of the nodes, "expectation" by default.

    Returns:
      The mean of f's values over `axis`.

    Raises:
      ValueError: if `f`, or `log_prob` where required, is not callable.

    Example:
      normal = tf.distributions.Normal(loc, 1.0)
      tf.contrib.bayesflow.monte_carlo.expectation(tf.square, normal.sample(1000))
    """
    with name_scope(name, "expectation", [samples]):
        if not callable(f):
            raise ValueError("`f` must be a callable function.")
        if use_reparametrization:
            return ops.reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("`log_prob` must be a callable function.")
        fixed = ops.stop_gradient(samples)
        score = log_prob(fixed)
        values = f(fixed)
        values += ops.stop_gradient(values) * (score - ops.stop_gradient(score))
        return ops.reduce_mean(values, axis=axis, keepdims=keep_dims)


def expectation_importance_sampler(
    f: Callable[..., Any],
    log_p: Callable[..., Any],
    sampling_dist_q: Distribution,
    z: TensorLike | None = None,
    n: TensorLike | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler",
) -> Tensor:
    """Returns an estimate of E_p[f(x)] from samples of q: the mean of f(z) p(z) / q(z), computed in log space.

    Args:
      f: a function from samples to values of q's batch shape.
      log_p: log density of p, a function of samples.
      sampling_dist_q: the distribution q.
      z: samples of q, instead of `n`.
      n: number of samples to draw, an int.
      seed: sampling seed, an int.

    Returns:
      A tensor of q's batch shape and dtype.

    Raises:
      ValueError: if both or neither of `z` and `n` are given.
    """
    q = sampling_dist_q
    with name_scope(name, values=[z, n]):
        z = _samples(q, z, n, seed)
        target, density = log_p(z), q.log_prob(z)
        values = f(z)
        # One is added to each part: its logarithm is at least 0, and the ones cancel.
        above = ops.log(ops.relu(values) + 1.0)
        log_negative = ops.log(ops.relu(-1.0 * values) + 1.0)
        log_above = _log_mean(above + target - density)
        log_below = _log_mean(log_negative + target - density)
    return ops.exp(log_above) - ops.exp(log_below)


def expectation_importance_sampler_logspace(
    log_f: Callable[..., Any],
    log_p: Callable[..., Any],
    sampling_dist_q: Distribution,
    z: TensorLike | None = None,
    n: TensorLike | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler_logspace",
) -> Tensor:
    """Returns the log of an estimate of E_p[f(x)] from samples of q, for positive f.

    Args:
      log_f: the logarithm of f, a function of samples.
      Other arguments, results and errors are as in `expectation_importance_sampler`.
    """
    q = sampling_dist_q
    with name_scope(name, values=[z, n]):
        z = _samples(q, z, n, seed)
        return _log_mean(log_f(z) + log_p(z) - q.log_prob(z))


def _log_mean(logarithms: Tensor) -> Tensor:
    """Computes log(mean(exp(logarithms))) over the first dimension, without overflow."""
    largest = ops.stop_gradient(ops.reduce_max(logarithms, axis=[0]))
    return ops.log(ops.reduce_mean(ops.exp(logarithms - largest), axis=[0])) + largest


def _samples(distribution: Any, z: Any, n: Any, seed: Any) -> Tensor:
    with name_scope("get_samples", values=[z, n]):
        if (n is None) == (z is None):
            raise ValueError(
                f'Must specify exactly one of arguments "n" and "z".  Found: n = {n}, z = {z}'
            )
        if n is not None:
            return distribution.sample(n, seed=seed)
        return convert_to_tensor(z, name="z")
