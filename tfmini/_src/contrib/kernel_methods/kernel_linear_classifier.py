"""A linear classifier on features computed by kernel mappers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from tfmini._src.base import logs
from tfmini._src.contrib.kernel_methods.random_fourier_features import DenseKernelMapper
from tfmini._src.contrib.layers.feature_column.real_valued_column import (
    RealValuedColumn,
    real_valued_column,
)
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.heads import multi_class_head
from tfmini._src.contrib.learn.linear import linear_model_fn
from tfmini._src.contrib.learn.model_fn import ModelFnOps, PredictionKey
from tfmini._src.ops import ops

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig
    from tfmini._src.train.optimizers.optimizer import Optimizer


class KernelLinearClassifier(Estimator):
    """A linear classifier on columns and on kernel mappings of columns.

    Args:
      feature_columns: columns of `tf.contrib.layers`.
      model_dir, n_classes, weight_column_name, config: as in `tf.contrib.learn.DNNClassifier`.
      optimizer: an Optimizer, its name, or a function that returns it; by default Ftrl.
      kernel_mappers: a dict from `real_valued_column` columns to lists of mappers such as
        `RandomFourierFeatureMapper`, whose features are concatenated.

    Raises:
      ValueError: if both columns and mappers are missing, a mapper has the wrong type, or for fewer than two classes.

    Example:
      image = tf.contrib.layers.real_valued_column("images", dimension=784)
      mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(784, 2000, stddev=5.0)
      model = tf.contrib.kernel_methods.KernelLinearClassifier(
          n_classes=10, kernel_mappers={image: [mapper]})
      model.fit(input_fn=input_fn, steps=2000)
    """

    def __init__(
        self,
        feature_columns: Iterable[Any] | None = None,
        model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: str | None = None,
        optimizer: Optimizer | None = None,
        kernel_mappers: Mapping[Any, Any] | None = None,
        config: RunConfig | None = None,
    ):
        head = multi_class_head(n_classes=n_classes, weight_column_name=weight_column_name)
        if not feature_columns and not kernel_mappers:
            raise ValueError("You should set at least one of feature_columns, kernel_mappers.")
        all_mappers = [mapper for mappers in (kernel_mappers or {}).values() for mapper in mappers]
        if not all(isinstance(mapper, DenseKernelMapper) for mapper in all_mappers):
            raise ValueError("Invalid kernel mappers.")
        params = {
            "head": head,
            "feature_columns": feature_columns or [],
            "optimizer": optimizer,
            "kernel_mappers": kernel_mappers,
        }
        super().__init__(
            model_fn=_kernel_model_fn, model_dir=model_dir, config=config, params=params
        )

    def predict_classes(self, input_fn: Callable[..., Any] | None = None) -> Any:
        """Yields the class of each example of `input_fn`."""
        return self._predict_key(PredictionKey.CLASSES, input_fn)

    def predict_proba(self, input_fn: Callable[..., Any] | None = None) -> Any:
        """Yields the class probabilities of each example of `input_fn`."""
        return self._predict_key(PredictionKey.PROBABILITIES, input_fn)

    def _predict_key(self, key: str, input_fn: Any) -> Any:
        predictions = super().predict(input_fn=input_fn, outputs=[key])
        return (prediction[key] for prediction in predictions)


def _kernel_model_fn(
    features: Any, labels: Any, mode: str, params: dict, config: Any = None
) -> ModelFnOps:
    """Builds a linear model of columns and mapped columns; adds the latter to `params` for later calls."""
    columns = params["feature_columns"]
    mappers = params["kernel_mappers"]
    if mappers is not None:
        features, columns = _with_mapped(features, columns, mappers)
    params["feature_columns"] = columns
    return linear_model_fn(features, labels, mode, params, config)


def _with_mapped(features: dict, columns: Any, mappers: dict) -> tuple[dict, set]:
    mapped, mapped_columns = {}, set()
    for column, column_mappers in mappers.items():
        if not isinstance(column, RealValuedColumn):
            logs.warning(
                "Updates are currently supported on RealValuedColumns only. Metadata for "
                f"FeatureColumn {column.name} will not be updated."
            )
            continue
        name = column.name + "_MAPPED"
        size = sum(mapper.output_dim for mapper in column_mappers)
        mapped_columns.add(real_valued_column(name, size))
        mapped[name] = ops.concat(
            [mapper.map(features[column.name]) for mapper in column_mappers], 1
        )
    return {**features, **mapped}, {*columns, *mapped_columns}
