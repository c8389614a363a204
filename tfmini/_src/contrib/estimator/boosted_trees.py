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
from tfmini._src.models.estimator.boosted_trees.growers import TreeParameters

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.feature_column.base_columns import FeatureColumn

_ARGUMENTS = {**TREES, "train_hooks": "hooks of the training session."}


def _repeated(train_input_fn: Callable[[], Any]) -> Callable[[], Any]:
    """Returns an input function whose dataset, if it is one, is repeated."""

    def input_fn() -> Any:
        result = train_input_fn()
        return result.repeat() if isinstance(result, DatasetV1) else result

    return input_fn


def _train(
    train_input_fn: Callable[[], Any],
    columns: Iterable[Any],
    model_dir: str | None,
    config: RunConfig | None,
    train_hooks: Any,
    head: Any,
    gradients: Callable | None,
    parameters: TreeParameters,
    is_classification: bool,
) -> BoostedTreesBase:
    estimator = BoostedTreesBase(
        *(head, columns, 1, parameters, model_dir, config, is_classification),
        gradients_and_hessians=gradients,
        train_in_memory=True,
    )
    estimator.train(_repeated(train_input_fn), hooks=train_hooks)
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
    classes = 2 if n_classes is ONE_DIMENSION else n_classes
    head, gradients = classification_head(classes, weight_column, label_vocabulary)
    parameters = TreeParameters(
        *(n_trees, max_depth, learning_rate, l1_regularization, l2_regularization),
        *(tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon),
    )
    arguments = (train_input_fn, feature_columns, model_dir, config, train_hooks)
    return _train(*arguments, head, gradients, parameters, True)


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
    head = regression_head(
        1 if label_dimension is ONE_DIMENSION else label_dimension, weight_column
    )
    parameters = TreeParameters(
        *(n_trees, max_depth, learning_rate, l1_regularization, l2_regularization),
        *(tree_complexity, min_node_weight, center_bias, pruning_mode, quantile_sketch_epsilon),
    )
    arguments = (train_input_fn, feature_columns, model_dir, config, train_hooks)
    return _train(*arguments, head, None, parameters, False)
