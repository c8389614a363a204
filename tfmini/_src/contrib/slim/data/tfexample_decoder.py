"""`tf.contrib.slim.tfexample_decoder`: decodes serialized Examples into items with handlers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tfmini._src.contrib.slim.data.data_decoder import DataDecoder
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.parsing.feature_specs import FixedLenFeature
from tfmini._src.ops.parsing.parse_example import parse_single_example


class TFExampleDecoder(DataDecoder):
    """Parses Examples and builds items from their features.

    Args:
      keys_to_features: a dict from feature name to parsing spec, as in `tf.parse_single_example`.
      items_to_handlers: a dict from item name to ItemHandler.

    Example:
      features = {
          "image/encoded": tf.FixedLenFeature((), tf.string),
          "image/format": tf.FixedLenFeature((), tf.string, default_value="png"),
          "label": tf.FixedLenFeature([1], tf.int64),
      }
      decoder = TFExampleDecoder(features, {"image": Image(channels=1), "label": Tensor("label", shape=[])})
    """

    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, Any]):
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        """Returns the names of all items."""
        return list(self._items_to_handlers)

    def decode(
        self, serialized_example: TensorLike, items: Sequence[str] | None = None
    ) -> list[Any]:
        """Decodes an Example into a list of item tensors.

        Args:
          serialized_example: a scalar string Tensor.
          items: list of item names; by default all.
        """
        example = parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, FixedLenFeature):
                example[key] = ops.reshape(example[key], feature.shape)
        outputs = []
        for item in items or self._items_to_handlers:
            handler = self._items_to_handlers[item]
            outputs.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return outputs
