"""Attention layers, which weight values by the match of their keys with queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.base import dtypes
from tfmini._src.base.shapes import TensorShape
from tfmini._src.base.shapes.tensor_shape import ShapeLike
from tfmini._src.graph.tensor import Tensor
from tfmini._src.nn.layers.backend.config import floatx
from tfmini._src.nn.layers.base_layer import Layer
from tfmini._src.nn.layers.initializers import find_initializer
from tfmini._src.nn.layers.serialization.layer_registry import register
from tfmini._src.ops import ops


class BaseDenseAttention(Layer):
    """Base class of attention layers: softmax(scores of [query, key]) times values.

    Inputs are a list: queries [batch, steps, depth], values [batch, other steps, depth], and keys of the values' shape
    (by default the values); masks apply to queries and values.

    Args:
      causal: whether to mask later steps.
    """

    def __init__(self, causal: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        self.causal = causal
        self.supports_masking = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        raise NotImplementedError

    def call(self, inputs: Sequence[Tensor], mask: Sequence[Tensor | None] | None = None) -> Any:
        """Computes the weighted values: [batch, steps, depth].

        Raises:
          ValueError: if inputs or masks are not such lists.
        """
        self._check(inputs, mask)
        query, value = inputs[:2]
        q_mask, v_mask = mask or (None, None)
        scores = self._calculate_scores(query, inputs[2] if len(inputs) > 2 else value)
        allowed = None if v_mask is None else ops.expand_dims(v_mask, axis=-2)
        if self.causal:
            shape = ops.shape(scores)
            square = ops.concat([ops.ones_like(shape[:-2]), shape[-2:]], axis=0)
            causal_mask = _lower_triangle(square)
            allowed = causal_mask if allowed is None else ops.logical_and(allowed, causal_mask)
        if allowed is not None:
            scores -= 1.0e9 * ops.cast(ops.logical_not(allowed), dtype=floatx())
        result = ops.matmul(ops.softmax(scores), value)
        if q_mask is not None:
            result *= ops.cast(ops.expand_dims(q_mask, axis=-1), dtype=result.dtype)
        return result

    def compute_mask(self, inputs: Any, mask: Sequence[Tensor | None] | None = None) -> Any:
        """Returns the mask of the queries."""
        self._check(inputs, mask)
        return ops.convert_to_tensor(mask[0]) if mask and mask[0] is not None else None

    def _check(self, inputs: Any, mask: Any) -> None:
        class_name = type(self).__name__
        expected = "namely [query, value] or [query, value, key]."
        if not isinstance(inputs, list):
            raise ValueError(f"{class_name} layer must be called on a list of inputs, {expected}")
        if len(inputs) not in (2, 3):
            raise ValueError(
                f"{class_name} layer accepts inputs list of length 2 or 3, {expected} Given length: "
                f"{len(inputs)}"
            )
        if not mask:
            return
        if not isinstance(mask, list):
            raise ValueError(
                f"{class_name} layer mask must be a list, namely [query_mask, value_mask]."
            )
        if len(mask) != 2:
            raise ValueError(
                f"{class_name} layer mask must be a list of length 2, namely [query_mask, value_mask]. Given "
                f"length: {len(mask)}"
            )

    def get_config(self) -> dict[str, Any]:
        """Returns the constructor arguments, as plain data."""
        config = {**super().get_config(), "causal": self.causal}
        return {**config, "use_scale": self.use_scale} if hasattr(self, "use_scale") else config


register(BaseDenseAttention)


def _lower_triangle(shape: Any) -> Any:
    rows = ops.cumsum(ops.ones(shape=shape, dtype=dtypes.int32), axis=-2)
    columns = ops.cumsum(ops.ones(shape=shape, dtype=dtypes.int32), axis=-1)
    return ops.greater_equal(rows, columns)


class Attention(BaseDenseAttention):
    """Attention that scores keys by dot products: returns values [batch, steps, depth], weighted for each query.

    Inputs are [query, value] or [query, value, key]; masks are [query mask, value mask].

    Args:
      use_scale: whether to multiply scores by a trained scalar.
      causal (keyword): whether to mask later steps.

    Example: `y = tf.keras.layers.Attention()([query, value])`.
    """

    def __init__(self, use_scale: bool = False, **kwargs: Any):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Creates the scale."""
        self.scale = None
        if self.use_scale:
            self.scale = self.add_weight(
                name="scale",
                shape=(),
                initializer=find_initializer("ones"),
                dtype=self.dtype,
                trainable=True,
            )
        self.built = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        scores = ops.matmul(query, key, transpose_b=True)
        return scores if self.scale is None else scores * self.scale


class AdditiveAttention(BaseDenseAttention):
    """Attention that scores keys by sum(scale * tanh(query + key)) and returns values weighted for each query.

    Inputs are [query, value] or [query, value, key]; masks are [query mask, value mask].

    Args:
      use_scale: whether to use a trained scale per depth.
      causal (keyword): whether to mask later steps.
    """

    def __init__(self, use_scale: bool = True, **kwargs: Any):
        super().__init__(**kwargs)
        self.use_scale = use_scale

    def build(self, input_shape: Sequence[ShapeLike]) -> None:
        """Creates the scale."""
        self.scale: Any = None
        if self.use_scale:
            self.scale = self.add_weight(
                name="scale",
                shape=[TensorShape(input_shape[1]).as_list()[-1]],
                initializer=find_initializer("glorot_uniform"),
                dtype=self.dtype,
                trainable=True,
            )
        self.built = True

    def _calculate_scores(self, query: Any, key: Any) -> Any:
        total = ops.expand_dims(query, axis=-2) + ops.expand_dims(key, axis=-3)
        scale = self.scale if self.use_scale else 1.0
        return ops.reduce_sum(scale * ops.tanh(total), axis=-1)
