"""Parameters that distributions share: logits and probabilities, seeds, multinomial coefficients."""

from __future__ import annotations

import hashlib
from typing import Any

from tfmini._src.graph.convert_to_tensor import convert_to_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.ops import ops
from tfmini._src.probability.distributions import checks


def logits_and_probs(
    logits: Any,
    probs: Any,
    validate_args: bool,
    name: str,
    multidimensional: bool = False,
    dtype: Any = None,
) -> tuple[Tensor, Tensor]:
    """Returns logits and probabilities, computing one from the other if only one is passed.

    Args:
      logits: log-odds; with `multidimensional`, log-probabilities of each class up to a constant.
      probs: probabilities.
      validate_args: whether to check that `probs` are probabilities.
      multidimensional: whether the last axis is the class axis; otherwise there are two classes, 0 and 1.
      dtype: the DType to convert to.
    """
    with name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if probs is None:
            logits = convert_to_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, ops.sigmoid(logits, name="probs")
            if validate_args:
                logits = checks.categories(logits)
            return logits, ops.softmax(logits, name="probs")
        probs = convert_to_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            with name_scope("validate_probs"):
                probs = _checked_probs(probs, multidimensional)
        with name_scope("logits"):
            if multidimensional:
                return ops.log(probs), probs
            return ops.log(probs) - ops.log1p(-1.0 * probs), probs


def _checked_probs(probs: Tensor, multidimensional: bool) -> Tensor:
    one = ops.constant(1.0, probs.dtype)
    assertions = [ops.assert_non_negative(probs)]
    if multidimensional:
        probs = checks.categories(probs)
        total = ops.reduce_sum(probs, -1)
        assertions.append(ops.assert_near(total, one, message="probs does not sum to 1."))
    else:
        message = "probs has components greater than 1."
        assertions.append(ops.assert_less_equal(probs, one, message=message))
    return ops.with_dependencies(assertions, probs)


def new_seed(seed: Any, salt: str) -> int | None:
    """Returns a seed for a second draw, derived from the first seed; None for None."""
    if seed is None:
        return None
    digest = hashlib.md5((str(seed) + salt).encode(), usedforsecurity=False).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF


def log_combinations(n: Any, counts: Any) -> Tensor:
    """Returns log(n! / (counts[0]! ... counts[k - 1]!)) along the last axis of `counts`."""
    with name_scope("log_combinations", values=[n, counts]):
        n = convert_to_tensor(n, name="n")
        counts = convert_to_tensor(counts, name="counts")
        permutations = ops.lgamma(n + 1)
        factorials = ops.lgamma(counts + 1)
        return permutations - ops.reduce_sum(factorials, axis=[-1])
