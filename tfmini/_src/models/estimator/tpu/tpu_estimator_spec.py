"""The TPUEstimatorSpec returned by a TPUEstimator's model function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

from tfmini._src.base import logs
from tfmini._src.models.estimator.estimator_spec import EstimatorSpec
from tfmini._src.models.estimator.fn_args import parameter_names
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook
from tfmini._src.train.summary_v2.summary_writer import flush, summary_writer_initializer_op


class _SpecFields(NamedTuple):
    mode: str
    predictions: Any
    loss: Any
    train_op: Any
    eval_metrics: Any
    export_outputs: Any
    scaffold_fn: Any
    host_call: Any
    training_hooks: tuple
    evaluation_hooks: tuple
    prediction_hooks: tuple


class TPUEstimatorSpec(_SpecFields):
    """A model for one mode, returned by a TPUEstimator's model function.

    Args:
      mode, predictions, loss, train_op, export_outputs: as in `tf.estimator.EstimatorSpec`.
      eval_metrics: pair of a function that returns a dict of `tf.metrics`, and its arguments (list or dict).
      scaffold_fn: function that returns a `tf.train.Scaffold`.
      host_call: pair of a function and its arguments; the result runs in each step.
      training_hooks, evaluation_hooks, prediction_hooks: SessionRunHooks.

    Raises:
      ValueError, TypeError, RuntimeError: for an invalid pair, or a function with other parameters.

    Example:
      def metrics(labels, logits):
          return {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, 1))}

      return tf.contrib.tpu.TPUEstimatorSpec(mode, loss=loss, eval_metrics=(metrics, [labels, logits]))
    """

    def __new__(
        cls,
        mode: str,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metrics: Any = None,
        export_outputs: Any = None,
        scaffold_fn: Callable[..., Any] | None = None,
        host_call: Any = None,
        training_hooks: Any = None,
        evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ) -> TPUEstimatorSpec:
        _check_call("eval_metrics", eval_metrics)
        _check_call("host_call", host_call)
        hooks = [
            tuple(hooks or ()) for hooks in (training_hooks, evaluation_hooks, prediction_hooks)
        ]
        for hook in sum(hooks, ()):
            if not isinstance(hook, SessionRunHook):
                raise TypeError(f"All hooks must be SessionRunHook instances, given: {hook}")
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metrics,
            export_outputs,
            scaffold_fn,
            host_call,
            *hooks,
        )

    def as_estimator_spec(self) -> EstimatorSpec:
        """Returns the EstimatorSpec for CPUs and GPUs."""
        metrics = (
            None
            if self.eval_metrics is None
            else _call_with_tensors("eval_metrics", self.eval_metrics)
        )
        hooks: tuple = ()
        if self.host_call is not None:
            hooks = (_HostCallHook(_call_with_tensors("host_call", self.host_call)),)
        return EstimatorSpec(
            mode=self.mode,
            predictions=self.predictions,
            loss=self.loss,
            train_op=self.train_op,
            eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks + hooks,
            evaluation_hooks=self.evaluation_hooks + hooks,
            prediction_hooks=self.prediction_hooks + hooks,
        )


class _HostCallHook(SessionRunHook):
    """Runs a host call's result in each step; opens its summary writers at the start and flushes them at the end."""

    def __init__(self, tensors: Any):
        self._tensors = tensors

    def begin(self) -> None:
        self._openings = summary_writer_initializer_op()
        self._flush_ops = [flush(writer=op.inputs[0]) for op in self._openings]

    def after_create_session(self, session: Any, coord: Any) -> None:
        session.run(self._openings)

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._tensors)

    def end(self, session: Any) -> None:
        session.run(self._flush_ops)


def _check_call(name: str, pair: Any) -> None:
    if pair is None:
        return
    if not isinstance(pair, tuple | list):
        raise ValueError(f"{name} should be tuple or list")
    if len(pair) != 2:
        raise ValueError(f"{name} should have two elements.")
    function, arguments = pair
    if not callable(function):
        raise TypeError(f"{name}[0] should be callable.")
    if not isinstance(arguments, tuple | list | dict):
        raise ValueError(f"{name}[1] should be tuple or list, or dict.")
    if isinstance(arguments, dict) or inspect.getfullargspec(function).varargs is not None:
        return
    count = len(parameter_names(function))
    if len(arguments) != count:
        raise RuntimeError(
            f"In TPUEstimatorSpec.{name}, length of tensors {len(arguments)} does not match method args of the "
            f"function, which takes {count}."
        )


def _call_with_tensors(name: str, pair: Any) -> Any:
    function, arguments = pair
    if not isinstance(arguments, dict):
        return function(*arguments)
    try:
        return function(**arguments)
    except TypeError as error:
        logs.warning(
            "Exception while calling %s: %s. It is likely the tensors (%s[1]) do not match the function's "
            "arguments",
            name,
            error,
            name,
        )
        raise
