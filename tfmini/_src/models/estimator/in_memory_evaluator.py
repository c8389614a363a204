"""Evaluates an Estimator during training in the same process, copying variables instead of restoring checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.models.estimator import evaluation
from tfmini._src.models.estimator.estimator import Estimator
from tfmini._src.models.estimator.estimator_arguments import checked_hooks
from tfmini._src.ops import ops
from tfmini._src.train.monitored.evaluate_once import StopAfterNEvalsHook
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.monitored.second_or_step_timer import SecondOrStepTimer
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)

if TYPE_CHECKING:
    from tfmini._src.session.session import Session
    from tfmini._src.train.input_queues.coordinator import Coordinator


class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates an Estimator during training, every `every_n_iter` steps, at the start and at the end.

    Args:
      estimator: the trained Estimator.
      input_fn: evaluation input function.
      steps: number of batches; None for the whole input.
      hooks: SessionRunHooks of the evaluation.
      name: name to distinguish several evaluations.
      every_n_iter: interval in steps.

    Raises:
      ValueError: if `every_n_iter` is not positive, or the Estimator runs in a cluster.

    Example:
      evaluate = tf.estimator.experimental.InMemoryEvaluatorHook(estimator, eval_input, every_n_iter=1000)
      estimator.train(train_input, [evaluate])
    """

    def __init__(
        self,
        estimator: Estimator,
        input_fn: Callable[..., Any],
        steps: int | None = None,
        hooks: Sequence[Any] | None = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ):
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        config = estimator.config
        if config.num_ps_replicas > 0 or config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator, self._input_fn = estimator, input_fn
        self._directory = estimator.eval_dir(name)
        self._hooks = checked_hooks(hooks)
        if steps is not None:
            if steps <= 0:
                raise ValueError(f"Must specify steps > 0, given: {steps}")
            self._hooks.append(StopAfterNEvalsHook(steps))
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        """Builds the evaluation model in a separate graph."""
        self._timer.reset()
        self._runs = 0
        self._graph = Graph()
        with self._graph.as_default():
            self._evaluation = evaluation.build(self._estimator, self._graph, self._input_fn, None)
            if self._evaluation.scaffold.saver is not None:
                raise ValueError("InMemoryEvaluator does not support custom saver")
            if self._evaluation.scaffold.init_fn is not None:
                raise ValueError("InMemoryEvaluator does not support custom init_fn")
            variables = get_collection(GraphKeys.GLOBAL_VARIABLES)
            self._evaluated = {v.name: (v, ops.placeholder(v.dtype)) for v in variables}

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Evaluates the initial values."""
        if get_collection(GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError(
                "InMemoryEvaluator does not support saveables other than global variables."
            )
        self._trained = {
            v.name: v
            for v in get_collection(GraphKeys.GLOBAL_VARIABLES)
            if v.name in self._evaluated
        }
        with self._graph.as_default():
            pairs = [self._evaluated[name] for name in self._trained]
            self._copy_op = ops.group(
                *[ops.assign(variable, placeholder) for variable, placeholder in pairs]
            )
        self._evaluate(session)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Counts steps, and evaluates when due."""
        self._runs += 1
        if self._timer.should_trigger_for_step(self._runs):
            self._evaluate(run_context.session)

    def end(self, session: Session) -> None:
        """Evaluates the final values."""
        self._evaluate(session)

    def _evaluate(self, session: Any) -> None:
        values = session.run(self._trained)
        placeholder_layers = {self._evaluated[name][1]: value for name, value in values.items()}
        scaffold = Scaffold(
            init_fn=lambda scaffold, session: session.run(self._copy_op, placeholder_layers),
            copy_from_scaffold=self._evaluation.scaffold,
        )
        with self._graph.as_default():
            built = self._evaluation._replace(scaffold=scaffold)
            evaluation.run(self._estimator, built, None, self._hooks, self._directory)
        self._timer.update_last_triggered_step(self._runs)
