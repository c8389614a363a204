"""Scattering of updates into a tensor by elementwise maximum or minimum."""

from typing import Any

from tfmini._src.base.errors import invalid
from tfmini._src.ops.array.scatter_nd import declare_tensor_scatter


def _check_bad_indices_policy(attrs: dict[str, Any], on_gpu: bool) -> None:
    if attrs["bad_indices_policy"] not in ("", "DEFAULT", "ERROR"):
        invalid(f"bad_indices_policy must be DEFAULT or ERROR, got {attrs['bad_indices_policy']}")


for _name, _how in (("TensorScatterMax", "maximum"), ("TensorScatterMin", "minimum")):
    declare_tensor_scatter(_name, _how, bad_indices_policy="").check_attrs(
        _check_bad_indices_policy
    )
