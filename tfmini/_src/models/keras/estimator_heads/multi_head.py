"""`tf.estimator.MultiHead`: combines several heads by a weighted sum of their losses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tfmini._src.base.names.signature import arguments_of
from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import TensorLike
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.multi_head import merged_export_outputs, split_logits
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.models.keras.estimator_heads.head import Head, regularize, summarize, training_op
from tfmini._src.models.keras.metrics.reductions import Mean
from tfmini._src.ops import ops


class MultiHead(Head):
    """Combines named heads by a weighted sum of their losses.

    Args:
      heads: heads with distinct names.
      head_weights: one weight per head, by default 1.

    Raises:
      ValueError: if there are no heads, a head has no name, or the number of weights differs.

    Example:
      heads = [tf.estimator.BinaryClassHead(name="seen"), tf.estimator.RegressionHead(name="hours")]
      head = tf.estimator.MultiHead(heads, head_weights=[1.0, 0.1])
    """

    def __init__(self, heads: Sequence[Head], head_weights: Sequence[float] | None = None):
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. "
                f"Given len(heads): {len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if head.name is None:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._head_weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self) -> Any:
        reductions = [head.loss_reduction for head in self._heads]
        if len(set(reductions)) > 1:
            raise ValueError(
                f"The loss_reduction must be the same for different heads. Given: {reductions}"
            )
        return reductions[0]

    def _logits_by_head(self, logits: Any, labels: Any = None) -> dict[str, Any]:
        """Returns the logits of each head, validated along with the labels."""
        if isinstance(logits, dict):
            _check_complete("logits", logits, self._heads)
            logits_by_head = logits
        else:
            logits_by_head = split_logits(logits, self._heads)
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError(f"labels must be a dict. Given: {labels}")
            _check_complete("labels", labels, self._heads)
        return logits_by_head

    def loss(
        self,
        labels: Any,
        logits: TensorLike,
        features: Any = None,
        mode: str | None = None,
        regularization_losses: Iterable[Any] | None = None,
    ) -> Any:
        logits_by_head = self._logits_by_head(logits, labels)
        losses = [
            head.loss(labels[head.name], logits_by_head[head.name], features, mode)
            for head in self._heads
        ]
        with name_scope(None, "merge_losses", (*losses, *self._head_weights)):
            if self._head_weights:
                losses = [ops.multiply(*pair) for pair in zip(losses, self._head_weights)]
            return regularize(ops.add_n(losses), regularization_losses)

    def predictions(self, logits: TensorLike, keys: TensorLike | None = None) -> dict[Any, Any]:
        logits_by_head = self._logits_by_head(logits)
        with name_scope(None, "merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits=logits_by_head[head.name]).items()
            }

    def metrics(self, regularization_losses: Iterable[Any] | None = None) -> dict[str, Any]:
        metrics: dict[str, Any] = {}
        if regularization_losses is not None:
            key = measures.REGULARIZATION
            metrics[self._key(key)] = Mean(name=key)
        with name_scope(None, "merge_eval"):
            for head in self._heads:
                key = f"{measures.LOSS}/{head.name}"
                metrics[key] = Mean(name=key)
        return metrics

    def update_metrics(  # type: ignore[override]  # as TensorFlow's
        self,
        eval_metrics: dict[str, Any],
        features: TensorLike,
        logits: TensorLike,
        labels: Any,
        regularization_losses: Iterable[Any] | None = None,
    ) -> dict[str, Any]:
        logits_by_head = self._logits_by_head(logits, labels)
        if regularization_losses is not None:
            total = ops.add_n(regularization_losses)
            eval_metrics[self._key(measures.REGULARIZATION)].update_state(total)
        for head in self._heads:
            actual, expected = logits_by_head[head.name], labels[head.name]
            loss = head.loss(expected, actual, features)
            eval_metrics[f"{measures.LOSS}/{head.name}"].update_state(loss)
            eval_metrics.update(
                head.update_metrics(head.metrics(), features, actual, expected) or {}
            )
        return eval_metrics

    @arguments_of(Head.create_estimator_spec)
    def create_estimator_spec(
        self, features: TensorLike, mode: str, logits: TensorLike, labels: Any, *options: Any
    ) -> EstimatorSpec:
        *training, regularization_losses = options
        with name_scope(self.name, "multi_head"):
            logits_by_head = self._logits_by_head(logits, labels)
            specs = [
                head.create_estimator_spec(
                    features,
                    mode,
                    logits_by_head[head.name],
                    labels[head.name] if labels else None,
                    train_op_fn=lambda loss: ops.no_op(),
                )
                for head in self._heads
            ]
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = merged_export_outputs(specs, self._heads)
                return EstimatorSpec(mode, predictions, export_outputs=outputs)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.update_metrics(
                    self.metrics(regularization_losses),
                    features,
                    logits,
                    labels,
                    regularization_losses=regularization_losses,
                )
                return EstimatorSpec(mode, predictions, loss, eval_metric_ops=metrics)
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            self.loss_reduction  # noqa: B018  raises if the heads differ
            train_op = training_op(loss, *training)
            summarize(loss, regularization_losses)
            return EstimatorSpec(mode, predictions, loss, train_op, {})


def _check_complete(title: str, logits_by_head: dict, heads: Any) -> None:
    missing = list({head.name for head in heads} - set(logits_by_head))
    if missing:
        raise ValueError(f"{title} has missing values for head(s): {missing}")
