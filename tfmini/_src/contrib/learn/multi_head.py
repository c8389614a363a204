"""Multiple `tf.contrib.learn` heads on one model, and a head of additional losses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.names.signature import arguments_of
from tfmini._src.base.read_only import read_only
from tfmini._src.contrib.learn.heads import no_op_train_fn
from tfmini._src.contrib.learn.model_fn import ModeKeys, ModelFnOps
from tfmini._src.contrib.learn.single_head import Head, check_mode, metric_key
from tfmini._src.graph.scopes import name_scope
from tfmini._src.ops import ops
from tfmini._src.ops.summaries import scalar_histogram_summary as summaries
from tfmini._src.variables.variable_scope import variable_scope

_ADVICE = "Please switch to tf.contrib.estimator.*_head."


class LossOnlyHead(Head):
    """Head whose losses are independent of labels."""

    def __init__(self, loss_fn: Callable, head_name: str | None = None):
        self._loss_fn = loss_fn
        self.head_name = head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        return 0

    @arguments_of(Head.create_model_fn_ops)
    def create_model_fn_ops(self, mode: str, train_op_fn: Any, scope: Any, **_: Any) -> ModelFnOps:
        check_mode(mode)
        loss = train_op = None
        if mode != ModeKeys.INFER:
            with variable_scope(scope, default_name=self.head_name):
                loss = self._loss_fn()
                if isinstance(loss, list):
                    loss = ops.add_n(loss)
                with name_scope(""):
                    summaries.scalar(metric_key(self.head_name, "loss"), ops.identity(loss))
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    with name_scope(None, "train_op", (loss,)):
                        train_op = train_op_fn(loss)
        return ModelFnOps(
            mode=mode, loss=loss, train_op=train_op, predictions={}, eval_metric_ops={}
        )


class MultiHead(Head):
    """Head that merges the losses of several heads."""

    logits_dimension: int = read_only()

    def __init__(self, heads: list, merge: Callable):
        self._logits_dimension = 0
        for head in heads:
            if not head.head_name:
                raise ValueError("Members of MultiHead must have names.")
            self._logits_dimension += head.logits_dimension
        self._heads, self._merge = heads, merge

    @arguments_of(Head.create_model_fn_ops)
    def create_model_fn_ops(
        self, mode: str, train_op_fn: Any, logits: Any, logits_input: Any, **kwargs: Any
    ) -> ModelFnOps:
        check_mode(mode)
        kwargs |= {"mode": mode, "train_op_fn": no_op_train_fn}
        if logits is None:
            results = [
                head.create_model_fn_ops(**kwargs, logits_input=logits_input)
                for head in self._heads
            ]
        else:
            parts = self._parts(logits)
            results = [
                head.create_model_fn_ops(**kwargs, logits=part)
                for head, part in zip(self._heads, parts)
            ]
        if mode == ModeKeys.INFER:
            return self._merge_infer(results)
        if mode == ModeKeys.EVAL:
            return self._merge_eval(results)
        if train_op_fn is None:
            raise ValueError("train_op_fn can not be None in TRAIN mode.")
        return self._merge_train(results, train_op_fn)

    def _parts(self, logits: Any) -> list:
        """Returns the logits of each head."""
        if isinstance(logits, dict):
            return [
                None if isinstance(head, LossOnlyHead) else logits[head.head_name]
                for head in self._heads
            ]
        parts, begin = [], 0
        for head in self._heads:
            parts.append(ops.slice(logits, [0, begin], [-1, head.logits_dimension]))
            begin += head.logits_dimension
        return parts

    def _merge_train(self, head_ops: list[ModelFnOps], train_op_fn: Callable) -> ModelFnOps:
        metrics: dict = {}
        for head_op in head_ops:
            metrics.update(head_op.eval_metric_ops or {})
        loss = self._merge([head_op.loss for head_op in head_ops])
        train_op = ops.group(train_op_fn(loss), *[head_op.train_op for head_op in head_ops])
        return ModelFnOps(
            mode=ModeKeys.TRAIN, loss=loss, train_op=train_op, eval_metric_ops=metrics
        )

    def _merge_infer(self, head_ops: list[ModelFnOps]) -> ModelFnOps:
        predictions: dict = {}
        outputs: dict = {}
        for head, head_op in zip(self._heads, head_ops):
            if not isinstance(head, LossOnlyHead):
                name = head.head_name
                outputs[name] = head_op.output_alternatives[name]
                predictions |= {(name, key): value for key, value in head_op.predictions.items()}
        return ModelFnOps(mode=ModeKeys.INFER, predictions=predictions, output_alternatives=outputs)

    def _merge_eval(self, head_ops: list[ModelFnOps]) -> ModelFnOps:
        predictions: dict = {}
        metrics: dict = {}
        for head, head_op in zip(self._heads, head_ops):
            name = head.head_name
            predictions |= {(name, key): value for key, value in head_op.predictions.items()}
            metrics.update(head_op.eval_metric_ops)
        loss = self._merge([head_op.loss for head_op in head_ops])
        return ModelFnOps(
            mode=ModeKeys.EVAL, predictions=predictions, loss=loss, eval_metric_ops=metrics
        )


@deprecated(None, _ADVICE)
def loss_only_head(loss_fn: Callable[..., Any], head_name: str | None = None) -> Head:
    """Returns a head whose losses are independent of labels, for use with `multi_head`.

    Args:
      loss_fn: returns a loss, or a list of losses.
      head_name: head name, by default "loss_only_head".
    """
    return LossOnlyHead(loss_fn, head_name=head_name)


@deprecated(None, _ADVICE)
def multi_head(heads: list[Any], loss_weights: Sequence[float] | None = None) -> Head:
    """Combines several heads on one model; prediction keys are pairs (head name, key).

    Args:
      heads: named heads.
      loss_weights: factor of each head's loss, by default 1.

    Raises:
      ValueError: if the numbers of weights and heads differ, or a head has no name.

    Example: `tf.contrib.learn.multi_head([age_head, sex_head], loss_weights=[1.0, 0.5])`.
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")

    def merge(losses: list) -> Any:
        if not loss_weights:
            return ops.add_n(losses)
        return ops.add_n([ops.multiply(loss, weight) for loss, weight in zip(losses, loss_weights)])

    return MultiHead(heads, merge)
