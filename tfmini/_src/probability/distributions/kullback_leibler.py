"""Kullback-Leibler divergences, registered for pairs of distribution classes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.scopes import control_dependencies, name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.deprecation import moved

if TYPE_CHECKING:
    from tfmini._src.probability.distributions.distribution import Distribution


_divergences: dict[tuple[type, type], Callable] = {}


def _find_function(type_a: type, type_b: type) -> Callable | None:
    """Returns the function registered for the nearest pair of base classes; on ties, the first one found."""
    nearest_function, min_distance = None, 0
    for steps_a, parent_a in enumerate(inspect.getmro(type_a)):
        for steps_b, parent_b in enumerate(inspect.getmro(type_b)):
            function = _divergences.get((parent_a, parent_b))
            if function and (nearest_function is None or steps_a + steps_b < min_distance):
                nearest_function, min_distance = function, steps_a + steps_b
    return nearest_function


@moved
def kl_divergence(
    distribution_a: Distribution,
    distribution_b: Distribution,
    allow_nan_stats: bool = True,
    name: str | None = None,
) -> Tensor:
    """Returns the Kullback-Leibler divergence KL(a || b) = E_a[log a(x) - log b(x)].

    Args:
      distribution_a: the distribution of the expectation.
      distribution_b: the other distribution.
      allow_nan_stats: if False, NaN results raise InvalidArgumentError at run time.
      name: the name scope of the nodes, below "KullbackLeibler".

    Returns:
      A tensor of the distributions' batch shape.

    Raises:
      NotImplementedError: if no function is registered for the two classes.

    Example: `tf.distributions.kl_divergence(posterior, tf.distributions.Normal(0.0, 1.0))`.
    """
    function = _find_function(type(distribution_a), type(distribution_b))
    if function is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{type(distribution_a).__name__} and distribution_b type "
            f"{type(distribution_b).__name__}"
        )
    with name_scope("KullbackLeibler"):
        divergence = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return divergence
        divergence = ops.identity(divergence, name="kl")
        text = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN "
            "values (and was called with allow_nan_stats=False). Values:"
        )
        is_number = ops.logical_not(ops.reduce_any(ops.is_nan(divergence)))
        with control_dependencies([ops.Assert(is_number, [text, divergence])]):
            return ops.identity(divergence, name="checked_kl")


@moved
def cross_entropy(
    ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Tensor:
    """Returns -E_ref[log other(x)], the entropy of `ref` plus its divergence from `other`."""
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


class RegisterKL:
    """Decorator that registers the KL divergence of two distribution classes.

    Args:
      dist_cls_a: the class of the first distribution.
      dist_cls_b: the class of the second.

    Example:
      @tf.distributions.RegisterKL(Mine, tf.distributions.Normal)
      def kl_mine_normal(a, b, name=None):
          ...
    """

    @moved
    def __init__(self, dist_cls_a: type, dist_cls_b: type):
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Callable[..., Any]) -> Callable[..., Any]:
        """Registers `kl_fn(distribution_a, distribution_b, name=None)` and returns it.

        Raises:
          TypeError: if `kl_fn` is not callable.
          ValueError: if a function is already registered for the two classes.
        """
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _divergences:
            names = " || ".join(cls.__name__ for cls in self._key)
            raise ValueError(
                f"KL({names}) has already been registered to: {_divergences[self._key]}"
            )
        _divergences[self._key] = kl_fn
        return kl_fn


def register_kl(dist_cls_a: type, dist_cls_b: type) -> Callable[[Callable], Callable]:
    """RegisterKL for tfmini's distributions, without the deprecation notice."""

    def register(kl_fn: Callable) -> Callable:
        _divergences[dist_cls_a, dist_cls_b] = kl_fn
        return kl_fn

    return register
