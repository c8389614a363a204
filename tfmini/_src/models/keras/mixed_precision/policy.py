"""Dtype policies for the computations and variables of layers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.nn.layers.backend.config import (
    default_policy,
    floatx,
    set_default_policy,
    v2_dtype_behavior_enabled,
)
from tfmini._src.session.default_config import REWRITES
from tfmini._src.train.optimizers.loss_scale import LossScale, to_loss_scale

_FLOAT32_VARS = "_with_float32_vars"
_MIXED_POLICIES = {
    "mixed_float16": ("float16", "float32"),
    "mixed_bfloat16": ("bfloat16", "float32"),
}


class Policy:
    """Dtypes for the computations and variables of a layer.

    Args:
      name: a dtype name for both; with the suffix "_with_float32_vars", for computations only; "mixed_float16" or
        "mixed_bfloat16", equivalent to a name with this suffix; "infer" or "infer_with_float32_vars" for the
        dtype of the first input.
      loss_scale: a `tf.train.experimental.LossScale`, a number, "dynamic" or None; by default "dynamic" for
        "mixed_float16", else None.

    Raises:
      TypeError: if the name is not a string.
      ValueError: for an unknown name.

    Example:
      tf.keras.mixed_precision.experimental.Policy("mixed_float16").compute_dtype  # "float16"
    """

    name: str = read_only("The name, with deprecated spellings normalized.")
    compute_dtype: str | None = read_only(
        "Name of the compute dtype; None if inferred from the first input."
    )
    variable_dtype: str | None = read_only(
        "Name of the variable dtype; None if inferred from the first input."
    )
    loss_scale: LossScale | None = read_only("The LossScale, or None.")

    def __init__(self, name: str, loss_scale: Any = "USE_DEFAULT"):
        if isinstance(name, dtypes.DType):
            raise TypeError(
                f"'name' must be a string, not a DType. Instead, pass DType.name. Got: {name.name}"
            )
        if not isinstance(name, str):
            raise TypeError(f"'name' must be a string, but got: {name}")
        aliases = {
            "infer_float32_vars": "infer" + _FLOAT32_VARS,
            "float32" + _FLOAT32_VARS: "float32",
        }
        self._name = aliases.get(name, name)
        self._compute_dtype, self._variable_dtype = _parse_policy(self._name)
        if isinstance(loss_scale, str) and loss_scale == "USE_DEFAULT":
            loss_scale = "dynamic" if self._name == "mixed_float16" else None
        if loss_scale and self._compute_dtype not in (None, "float16"):
            logs.warning(
                f"A loss scale applies only to float16 policies: loss_scale={loss_scale!r} was passed for "
                f"policy {self._name}."
            )
        self._loss_scale = to_loss_scale(loss_scale)

    @property
    def should_cast_variables(self) -> bool:
        """Whether the compute dtype differs from the variables' dtype."""
        return self._variable_dtype != self._compute_dtype

    def __repr__(self) -> str:
        return f'<Policy "{self._name}", loss_scale={self._loss_scale}>'


def _parse_policy(name: str) -> tuple[str | None, str | None]:
    """Returns the compute dtype and variable dtype of a policy name."""
    if name in _MIXED_POLICIES:
        return _MIXED_POLICIES[name]
    base = name.removesuffix(_FLOAT32_VARS)
    computed = None
    if base != "infer":
        try:
            computed = dtypes.as_dtype(base).name
        except TypeError:
            message = (
                f"Cannot convert value {name} to a mixed precision Policy. Valid policies include include those in the "
                'form "<dtype>" and "<dtype>_with_float32_vars", where <dtype> is the name of a dtype.'
            )
            if base != name:
                message += (
                    f" The value {name} ends with _with_float32_vars, but {base} cannot be converted to "
                    "a DType"
                )
            raise ValueError(message) from None
    return computed, computed if base == name else "float32"


def global_policy() -> Policy:
    """Returns the policy of layers without a dtype: `set_policy`'s, by default `Policy("infer")` or TensorFlow 2's."""
    policy = default_policy()
    if policy is None:
        return Policy(floatx() if v2_dtype_behavior_enabled() else "infer")
    return policy


def set_policy(policy: Policy | str) -> None:
    """Sets the policy of layers without a dtype.

    Args:
      policy: a Policy, its name, or None; in TensorFlow 1, must infer dtypes from the first input.

    Raises:
      ValueError: for a policy with its own dtype, or after `enable_mixed_precision_graph_rewrite`.
    """
    if REWRITES.enabled:
        raise ValueError(
            "The mixed precision policy cannot be set, because the mixed precision graph rewrite has already been "
            "enabled.\nAt most, one of the following functions can be called:\n\n"
            "  1. tf.train.experimental.enable_mixed_precision_graph_rewrite() (You called this first)\n"
            "  2. tf.keras.mixed_precision.experimental.set_policy() (You called this second)"
        )
    if policy is not None and not isinstance(policy, Policy):
        policy = Policy(policy)
    if policy is not None and policy.compute_dtype and not v2_dtype_behavior_enabled():
        raise ValueError("The global policy can only be set to a non-infer policy in TensorFlow 2")
    set_default_policy(policy)
    REWRITES.policy_is_set = policy is not None


@contextmanager
def policy_scope(policy: Any) -> Iterator[None]:
    """Context manager that sets the policy of layers without a dtype; see `set_policy`."""
    outer = default_policy()
    set_policy(policy)
    try:
        yield
    finally:
        set_policy(outer)
