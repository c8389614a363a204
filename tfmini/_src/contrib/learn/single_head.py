"""Base classes of `tf.contrib.learn` heads: losses, predictions and metrics from logits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from tfmini._src.base import dtypes, logs
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.layers.fully_connected import linear
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps, ProblemType
from tfmini._src.graph.composite_values import SparseTensor
from tfmini._src.graph.convert_to_tensor import convert_to_tensor_or_sparse_tensor
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops import ops
from tfmini._src.ops.math.broadcast_weights import broadcast_weights
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.train.optimizers.adagrad import AdagradOptimizer
from tfmini._src.variables.get_variable import VariableScope
from tfmini._src.variables.variable import Variable
from tfmini._src.variables.variable_scope import variable_scope


def metric_key(head_name: str | None, key: str) -> str:
    return f"{key}/{head_name}" if head_name else key


def check_mode(mode: str) -> None:
    """Raises ValueError for an unknown mode, with a head's message."""
    if mode not in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.INFER):
        raise ValueError(f"mode={mode} unrecognized.")


class Head(ABC):
    """Interface of heads: the final part of a model, applied to its logits."""

    @property
    @abstractmethod
    def logits_dimension(self) -> int:
        """Size of the last dimension of the logits."""

    @abstractmethod
    def create_model_fn_ops(
        self,
        features: TensorLike,
        mode: str,
        labels: TensorLike | None = None,
        train_op_fn: Callable[..., Any] | None = None,
        logits: TensorLike | None = None,
        logits_input: TensorLike | None = None,
        scope: str | VariableScope | None = None,
    ) -> ModelFnOps:
        """Builds the ModelFnOps returned by a model function.

        Args:
          features: a dict of features.
          mode: the mode of `tf.contrib.learn.ModeKeys`.
          labels: the labels.
          train_op_fn: function from the loss to the training operation.
          logits: Tensor [batch, logits_dimension].
          logits_input: alternatively, the Tensor from which a fully connected layer computes the logits.
          scope: scope name.
        """


class SingleHead(Head):
    """Base class of heads with one kind of labels; subclasses define loss, predictions and metrics."""

    head_name: str | None = read_only("Name of the head, also the prefix of its metric names.")
    default_scope = "head"
    problem_type = ProblemType.UNSPECIFIED
    logits_dimension: int = read_only(attribute="_dimension")

    def __init__(
        self,
        logits_dimension: int,
        label_name: str | None,
        weight_column_name: str | None,
        enable_centered_bias: bool,
        head_name: str | None,
    ):
        if logits_dimension is None or logits_dimension < 1:
            raise ValueError(f"Invalid logits_dimension {logits_dimension}.")
        self._dimension, self._label_name = logits_dimension, label_name
        self._weight_name, self._head_name = weight_column_name, head_name
        self._has_bias = enable_centered_bias

    def create_model_fn_ops(
        self,
        features: Any,
        mode: str,
        labels: Any = None,
        train_op_fn: Callable[..., Any] | None = None,
        logits: Any = None,
        logits_input: Any = None,
        scope: Any = None,
    ) -> ModelFnOps:
        values = (*features.values(), labels, logits, logits_input)
        default_name = self._head_name or self.default_scope
        with variable_scope(scope, default_name=default_name, values=values):
            head_labels = None
            if mode != ModeKeys.INFER and labels is not None:
                head_labels = self._labels(labels)
            logits = _logits(logits_input, logits, self._dimension)
            check_mode(mode)
            bias = None
            if self._has_bias:
                bias = _centered_bias(self._dimension, self._head_name)
                logits = ops.bias_add(logits, bias)
            predictions = self._predict(logits)
            loss = train_op = measured = None
            if head_labels is not None:
                weights = _weight_tensor(features, self._weight_name)
                loss, average = self._loss(head_labels, logits, weights)
                with name_scope(""):
                    reported_loss = ops.identity(average)
                    summaries.scalar(metric_key(self._head_name, "loss"), reported_loss)
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    batch = ops.shape(logits)[0]
                    train_op = self._create_train_op(
                        loss, head_labels, train_op_fn, bias, batch, weights
                    )
                metrics = self._metrics(average, predictions, head_labels, weights)
                measured = {
                    metric_key(self._head_name, key): value for key, value in metrics.items()
                }
            return ModelFnOps(
                mode=mode,
                predictions=predictions,
                loss=loss,
                train_op=train_op,
                eval_metric_ops=measured,
                output_alternatives={self._head_name: self._output(predictions)},
            )

    def _labels(self, labels: Any) -> Any:
        head_labels = labels[self._label_name] if isinstance(labels, dict) else labels
        head_labels = convert_to_tensor_or_sparse_tensor(head_labels)
        if isinstance(head_labels, SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return head_labels

    def _create_train_op(
        self, loss: Any, labels: Any, function: Callable, bias: Any, batch: Any, weights: Any
    ) -> Any:
        step = None if bias is None else self._bias_step(bias, batch, labels, weights)
        with name_scope(None, "train_op", (loss, labels)):
            train_op = function(loss)
            return train_op if step is None else ops.group(train_op, step)

    def _bias_step(self, bias: Any, batch: Any, labels: Any, weights: Any) -> Any:
        with name_scope(None, "centered_bias_step", (labels,)) as name:
            size = ops.shape(bias)[0]
            logits = ops.reshape(ops.tile(bias, (batch,)), (batch, size))
            with name_scope(None, "centered_bias", (labels, logits)):
                loss = ops.reduce_mean(self._loss(labels, logits, weights), name="training_loss")
        return AdagradOptimizer(0.1).minimize(loss, var_list=(bias,), name=name)

    @abstractmethod
    def _loss(self, labels: Any, logits: Any, weights: Any) -> Any:
        """Returns the training loss, and the weighted average to report."""

    @abstractmethod
    def _predict(self, logits: Tensor) -> dict[str, Tensor]:
        """Returns the predictions by key."""

    @abstractmethod
    def _metrics(self, loss: Any, predictions: dict, labels: Any, weights: Any) -> dict:
        """Returns the metrics by key, to which the head's name is added."""

    def _output(self, predictions: dict) -> tuple[int, dict]:
        return self.problem_type, predictions


def _logits(inputs: Any, logits: Any, dimension: int) -> Tensor:
    if logits is None:
        if inputs is None:
            raise ValueError("Neither logits nor logits_input supplied.")
        return linear(inputs, dimension, scope="logits")
    if inputs is not None:
        raise ValueError("Both logits and logits_input supplied.")
    logits = ops.convert_to_tensor(logits, name="logits")
    if logits.get_shape().dims is not None:
        logits.get_shape().dims[-1].assert_is_compatible_with(dimension)
    return logits


def _centered_bias(dimension: int, head_name: str | None) -> Variable:
    bias = Variable(ops.zeros(shape=(dimension,)), name="centered_bias_weight", trainable=True)
    for i in range(dimension):
        summaries.scalar(metric_key(head_name, f"centered_bias/bias_{i}"), bias[i])
    return bias


def _weight_tensor(features: dict, name: str | None) -> Any:
    if not name:
        return None
    if name not in features:
        raise ValueError(f"Weights {name} missing from features.")
    with name_scope(None, "weight_tensor", tuple(features.values())):
        weights = ops.cast(features[name], dtypes.float32)
        if weights.get_shape().ndims != 1:
            return weights
        logs.warning("Weights %s has shape %s, expanding to make it 2d.", name, weights.get_shape())
        if isinstance(weights, SparseTensor):
            return ops.sparse_reshape(weights, (-1, 1))
        return ops.reshape(weights, (-1, 1))


def weighted_loss(losses: Tensor, weights: Any, name: str = "loss") -> tuple[Tensor, Tensor]:
    """Returns the mean of weighted losses, and their weighted average."""
    with name_scope(name, values=(losses, weights)) as scope:
        if weights is None:
            loss = ops.reduce_mean(losses, name=scope)
            return loss, loss
        weights = broadcast_weights(weights, losses)
        with name_scope(None, "weighted_loss", (losses, weights)) as inner:
            weighted = ops.multiply(losses, weights, name=inner)
        mean = ops.reduce_mean(weighted, name=scope)
        weighted_sum = ops.reduce_sum(weighted)
        total = ops.cast(ops.reduce_sum(weights), dtypes.float32)
        return mean, ops.div(weighted_sum, total, name="weighted_average_loss")


def column(tensor: Any) -> Tensor:
    return ops.expand_dims(tensor, axis=1) if len(tensor.get_shape()) == 1 else tensor
