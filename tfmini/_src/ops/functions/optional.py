"""Optional values of dtype variant, such as values that only one branch stores for its gradient."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfmini._src.base import dtypes
from tfmini._src.base.errors import invalid
from tfmini._src.base.shapes import dims_allow
from tfmini._src.graph.op_traits.handle_kinds import VariantKind
from tfmini._src.graph.opdef import Attr, op_with_handles, raw
from tfmini._src.graph.shape_inference import Dims, scalar, text as dims_text
from tfmini._src.ops.lists.tensor_list_value import add_items, zeros_like_item
from tfmini._src.ops.operands import HANDLE_TYPES, c_name, dense, shape_text

_TYPES = Attr("list(type)", minimum=1)
_HANDLES = (dtypes.resource, dtypes.variant)  # whose values have no arrays
_HOST_DTYPES = (*_HANDLES, dtypes.string)


class Optional:
    """The components of a value, or None."""

    __slots__ = ("components",)
    shape = ()
    variant_text = "Variant<type: tensorflow::data::Optional value: OptionalVariant>"

    def __init__(self, components: tuple | None = None):
        self.components = components

    def zeros(self, xp: Any) -> Optional:
        """Returns an Optional of zeros with the shapes of the components; empty if this Optional is."""
        if self.components is None:
            return self
        return Optional(tuple([zeros_like_item(xp, component) for component in self.components]))

    def add_variant(self, xp: Any, other: Optional) -> Optional:
        """Returns an Optional with the sums of the components of both values."""
        if self.components is None or other.components is None:
            if self.components is other.components:
                return self
            invalid(
                "Cannot add optionals because one has a value and the other doesn't.",
            )
        pairs = zip(self.components, other.components)
        return Optional(tuple([add_items(xp, a, b) for a, b in pairs]))


HANDLE_TYPES.add(Optional)

op = op_with_handles(
    optional=VariantKind(
        Optional,
        "Input to OptionalHasValue must be a scalar tensor containing an OptionalVariant object.",
        "Input to OptionalHasValue must be an OptionalVariant object.",
    )
)


@op(
    "OptionalFromValue",
    "components: Toutput_types -> optional: variant",
    infer=scalar,
    retained_inputs=("components",),
    Toutput_types=_TYPES,
)
def optional_from_value_op(xp, components):
    return Optional(components)


@op(
    "OptionalNone",
    "-> optional: variant",
    infer=scalar,
)
def optional_none_op(xp):
    return Optional()


@op(
    "OptionalHasValue",
    "optional: variant -> has_value: bool",
    infer=scalar,
    static_inputs=("optional",),
)
def optional_has_value_op(xp, optional):
    return np.bool_(optional.components is not None)


@op(
    "OptionalGetValue",
    "optional: variant -> components: output_types",
    infer=lambda op: list(op.attrs["output_shapes"]),
    gradient=lambda op, *grads: raw.OptionalFromValue(grads),
    static_inputs=("optional",),
    borrowed_result=True,
    output_types=_TYPES,
    output_shapes=Attr("list(shape)", minimum=1),
)
def optional_get_value_op(xp, optional, *, output_types, output_shapes):
    components = optional.components
    if components is None:
        invalid("The given optional does not have a value.")
    if len(components) != len(output_types):
        invalid(
            f"The given optional has {len(components)} components, expected {len(output_types)}"
        )
    for index, (value, dtype, dims) in enumerate(zip(components, output_types, output_shapes)):
        if dtype not in _HANDLES:
            _check_component(index, value, dtype, dims)
    return components


@optional_get_value_op.on_gpu
def _(gpu, optional, *, output_types, output_shapes):
    """Returns the components; host values from a dataset are copied to the GPU."""
    components = optional_get_value_op.kernel(
        gpu.xp, optional, output_types=output_types, output_shapes=output_shapes
    )
    return tuple(
        [
            gpu.upload(value)
            if dtype not in _HOST_DTYPES and isinstance(dense(value), np.ndarray | np.generic)
            else value
            for value, dtype in zip(components, output_types)
        ]
    )


def _check_component(index: int, value: Any, dtype: dtypes.DType, dims: Dims) -> None:
    array = dense(value)
    actual = dtypes.as_dtype(array.dtype)
    text = "The given optional does not match the expected {} for component {}. Expected: {}. Actual: {}."
    if actual is not dtype:
        invalid(text.format("type", index, c_name(dtype), c_name(actual)))
    if not dims_allow(dims, array.shape):
        invalid(text.format("shape", index, dims_text(dims), shape_text(array.shape)))


@optional_from_value_op.gradient
def _(op, grad):
    shapes = [tensor.shape for tensor in op.inputs]
    return raw.OptionalGetValue(
        grad, output_types=[tensor.dtype for tensor in op.inputs], output_shapes=shapes
    )
