"""A head of several heads, with concatenated logits and summed losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.graph.scopes import name_scope
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.export.export_output import PredictOutput
from tfmini._src.models.estimator.heads import metrics as measures
from tfmini._src.models.estimator.heads.head import PREDICT, SERVING, Head, LossSpec, training_op
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.metrics.running_means import mean
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries


class SeveralHeads(Head):
    """Combines named heads, and weights their losses.

    Args:
      heads: heads with distinct names.
      head_weights: one weight per head, by default 1.
    """

    def __init__(self, heads: Any, head_weights: Any = None):
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                "heads and head_weights must have the same size. "
                f"Given len(heads): {len(heads)}. Given len(head_weights): {len(head_weights)}."
            )
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        for head in heads:
            if not head.name:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._head_weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def create_loss(self, features: Any, mode: str, logits: Any, labels: Any) -> LossSpec:
        logits_by_head = self._logits_by_head(logits)
        losses, unreduced, weights, processed = [], {}, {}, {}
        for i, head in enumerate(self._heads):
            name = head.name
            loss = head.create_loss(features, mode, logits_by_head[name], labels[name])
            losses.append(loss.training_loss)
            processed[name] = loss.processed_labels
            unreduced[name], weights[name] = loss.unreduced_loss, loss.weights
            if self._head_weights:
                unreduced[name] = ops.multiply(unreduced[name], self._head_weights[i])
                weights[name] = ops.multiply(weights[name], self._head_weights[i])
        return LossSpec(self._merge(losses), unreduced, weights, processed)

    def _merge(self, losses: list) -> Tensor:
        with name_scope("merge_losses", values=(*losses, *self._head_weights)):
            if self._head_weights:
                losses = [ops.multiply(*pair) for pair in zip(losses, self._head_weights)]
            return ops.add_n(losses)

    def create_estimator_spec(  # type: ignore[override]  # heads regularize themselves
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable | None = None,
    ) -> EstimatorSpec:
        """Returns the merged EstimatorSpec; `labels` is a dict by head name, `logits` a dict or one tensor."""
        logits_by_head = self._logits_by_head(logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        specs = [
            head.create_estimator_spec(
                features=features,
                mode=mode,
                logits=logits_by_head[head.name],
                labels=labels[head.name] if labels else None,
                train_op_fn=lambda loss: ops.no_op(),
            )
            for head in self._heads
        ]
        if mode == ModeKeys.TRAIN:
            return self._train_spec(specs, optimizer, train_op_fn)
        if mode == ModeKeys.PREDICT:
            return self._predict_spec(specs)
        if mode == ModeKeys.EVAL:
            return self._eval_spec(specs)
        raise ValueError(f"mode={mode} unrecognized")

    def _logits_by_head(self, logits: Any) -> dict[str, Tensor]:
        return logits if isinstance(logits, dict) else split_logits(logits, self._heads)

    def _predictions(self, specs: list) -> dict:
        return {
            (head.name, key): value
            for head, spec in zip(self._heads, specs)
            for key, value in spec.predictions.items()
        }

    def _train_spec(
        self, specs: list, optimizer: Any, train_op_fn: Callable | None
    ) -> EstimatorSpec:
        measured: dict[str, Any] = {}
        for spec in specs:
            measured.update(spec.eval_metric_ops or {})
        loss = self._merge([spec.loss for spec in specs])
        train_op = training_op(loss, optimizer, train_op_fn)
        predictions = self._predictions(specs)
        trained = EstimatorSpec(ModeKeys.TRAIN, predictions, loss, train_op, measured)
        with name_scope(""):
            summaries.scalar(measures.LOSS, trained.loss)
        return trained

    def _eval_spec(self, specs: list) -> EstimatorSpec:
        measured: dict[str, Any] = {}
        with name_scope("merge_eval"):
            for head, spec in zip(self._heads, specs):
                key = measures.metric_key(head.name, measures.LOSS)
                measured[key] = mean(spec.loss, name=key)
                measured.update(spec.eval_metric_ops or {})
            loss = self._merge([spec.loss for spec in specs])
        return EstimatorSpec(
            ModeKeys.EVAL, self._predictions(specs), loss, eval_metric_ops=measured
        )

    def _predict_spec(self, specs: list) -> EstimatorSpec:
        outputs = merged_export_outputs(specs, self._heads)
        return EstimatorSpec(ModeKeys.PREDICT, self._predictions(specs), export_outputs=outputs)

    def _predict(self, logits: Any) -> dict:
        raise NotImplementedError

    def _outputs(self, predictions: dict) -> dict:
        raise NotImplementedError

    def _metrics(self, predictions: dict, labels: Any, loss: Any, regularization: Any) -> dict:
        raise NotImplementedError


def _default_output(outputs: dict, name: str) -> Any:
    if len(outputs) == 1:
        return next(iter(outputs.values()))
    if SERVING in outputs:
        return outputs[SERVING]
    raise ValueError(
        f"{name} did not specify default export_outputs. Given: {outputs} Suggested fix: Use one of the heads "
        f"in tf.contrib.estimator, or include key {SERVING} in export_outputs."
    )


def split_logits(logits: Any, heads: Any) -> dict[str, Tensor]:
    """Splits concatenated logits into a dict by head name; raises ValueError for a mismatched width."""
    sizes = [head.logits_dimension for head in heads]
    logits_of, start = {}, 0
    with name_scope(None, "split_logits", values=[logits]):
        logits = ops.convert_to_tensor(logits)
        shape = logits.shape.as_list()
        if shape[-1] is not None and shape[-1] != sum(sizes):
            raise ValueError(
                f"Could not split logits of shape {shape!r} among the heads with individual logits "
                f"dimensions: {sizes!r}. The last dimension of the logits tensor should equal "
                f"{shape[-1]} but is {sum(sizes)}."
            )
        batch = ops.shape(logits)[:-1]
        zeros, minus_ones = ops.zeros_like(batch), -1 * ops.ones_like(batch)
        for head in heads:
            begin = ops.concat([zeros, [start]], axis=0)
            size = ops.concat([minus_ones, [head.logits_dimension]], axis=0)
            logits_of[head.name] = ops.slice(logits, begin=begin, size=size)
            start += head.logits_dimension
    return logits_of


def merged_export_outputs(specs: list, heads: Any) -> dict[str, Any]:
    """Returns the merged export outputs of several EstimatorSpecs, by signature key."""
    outputs = {SERVING: _default_output(specs[0].export_outputs, heads[0].name)}
    merged = {}
    for head, spec in zip(heads, specs):
        for key, output in spec.export_outputs.items():
            outputs[head.name if key == SERVING else f"{head.name}/{key}"] = output
            if key == PREDICT and isinstance(output, PredictOutput):
                merged.update({f"{head.name}/{k}": v for k, v in output.outputs.items()})
    outputs[PREDICT] = PredictOutput(merged)
    return outputs
