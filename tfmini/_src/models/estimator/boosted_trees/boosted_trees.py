"""Estimators of gradient boosted trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base import dtypes
from tfmini._src.base.names.argument_descriptions import describe_arguments
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.argument_descriptions import ESTIMATOR
from tfmini._src.models.estimator.boosted_trees.explanations import (
    contributions,
    feature_importances,
)
from tfmini._src.models.estimator.boosted_trees.growers import TreeParameters
from tfmini._src.models.estimator.boosted_trees.tree_features import feature_names, sort_columns
from tfmini._src.models.estimator.boosted_trees.tree_model import explained_spec, tree_model_fn
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.heads.checks import match_labels
from tfmini._src.models.estimator.heads.classification_heads import BinaryHead, MultiClassHead
from tfmini._src.models.estimator.heads.regression_head import RegressionHead
from tfmini._src.nn.losses.reduction import Reduction
from tfmini._src.ops import ops
from tfmini._src.train.checkpoints.checkpoint_reader import load_checkpoint
from tfmini._src.variables.enable_resource_variables import enable_resource_variables

if TYPE_CHECKING:
    from tfmini._src.models.estimator.run_config import RunConfig
    from tfmini._src.models.feature_column.base_columns import FeatureColumn

_PATH = "_serialized_debug_outputs_proto"
ONE_DIMENSION = object()  # the default number of classes or labels; other numbers are not supported
TREES = {
    **ESTIMATOR,
    "feature_columns": "numeric columns, whose values are put in buckets between quantiles, bucketized columns and "
    "indicator columns.",
    "n_batches_per_layer": "number of batches from which a layer is grown.",
    "n_trees": "number of trees.",
    "max_depth": "number of layers of a tree.",
    "learning_rate": "factor of the leaves of each tree.",
    "l1_regularization": "factor of the absolute values of leaves in the loss.",
    "l2_regularization": "factor of half the squares of leaves in the loss.",
    "tree_complexity": "loss for each leaf; requires pruning.",
    "min_node_weight": "smallest sum of hessians of a node that is split.",
    "center_bias": "whether the first tree starts with a bias, such as the mean of the labels.",
    "pruning_mode": '"none", "pre" (no splits of negative gain) or "post" (these are removed from finished trees).',
    "quantile_sketch_epsilon": "error of the quantiles of numeric columns, and inverse of the number of buckets.",
    "train_in_memory": "whether the input is a single batch of all examples, whose features are computed once.",
    "n_classes": "2, the default.",
    "label_dimension": "1, the default.",
}


class BoostedTreesBase(Estimator):
    """Base class of the Estimators of boosted trees.

    Args:
      head: the head of the model function.
      is_classification: whether predictions are explained as probabilities.
      arguments: the arguments of `tf.estimator.BoostedTreesClassifier`, by name.
      gradients_and_hessians: as in `tree_model_fn`.
    """

    def __init__(
        self,
        head: Any,
        is_classification: bool,
        arguments: Mapping[str, Any],
        gradients_and_hessians: Callable | None = None,
    ):
        feature_columns, config = arguments["feature_columns"], arguments["config"]
        parameters = TreeParameters(*[arguments[name] for name in TreeParameters._fields])

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
            return tree_model_fn(
                *(features, labels, mode, head, feature_columns, parameters),
                *(arguments["n_batches_per_layer"], config, gradients_and_hessians),
                weight_column=arguments["weight_column"],
                train_in_memory=arguments["train_in_memory"],
            )

        enable_resource_variables()
        super().__init__(model_fn=model_fn, model_dir=arguments["model_dir"], config=config)
        self._columns = sort_columns(feature_columns)
        self._feature_names = feature_names(self._columns)
        self._head, self._parameters = head, parameters
        self._is_classification = is_classification

    def experimental_feature_importances(self, normalize: bool = False) -> Any:
        """Returns the gains by the splits of each column, an OrderedDict by its name, the largest first.

        Args:
          normalize: whether to divide by the sum.

        Raises:
          ValueError: if the model is not trained.
          AssertionError: if normalized gains are negative, or all are 0.
        """
        serialized = load_checkpoint(self._model_dir).get_tensor("boosted_trees:0_serialized")
        if not serialized:
            raise ValueError(
                "Found empty serialized string for TreeEnsemble."
                "You should only call this method after training."
            )
        return feature_importances(serialized, self._feature_names, normalize)

    def experimental_predict_with_explanations(
        self,
        input_fn: Callable[..., Any],
        predict_keys: Any = None,
        hooks: Sequence[Any] | None = None,
        checkpoint_path: str | None = None,
    ) -> Iterator[Any]:
        """Yields the predictions of each example with a "bias" and contributions "dfc" that add up to the prediction.

        The contributions are an OrderedDict by the names of columns, the largest first.

        Args:
          input_fn, predict_keys, hooks, checkpoint_path: as for `predict`.

        Raises:
          ValueError: if the model has no bias, or the head of a regression transforms logits.
        """
        if not self._parameters.center_bias:
            raise ValueError(
                "center_bias must be enabled during estimator instantiation when using "
                "experimental_predict_with_explanations."
            )
        if not self._is_classification and self._head._inverse_link_fn not in (None, ops.identity):
            raise ValueError(
                "For now only identity inverse_link_fn in regression_head is "
                "supported for experimental_predict_with_explanations."
            )

        def explained_model_fn(features: Any, labels: Any, mode: str) -> Any:
            epsilon = self._parameters.quantile_sketch_epsilon
            return explained_spec(features, self._head, self._columns, epsilon, _PATH)

        estimator = Estimator(explained_model_fn, self.model_dir, self.config)
        if predict_keys is not None:
            predict_keys = {*predict_keys, _PATH}
        for prediction in estimator.predict(input_fn, predict_keys, hooks, checkpoint_path):
            path = prediction.pop(_PATH)
            bias, changes = contributions(path, self._feature_names, self._is_classification)
            yield {**prediction, "bias": bias, "dfc": changes}


def classification_head(
    n_classes: Any, weight_column: Any, label_vocabulary: Any
) -> tuple[BinaryHead, Callable | None]:
    """Returns the head, and the function of gradients and hessians of a plain logistic loss."""
    if n_classes != 2:
        raise ValueError(
            f"For now only binary classification is supported.n_classes given as {n_classes}"
        )
    reduction = Reduction.SUM_OVER_BATCH_SIZE
    head = BinaryHead(weight_column, None, label_vocabulary, reduction)
    is_plain = weight_column is None and label_vocabulary is None
    return head, _logistic_gradients if is_plain else None


def _logistic_gradients(logits: Tensor, labels: Any) -> tuple[Tensor, Tensor]:
    predictions = ops.reciprocal(ops.exp(-logits) + 1.0)
    normalizer = ops.reciprocal(ops.cast(ops.size(predictions), dtypes.float32))
    labels = match_labels(ops.cast(labels, dtypes.float32), logits, 1)
    gradients = (predictions - labels) * normalizer
    return gradients, predictions * (1.0 - predictions) * normalizer


def regression_head(label_dimension: Any, weight_column: Any) -> RegressionHead:
    """Returns the head of a single label."""
    if label_dimension != 1:
        raise ValueError(
            f"For now only 1 dimension regression is supported.label_dimension given as {label_dimension}"
        )
    return RegressionHead(weight_column, label_dimension, Reduction.SUM_OVER_BATCH_SIZE)


@describe_arguments(TREES)
class BoostedTreesClassifier(BoostedTreesBase):
    """Gradient boosted trees for two classes.

    Args:

    Raises:
      ValueError: for another number of classes; during training, if pruning does not match the tree complexity.

    Example:
      x = tf.feature_column.numeric_column("x", shape=[20])
      model = tf.estimator.BoostedTreesClassifier([x], n_batches_per_layer=1, n_trees=50)
      model.train(input_fn)
    """

    def __init__(
        self,
        feature_columns: Iterable[Any],
        n_batches_per_layer: Any,
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
        center_bias: bool = False,
        pruning_mode: str = "none",
        quantile_sketch_epsilon: float = 0.01,
        train_in_memory: bool = False,
    ):
        arguments = locals()
        if n_classes is ONE_DIMENSION:
            n_classes = 2
        elif n_classes > 2 and pruning_mode is not None:
            raise ValueError("For now pruning is not supported with multi class.")
        head, gradients = classification_head(n_classes, weight_column, label_vocabulary)
        super().__init__(head, True, arguments, gradients)


@describe_arguments(TREES)
class BoostedTreesRegressor(BoostedTreesBase):
    """Gradient boosted trees for a number.

    Args:

    Raises:
      ValueError: for several labels; during training, if pruning does not match the tree complexity.
    """

    @arguments_of(BoostedTreesClassifier, "n_classes", "label_vocabulary")
    def __init__(
        self, model_dir: str | None, label_dimension: Any = ONE_DIMENSION, **arguments: Any
    ):
        if label_dimension is ONE_DIMENSION:
            label_dimension = 1
        elif label_dimension > 1 and arguments["pruning_mode"] is not None:
            raise ValueError("For now pruning is not supported with multi-dimensionregression.")
        head = regression_head(label_dimension, arguments["weight_column"])
        super().__init__(head, False, {**arguments, "model_dir": model_dir})


@describe_arguments(TREES)
class BoostedTreesEstimator(BoostedTreesBase):
    """Gradient boosted trees with a head of one logit.

    Args:
      head: a head of `tf.contrib.estimator`.
      weight_column: unused, as in TensorFlow: the head has its own.

    Raises:
      ValueError: during training, if pruning does not match the tree complexity.
    """

    @arguments_of(BoostedTreesClassifier, "n_classes", "label_vocabulary", "train_in_memory")
    def __init__(self, n_batches_per_layer: Any, head: Any, **arguments: Any):
        arguments |= {"n_batches_per_layer": n_batches_per_layer, "weight_column": None}
        is_classification = isinstance(head, BinaryHead | MultiClassHead)
        super().__init__(head, is_classification, {**arguments, "train_in_memory": False})
