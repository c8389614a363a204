"""DenseFeatures of `tf.compat.v2`."""

from __future__ import annotations

from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.models.feature_column import dense_features
from tfmini._src.models.feature_column.state_manager import LayerState
from tfmini._src.nn.layers.base_layer import Layer


class DenseFeatures(dense_features.DenseFeatures):
    """`tf.keras.layers.DenseFeatures` with unpartitioned variables, named by name scopes.

    Args:
      feature_columns, trainable, name: as in `tf.keras.layers.DenseFeatures`.
    """

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any
    ):
        super().__init__(feature_columns, trainable, name, **kwargs)
        self._state_manager = LayerState(self, self.trainable, uses_scopes=False)

    def build(self, _: Any) -> None:
        for column in self._feature_columns:
            with name_scope(column.name):
                column.create_state(self._state_manager)
        Layer.build(self, None)
