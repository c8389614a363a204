"""`SVM`, and `tf.contrib.learn` linear models trained by stochastic dual coordinate ascent (SDCA)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.contrib.layers.feature_column.feature_column_ops import (
    transform_features,
    weighted_sum_from_feature_columns,
)
from tfmini._src.contrib.layers.feature_column.real_valued_column import real_valued_column
from tfmini._src.contrib.learn.base_estimator import deprecated_export
from tfmini._src.contrib.learn.canned import CannedEstimator, deprecated_x_y
from tfmini._src.contrib.learn.estimator import Estimator
from tfmini._src.contrib.learn.heads import BinaryHead, RegressionHead
from tfmini._src.contrib.learn.model_fn import ModelFnOps, PredictionKey
from tfmini._src.contrib.learn.multi_label import BinarySvmHead, binary_svm_head
from tfmini._src.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.shape_inference import constant_value
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.sdca.linear_sdca import WeightsUpdateHook
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.variables.variable_scope import variable_scope

if TYPE_CHECKING:
    from tfmini._src.contrib.learn.run_config import RunConfig


_BIAS = "tf_virtual_bias_column"
_LOSSES: dict[type, str] = {
    BinarySvmHead: "hinge_loss",
    BinaryHead: "logistic_loss",
    RegressionHead: "squared_loss",
}


class DeferredUpdateHook(WeightsUpdateHook):
    """A `WeightsUpdateHook` created before its model and training op."""

    def __init__(self) -> None:
        super().__init__(None, None)

    def set_parameters(self, model: Any, train_op: Any) -> None:
        """Sets the model and its training op."""
        self._model, self._train_op = model, train_op


def sdca_params(params: dict, weight_column_name: str | None) -> dict:
    """Returns the parameters of `sdca_model_fn`, selected from a linear model's."""
    shared_params = {key: params[key] for key in ("head", "feature_columns", "optimizer")}
    hook = DeferredUpdateHook()
    return {**shared_params, "weight_column_name": weight_column_name, "update_weights_hook": hook}


def sdca_model_fn(features: dict, labels: Any, mode: str, params: dict) -> ModelFnOps:
    """Model function that builds a linear model with a `tf.contrib.linear_optimizer.SDCAOptimizer`."""
    head, columns, optimizer = params["head"], params["feature_columns"], params["optimizer"]
    if not isinstance(optimizer, SDCAOptimizer):
        raise ValueError("Optimizer must be of type SDCAOptimizer")
    loss_type = _LOSSES.get(type(head))
    if loss_type is None:
        raise ValueError(f"Unsupported head type: {head}")
    if loss_type == "squared_loss":
        assert head.logits_dimension == 1, "SDCA only applies for logits_dimension=1."
    partitioner = optimizer.partitioner
    with variable_scope("linear", values=features.values(), partitioner=partitioner) as scope:
        features = {**features, **transform_features(features, columns)}
        logits, variables, bias = weighted_sum_from_feature_columns(
            columns_to_tensors=features, feature_columns=columns, num_outputs=1, scope=scope
        )
        _add_bias(columns, features, bias, variables)

    hook = params["update_weights_hook"]

    def train(loss: Any) -> Any:
        model, train_op = optimizer.get_train_step(
            *(variables, params["weight_column_name"], loss_type, features, labels),
            get_global_step(),
        )
        hook.set_parameters(model, train_op)
        return train_op

    model_fn_ops = head.create_model_fn_ops(
        features=features, labels=labels, mode=mode, train_op_fn=train, logits=logits
    )
    return model_fn_ops._replace(training_chief_hooks=[*model_fn_ops.training_chief_hooks, hook])


def _add_bias(columns: Any, tensors: dict, bias: Any, variables: dict) -> None:
    """Adds a column of ones, whose weight is the bias."""
    if any(column.name == _BIAS for column in columns):
        raise ValueError(f"{_BIAS} is a reserved column name.")
    if not columns:
        raise ValueError("feature_columns can't be empty.")
    batch = None
    for tensor in tensors.values():
        single = tensor[0] if isinstance(tensor, tuple) else tensor
        if not isinstance(single, SparseTensor):
            batch = ops.shape(single)[0]
            break
        shape = constant_value(single.dense_shape)
        if shape is not None:
            batch = shape[0]
            break
    if batch is None:
        raise ValueError("Could not infer batch size from input features.")
    column = real_valued_column(_BIAS)
    tensors[column] = ops.ones([batch, 1])
    variables[column] = [bias]


class SVM(CannedEstimator):
    """Linear support vector machine for two classes, trained by stochastic dual coordinate ascent (SDCA).

    Args:
      example_id_column: name of the feature with example ids, strings [batch] with a static batch size.
      feature_columns: columns of `tf.contrib.layers`.
      weight_column_name: name of the feature with example weights.
      model_dir: directory of checkpoints and event files.
      l1_regularization, l2_regularization: strength of l1 and l2 regularization.
      num_loss_partitions: number of training workers.
      kernels: must be None; kernels are not supported.
      config: a RunConfig.
      feature_engineering_fn: a function that transforms (features, labels) for the model.

    Raises:
      ValueError: if kernels are given.

    Example:
      model = tf.contrib.learn.SVM("id", [tf.contrib.layers.real_valued_column("x")], l2_regularization=10.0)
      model.fit(input_fn=input_fn, steps=30)
    """

    def __init__(
        self,
        example_id_column: str,
        feature_columns: Iterable[Any],
        weight_column_name: str | None = None,
        model_dir: str | None = None,
        l1_regularization: float = 0.0,
        l2_regularization: float = 0.0,
        num_loss_partitions: int = 1,
        kernels: Sequence[Any] | None = None,
        config: RunConfig | None = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        optimizer = SDCAOptimizer(
            example_id_column=example_id_column,
            num_loss_partitions=num_loss_partitions,
            symmetric_l1_regularization=l1_regularization,
            symmetric_l2_regularization=l2_regularization,
        )
        head = binary_svm_head(weight_column_name=weight_column_name, enable_centered_bias=False)
        params = {"head": head, "feature_columns": feature_columns, "optimizer": optimizer}
        super().__init__(
            sdca_model_fn,
            model_dir,
            config,
            sdca_params(params, weight_column_name),
            feature_engineering_fn,
        )

    @deprecated_x_y
    @arguments_of(Estimator.predict, "outputs", "iterate_batches")
    def predict_classes(self, *args: Any) -> Any:
        """Returns the class of each example; takes the arguments of `Estimator.predict`."""
        return self._predict_key(PredictionKey.CLASSES, *args)

    @deprecated_x_y
    def predict_proba(
        self,
        x: TensorLike | None = None,
        input_fn: Callable[..., Any] | None = None,
        batch_size: int | None = None,
        outputs: Sequence[str] | None = None,
        as_iterable: bool = True,
    ) -> Any:
        """Raises ValueError: support vector machines predict no probabilities.

        Raises:
          ValueError: always.
        """
        return self._predict_key(PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)

    @deprecated_export
    def export(  # type: ignore[override]  # same signature as in TensorFlow
        self,
        export_dir: str,
        signature_fn: Callable[..., Any] | None = None,
        input_fn: Callable[..., Any] | None = None,
        default_batch_size: int = 1,
        exports_to_keep: int | None = None,
    ) -> Any:
        """Raises an error, like `Estimator.export`; use `export_savedmodel` to export for serving."""
        return self.export_with_defaults(export_dir)

    @deprecated_export
    @arguments_of(export)
    def export_with_defaults(self, export_dir: str, *arguments: Any) -> Any:
        """Raises an error, like `export`."""
        return super().export(export_dir)
