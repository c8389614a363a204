"""Checks that the base of a transformed distribution is scalar."""

from __future__ import annotations

from typing import Any

from tfmini._src.contrib.distributions.prefer_static import static_value
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.probability.distributions.reparameterization import FULLY_REPARAMETERIZED


def check_scalar(distribution: Any, dtype: Any, validate_args: bool) -> list[Any]:
    """Checks that a distribution is scalar and reparameterized, of dtype `dtype`; returns runtime checks."""
    if distribution.dtype != dtype:
        raise TypeError(
            f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not "{dtype.name}"'
        )
    reparameterization = distribution.reparameterization_type
    if validate_args and reparameterization != FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable "
            f'variables; distribution.reparameterization_type = "{reparameterization}" '
            '!= "FULLY_REPARAMETERIZED".'
        )
    with name_scope("check_distribution"):
        checks = []
        for name in ("is_scalar_event", "is_scalar_batch"):
            is_scalar = getattr(distribution, name)()
            message = f"distribution must be scalar; distribution.{name}=False is not True"
            value = static_value(is_scalar)
            if value is not None:
                if not value:
                    raise ValueError(message)
            elif validate_args:
                checks.append(ops.assert_equal(is_scalar, True, message=message))
        return checks
