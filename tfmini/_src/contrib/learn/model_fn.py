"""Modes, keys and return values of `tf.contrib.learn` model functions."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base import dtypes, logs
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.operation import Operation
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import (
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)
from tfmini._src.models.estimator.mode_keys import ModeKeys as CoreModeKeys
from tfmini._src.ops import ops
from tfmini._src.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from tfmini._src.train.monitored.session_run_hook import SessionRunHook


class ModeKeys:
    """Modes a model is built for: training, evaluation, inference."""

    TRAIN = "train"
    EVAL = "eval"
    INFER = "infer"

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError for an unknown mode."""
        if key not in (cls.TRAIN, cls.EVAL, cls.INFER):
            raise ValueError(f"Invalid mode {key}.")


class ProblemType:
    """Kinds of problems a head can solve."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class PredictionKey:
    """Keys of predictions."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"


class MetricKey:
    """Keys of head metrics; keys with "%d" are per class, keys with "%f" per threshold."""

    LOSS = "loss"
    AUC = "auc"
    AUC_PR = "auc_precision_recall"
    CLASS_AUC = "auc/class%d"
    CLASS_AUC_PR = "auc_precision_recall/class%d"
    PREDICTION_MEAN = "labels/prediction_mean"
    CLASS_PREDICTION_MEAN = "labels/prediction_mean/class%d"
    CLASS_LOGITS_MEAN = "labels/logits_mean/class%d"
    CLASS_PROBABILITY_MEAN = "labels/probability_mean/class%d"
    LABEL_MEAN = "labels/actual_label_mean"
    CLASS_LABEL_MEAN = "labels/actual_label_mean/class%d"
    ACCURACY = "accuracy"
    ACCURACY_BASELINE = "accuracy/baseline_label_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"


class _Fields(NamedTuple):
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: dict[str, Any]
    output_alternatives: Any
    training_chief_hooks: list
    training_hooks: list
    scaffold: Any
    mode: str


class ModelFnOps(_Fields):
    """Ops built by a model function for a mode.

    Args:
      mode: the mode of `tf.contrib.learn.ModeKeys`.
      predictions: a tensor or a dict of tensors; required for EVAL and INFER.
      loss: a scalar; required for TRAIN and EVAL.
      train_op: the training operation; required for TRAIN.
      eval_metric_ops: a dict from name to metric, a pair (value, update).
      output_alternatives: a dict from name to (ProblemType, dict of tensors), for exports.
      training_chief_hooks, training_hooks: lists of SessionRunHooks.
      scaffold: a `tf.train.Scaffold`.

    Raises:
      ValueError: if a required argument of the mode is missing, or the loss is not a scalar.
      TypeError: if a hook is not a SessionRunHook.
    """

    @deprecated(
        None,
        "When switching to tf.estimator.Estimator, use tf.estimator.EstimatorSpec. You can use the `estimator_spec` "
        "method to create an equivalent one.",
    )
    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        ModeKeys.validate(mode)
        if train_op is None:
            if mode == ModeKeys.TRAIN:
                raise ValueError("Missing train_op.")
        elif not isinstance(train_op, Operation):
            train_op = ops.convert_to_tensor(train_op).op
        if loss is None:
            if mode != ModeKeys.INFER:
                raise ValueError("Missing loss.")
        else:
            loss = ops.convert_to_tensor(loss)
            shape = loss.get_shape()
            if shape.num_elements() not in (None, 1):
                raise ValueError(f"Loss must be scalar: {loss}.")
            if not shape.is_compatible_with([]):
                loss = ops.reshape(loss, [])
        if predictions is None:
            if mode != ModeKeys.TRAIN:
                raise ValueError("Missing predictions.")
        elif isinstance(predictions, dict):
            predictions = {
                key: convert_to_tensor_or_sparse_tensor(value) for key, value in predictions.items()
            }
        else:
            predictions = convert_to_tensor_or_sparse_tensor(predictions)
        if eval_metric_ops is not None and not isinstance(eval_metric_ops, dict):
            raise ValueError("eval_metric_ops must be a dict.")
        hooks = training_chief_hooks or [], training_hooks or []
        for hook in [*hooks[0], *hooks[1]]:
            if not isinstance(hook, SessionRunHook):
                raise TypeError(
                    "All hooks returned from model_fn must be SessionRunHook instances, got instance of "
                    f"{type(hook)}: {hook}"
                )
        metrics = {} if eval_metric_ops is None else eval_metric_ops
        return super().__new__(
            cls, predictions, loss, train_op, metrics, output_alternatives, *hooks, scaffold, mode
        )

    def estimator_spec(
        self, default_serving_output_alternative_key: str | None = None
    ) -> EstimatorSpec:
        """Converts the ops to an EstimatorSpec for a `tf.estimator.Estimator`.

        Args:
          default_serving_output_alternative_key: key of a SavedModel's default output, if there are several.
        """
        outputs, default = self.output_alternatives, DEFAULT_SERVING_SIGNATURE_DEF_KEY
        if outputs and len(outputs) > 1 and default not in outputs:
            outputs = {**outputs, default: outputs[default_serving_output_alternative_key]}
        metrics = {key: value for key, value in self.eval_metric_ops.items() if key != "loss"}
        is_inference = self.mode == ModeKeys.INFER
        return EstimatorSpec(
            mode=CoreModeKeys.PREDICT if is_inference else self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs={k: _export_output(*arguments) for k, arguments in outputs.items()}
            if outputs
            else None,
            training_chief_hooks=self.training_chief_hooks,
            training_hooks=self.training_hooks,
            scaffold=self.scaffold,
        )


def _export_output(problem_type: int, predictions: dict) -> Any:
    if problem_type == ProblemType.UNSPECIFIED:
        return PredictOutput(predictions)
    scores = predictions.get(PredictionKey.SCORES)
    if scores is None:
        scores = predictions.get(PredictionKey.PROBABILITIES)
    if problem_type == ProblemType.LINEAR_REGRESSION:
        return RegressionOutput(scores)
    classes = predictions.get(PredictionKey.CLASSES)
    if classes is None or classes.dtype != dtypes.string:
        logs.warning("classes is not string, Servo inference will not have class ids.")
        classes = None
    return ClassificationOutput(scores=scores, classes=classes)
