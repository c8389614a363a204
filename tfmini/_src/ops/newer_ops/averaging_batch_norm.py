"""FusedBatchNorm with `exponential_avg_factor`: training updates running statistics, as in Keras 2.3 and later."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.opdef import Attr, OpDef, op
from tfmini._src.ops.nn import fused_batch_norm as plain

_RESULTS = ("batch_mean", "batch_variance", "reserve_space_1", "reserve_space_2")


def _declare(base: OpDef, statistics: str, extra_outputs: str = "") -> None:
    vectors = ", ".join(f"{name}: {statistics}" for name in ("scale", "offset", "mean", "variance"))
    outputs = ", ".join(f"{name}: {statistics}" for name in _RESULTS)

    attrs_of_base: dict[str, Any] = base.attrs

    @op(
        f"_{base.name}Averaging",
        f"x: T, {vectors} -> y: T, {outputs}{extra_outputs}",
        infer=base.shape_rule,
        **attrs_of_base,
        exponential_avg_factor=Attr("float", 1.0),
    )
    def declared_op(
        xp, x, scale, offset, mean, variance, *,
        epsilon, data_format, is_training, exponential_avg_factor,
    ):  # fmt: skip
        """In training, the second and third results are running averages updated by the batch statistics."""
        attrs = {"epsilon": epsilon, "data_format": data_format, "is_training": is_training}
        y, *moments = base.kernel(xp, x, scale, offset, mean[:0], variance[:0], **attrs)
        new = scale.dtype.type(exponential_avg_factor)
        for position, old in enumerate((mean, variance)):
            moments[position] = (1 - new) * old + new * moments[position]
        return (y, *moments)


_declare(plain.fused_batch_norm_op, "T")
_declare(plain.fused_batch_norm_v2_op, "U")
_declare(plain.fused_batch_norm_v3_op, "U", ", reserve_space_3: U")
