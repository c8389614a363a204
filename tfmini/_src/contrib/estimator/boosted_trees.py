"""Boosted trees trained at once on a dataset in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.data.dataset_v1 import DatasetV1
from tfmini._src.models.estimator.boosted_trees.boosted_trees import (
    ONE_DIMENSION,
    TREES,
    BoostedTreesBase,
    classification_head,
    regression_head,
)

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.feature_column.base_columns import FeatureColumn

_IN_MEMORY = {"n_batches_per_layer": 1, "train_in_memory": True}
_ARGUMENTS = {**TREES, "train_hooks": "hooks of the training session."}


def _repeated(train_input_fn: Callable[[], Any]) -> Callable[[], Any]:
    """Returns an input function whose dataset, if it is one, is repeated."""

    def input_fn() -> Any:
        result = train_input_fn()
        return result.repeat() if isinstance(result, DatasetV1) else result

    return input_fn


def _train(estimator: BoostedTreesBase, train_input_fn: Callable[[], Any], hooks: Any) -> Any:
    estimator.train(_repeated(train_input_fn), hooks=hooks)
    return estimator


@describe_arguments(_ARGUMENTS)
def boosted_trees_classifier_train_in_memory(
    train_input_fn: Callable[[], Any],
    feature_columns: Iterable[Any],
    model_dir: str | None = None,
    n_classes: Any = ONE_DIMENSION,
    weight_column: str | FeatureColumn | None = None,
    label_vocabulary: Sequence[Any] | None = None,
    n_trees: int = 100,
    max_depth: int = 6,
    learning_rate: float = 0.1,
    l1_regularization: float = 0.0,
    l2_regularization: float = 0.0,
    tree_complexity: float = 0.0,
    min_node_weight: float = 0.0,
    config: RunConfig | None = None,
    train_hooks: Any = None,
    center_bias: bool = False,
    pruning_mode: str = "none",
    quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesBase:
    """Trains gradient boosted trees for two classes; returns the Estimator.

    Args:
      train_input_fn: returns features and labels, or a dataset of a single element, of all examples.

    Raises:
      ValueError: for another number of classes, or if pruning does not match the tree complexity.
    """
    arguments = {**locals(), **_IN_MEMORY}
    classes = 2 if n_classes is ONE_DIMENSION else n_classes
    head, gradients = classification_head(classes, weight_column, label_vocabulary)
    return _train(BoostedTreesBase(head, True, arguments, gradients), train_input_fn, train_hooks)


@describe_arguments(_ARGUMENTS)
def boosted_trees_regressor_train_in_memory(
    train_input_fn: Callable[[], Any],
    feature_columns: Iterable[Any],
    model_dir: str | None = None,
    label_dimension: Any = ONE_DIMENSION,
    weight_column: str | FeatureColumn | None = None,
    n_trees: int = 100,
    max_depth: int = 6,
    learning_rate: float = 0.1,
    l1_regularization: float = 0.0,
    l2_regularization: float = 0.0,
    tree_complexity: float = 0.0,
    min_node_weight: float = 0.0,
    config: RunConfig | None = None,
    train_hooks: Any = None,
    center_bias: bool = False,
    pruning_mode: str = "none",
    quantile_sketch_epsilon: float = 0.01,
) -> BoostedTreesBase:
    """Trains gradient boosted trees for a number; returns the Estimator.

    Args:
      train_input_fn: returns features and labels, or a dataset of a single element, of all examples.

    Raises:
      ValueError: for several labels, or if pruning does not match the tree complexity.
    """
    arguments = {**locals(), **_IN_MEMORY}
    labels = 1 if label_dimension is ONE_DIMENSION else label_dimension
    head = regression_head(labels, weight_column)
    return _train(BoostedTreesBase(head, False, arguments), train_input_fn, train_hooks)
