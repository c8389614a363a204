"""Hooks of weighted alternating least squares: sweep alternation, step counts, end of training."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.ops import ops
from tfmini._src.train.global_step import get_global_step
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook


class SweepHook(SessionRunHook):
    """Runs the steps of the current sweep, and the ops that prepare the next one.

    Args:
      is_row_sweep, is_done: bool variables: whether the sweep is over rows, and whether it is done.
      init_op: operation run once.
      row_prep_ops, col_prep_ops: operations run one by one before a sweep.
      row_train_op, col_train_op: operations that run a step.
      switch_op: operation run between sweeps.
    """

    def __init__(
        self,
        is_row_sweep: Any,
        is_done: Any,
        init_op: Any,
        row_prep_ops: list,
        col_prep_ops: list,
        row_train_op: Any,
        col_train_op: Any,
        switch_op: Any,
    ):
        self._is_row_sweep, self._is_done = is_row_sweep, is_done
        self._init_op, self._switch_op = init_op, switch_op
        self._prep_ops = {True: row_prep_ops, False: col_prep_ops}
        self._train_ops = {True: row_train_op, False: col_train_op}
        self._has_started = False

    def before_run(self, run_context: Any) -> SessionRunArgs:
        session = run_context.session
        is_done = session.run(self._is_done)
        if not self._has_started:
            logs.info("SweepHook running init op.")
            session.run(self._init_op)
        if is_done:
            logs.info("SweepHook starting the next sweep.")
            session.run(self._switch_op)
        is_row = bool(session.run(self._is_row_sweep))
        if is_done or not self._has_started:
            logs.info("SweepHook running prep ops for the %s sweep.", "row" if is_row else "col")
            for op in self._prep_ops[is_row]:
                session.run(op)
        self._has_started = True
        logs.info("Next fit step starting.")
        return SessionRunArgs([self._train_ops[is_row]])


class CountStep(SessionRunHook):
    """Increments the global step before each run."""

    def __init__(self) -> None:
        self._step_update = ops.assign_add(get_global_step(), 1, name="global_step_incr").op

    def before_run(self, run_context: Any) -> None:
        run_context.session.run(self._step_update)


class StopAfterSweeps(SessionRunHook):
    """Stops training after a number of sweeps.

    Args:
      last_sweep: number of sweeps.
      name: name of the count variable.
    """

    def __init__(self, last_sweep: int, name: str):
        self._last_sweep, self._name = last_sweep, name

    def begin(self) -> None:
        try:
            self._completed_tensor = get_default_graph().get_tensor_by_name(self._name + ":0")
        except KeyError:
            raise RuntimeError(
                f"{self._name} counter should be created to use StopAtSweepHook."
            ) from None

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._completed_tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results >= self._last_sweep:
            run_context.request_stop()
