"""The EstimatorSpec returned by a model function, validated at construction."""

from __future__ import annotations

from typing import Any, NamedTuple

from tfmini._src.base.nest.structure import flatten
from tfmini._src.graph.collections import add_to_collection, get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor
from tfmini._src.models.estimator.export.export_output import outputs_to_export
from tfmini._src.models.estimator.mode_keys import ModeKeys
from tfmini._src.nn.layers.metric import Metric
from tfmini._src.ops import ops
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.monitored.session_run_hook import SessionRunHook
from tfmini._src.variables.variable import Variable


class _Fields(NamedTuple):
    mode: str
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: dict[str, Any]
    export_outputs: Any
    training_chief_hooks: tuple
    training_hooks: tuple
    scaffold: Any
    evaluation_hooks: tuple
    prediction_hooks: tuple


class EstimatorSpec(_Fields):
    """A model for one mode, returned by a model function.

    Args:
      mode: a `tf.estimator.ModeKeys`.
      predictions: a tensor or dict of tensors; required for PREDICT.
      loss: a scalar, or a tensor with one element; required for TRAIN and EVAL.
      train_op: the training operation; required for TRAIN.
      eval_metric_ops: a dict from name to a (value, update) pair of tf.metrics, or to an updated tf.keras
        metric.
      export_outputs: a dict from name to a `tf.estimator.export` output for SavedModels; by default
        `predictions`.
      training_chief_hooks, training_hooks: SessionRunHooks for training, on the chief only and on all workers.
      scaffold: a `tf.train.Scaffold`.
      evaluation_hooks, prediction_hooks: SessionRunHooks of evaluation and prediction.

    Raises:
      ValueError: if a required argument is missing, the loss is not a scalar, or a tensor belongs to another
        graph.
      TypeError: for arguments of the wrong type.

    Example: `tf.estimator.EstimatorSpec(mode, predictions, loss, train_op)`.
    """

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        export_outputs: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> EstimatorSpec:
        train_op = _train_op(train_op, mode)
        loss = _loss(loss, mode)
        predictions = _predictions(predictions, mode)
        if mode == ModeKeys.PREDICT:
            export_outputs = outputs_to_export(export_outputs, predictions)
        training_hooks, evaluation_hooks, prediction_hooks, training_chief_hooks = map(
            _hooks, (training_hooks, evaluation_hooks, prediction_hooks, training_chief_hooks)
        )
        metrics = _metrics(eval_metric_ops)
        scaffold = scaffold or Scaffold()
        if not isinstance(scaffold, Scaffold):
            raise TypeError(f"scaffold must be tf.train.Scaffold. Given: {scaffold}")
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            metrics,
            export_outputs,
            training_chief_hooks,
            training_hooks,
            scaffold,
            evaluation_hooks,
            prediction_hooks,
        )

    def _replace(self, **kwds: Any) -> EstimatorSpec:
        """Returns a validated copy with some fields replaced. Raises ValueError for a new mode, ignores other names."""
        if kwds.get("mode", self.mode) != self.mode:
            raise ValueError("mode of EstimatorSpec cannot be changed.")
        return EstimatorSpec(*[kwds.get(name, getattr(self, name)) for name in self._fields])


def _check_graph(value: Any, title: str, name: str) -> None:
    if value.graph is not get_default_graph():
        raise ValueError(
            f'{title} with "{name}" must be from the default graph. Possible causes of this error include: \n\n'
            f"1) {title} was created outside the context of the default graph.\n\n"
            "2) The object passed through to EstimatorSpec was not created in the most recent call to "
            '"model_fn".'
        )


def _check_tensor(value: Any, name: str) -> Any:
    if not isinstance(value, Tensor | Variable):
        raise TypeError(f"{name} must be Tensor, given: {value}")
    return value


def _train_op(value: Any, mode: str) -> Any:
    if value is None:
        if mode == ModeKeys.TRAIN:
            raise ValueError("Missing train_op.")
        return None
    if not isinstance(value, Operation | Tensor | Variable):
        raise TypeError(f"train_op must be Operation or Tensor, given: {value}")
    value = value.op if isinstance(value, Variable) else value
    _check_graph(value, "train_op", value.name)
    return value


def _loss(value: Any, mode: str) -> Any:
    if value is None:
        if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
            raise ValueError("Missing loss.")
        return None
    shape = _check_tensor(value, "loss").get_shape()
    if shape.num_elements() not in (None, 1):
        raise ValueError(f"Loss must be scalar, given: {value}")
    if not shape.is_compatible_with([]):
        value = ops.reshape(value, [])
    _check_graph(value, "loss", value.name)
    return value


def _predictions(value: Any, mode: str) -> Any:
    if value is None:
        if mode == ModeKeys.PREDICT:
            raise ValueError("Missing predictions.")
        return {}
    if not isinstance(value, dict):
        _check_graph(_check_tensor(value, "predictions"), "prediction values", value.name)
        return value
    for key, tensor in value.items():
        _check_tensor(tensor, f"predictions[{key}]")
    for key, tensor in value.items():
        _check_graph(tensor, "prediction values", f"{key}: {tensor.name}")
    return dict(value)


def _hooks(value: Any) -> tuple:
    hooks = tuple(value or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
    return hooks


def _metrics(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise TypeError(f"eval_metric_ops must be a dict, given: {value}")
    for key, pair in value.items():
        if isinstance(pair, Metric):
            if not pair.updates:
                raise ValueError(f'Please call update_state(...) on the "{pair.name}" metric')
        elif not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(
                f"Values of eval_metric_ops must be (metric_value, update_op) tuples, given: {pair} for key: {key}"
            )
    for key, pair in value.items():
        # As in TensorFlow's graph, a metric's result is computed here, too.
        parts = [*pair.updates, pair.result()] if isinstance(pair, Metric) else flatten(pair)
        for part in parts:
            _check_graph(part, "eval_metric_ops", f"{key}: {part.name}")
    return {
        key: _metric_pair(metric) if isinstance(metric, Metric) else metric
        for key, metric in value.items()
    }


def _metric_pair(metric: Metric) -> tuple:
    """Returns (value, update) of an updated tf.keras metric; collects its variables as local and metric variables."""
    for key in (GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES):
        collected = get_collection(key)
        for variable in metric.variables:
            if not any(variable is other for other in collected):
                add_to_collection(key, variable)
    return metric.result(), metric.updates[0]
