"""`FinalOpsHook`, which evaluates ops at the end of a session."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_stack import FeedDict
from tfmini._src.session.session import Session
from tfmini._src.train.monitored.session_run_hook import SessionRunHook


class FinalOpsHook(SessionRunHook):
    """Evaluates `final_ops` at the end of a session.

    Args:
      final_ops: fetches, as in `Session.run`.
      final_ops_feed_dict: the feeds of `final_ops`.

    Example:
      hook = tf.train.FinalOpsHook(accuracy)
      with tf.train.MonitoredSession(hooks=[hook]) as session:
          session.run(train)
      print(hook.final_ops_values)
    """

    final_ops_values: Any = read_only("Fetched values of `final_ops`; None before the end.")

    def __init__(self, final_ops: object, final_ops_feed_dict: FeedDict | None = None):
        self._final_ops = final_ops
        self._final_ops_feed_dict = final_ops_feed_dict
        self._final_ops_values: Any = None

    def end(self, session: Session) -> None:
        """Runs the final ops."""
        if self._final_ops is None:
            return
        try:
            self._final_ops_values = session.run(
                self._final_ops, feed_dict=self._final_ops_feed_dict
            )
        except (OutOfRangeError, StopIteration):
            logs.warning(
                "An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. This typically "
                "means the Ops running by the FinalOpsHook have a dependency back to some input source, which should "
                "not happen. For example, for metrics in tf.estimator.Estimator, all metrics functions return two Ops: "
                "`value_op` and  `update_op`. Estimator.evaluate calls the `update_op` for each batch of the data in "
                "input source and, once it is exhausted, it call the `value_op` to get the metric values. The "
                "`value_op` here should have dependency back to variables reading only, rather than reading another "
                "batch from input. Otherwise, the `value_op`, executed by `FinalOpsHook`, triggers another data "
                "reading, which ends OutOfRangeError/StopIteration. Please fix that."
            )
            raise
