"""Serving inputs of exported `tf.contrib.learn` Estimators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import dtypes
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.parse_example import parse_example


class InputFnOps(NamedTuple):
    """Features, labels, and the placeholders that feed them."""

    features: Any
    labels: Any
    default_inputs: Any


@deprecated(None, "Please use tf.estimator.export.build_parsing_serving_input_receiver_fn.")
def build_parsing_serving_input_fn(
    feature_spec: dict[Any, Any], default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """Returns an input function for exports, which parses serialized Examples.

    Args:
      feature_spec: parsing specs for `tf.io.parse_example`.
      default_batch_size: batch size; by default unknown.

    Example:
      spec = tf.contrib.layers.create_feature_spec_for_parsing(columns)
      estimator.export_savedmodel("/tmp/export", tf.contrib.learn.build_parsing_serving_input_fn(spec))
    """

    def input_fn() -> InputFnOps:
        serialized = ops.placeholder(
            dtypes.string, shape=[default_batch_size], name="input_example_tensor"
        )
        features = parse_example(serialized, feature_spec)
        return InputFnOps(features, None, {"examples": serialized})

    return input_fn
