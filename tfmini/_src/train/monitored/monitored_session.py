"""`MonitoredSession`: a session with initialization, hooks and recovery."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tfmini._src.base.errors import OutOfRangeError
from tfmini._src.graph.collections import get_collection
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.train.input_queues.coordinator import Coordinator
from tfmini._src.train.input_queues.queue_runner import start_queue_runners
from tfmini._src.train.monitored import recoverable_session
from tfmini._src.train.monitored.recoverable_session import (
    CoordinatedSession,
    HookedSession,
    RecoverableSession,
)
from tfmini._src.train.monitored.session_creator import ChiefSessionCreator, SessionCreator

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.graph.default_stack import FeedDict
    from tfmini._src.train.monitored.scaffold import Scaffold


class _CoordinatedSessionCreator(SessionCreator):
    """Creates a session, its queue threads, and the layers around it for hooks and thread errors."""

    def __init__(self, session_creator: Any, hooks: list[Any], stop_grace_period_secs: float):
        self._session_creator = session_creator
        self._hooks = hooks
        self.coord: Coordinator | None = None
        self.tf_sess: Any = None
        self._stop_grace_period_secs = stop_grace_period_secs

    def create_session(self) -> CoordinatedSession:
        self.tf_sess = self._session_creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=[])
        if get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return CoordinatedSession(
            HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs
        )


class _MonitoredSession:
    """Common base class of both kinds of monitored sessions."""

    def __init__(
        self,
        session_creator: SessionCreator,
        hooks: list[Any] | None,
        should_recover: bool,
        stop_grace_period_secs: float = 120,
    ):
        self._graph_was_finalized = get_default_graph().finalized
        # Runs even after errors, when `end` of the hooks is skipped.
        self._close_stack = contextlib.ExitStack()
        self._hooks = hooks or []
        for hook in self._hooks:
            hook.begin()
        self._coordinated_creator = _CoordinatedSessionCreator(
            session_creator or ChiefSessionCreator(), self._hooks, stop_grace_period_secs
        )
        self._sess: Any
        if should_recover:
            self._sess = RecoverableSession(self._coordinated_creator)
        else:
            self._sess = self._coordinated_creator.create_session()

    class StepContext(recoverable_session.StepContext):
        """The argument of functions passed to `run_step_fn`: the `session`, and a method that runs steps with hooks."""

    @property
    def graph(self) -> Any:
        """The graph, or None if the session is closed."""
        session = self._tf_sess()
        return None if session is None else session.graph

    def run(
        self,
        fetches: object,
        feed_dict: FeedDict | None = None,
        options: proto.RunOptions | None = None,
        run_metadata: proto.RunMetadata | None = None,
    ) -> Any:
        """Runs a step like `Session.run`, including the fetches and feeds of hooks."""
        return self._sess.run(
            fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
        )

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """Calls a function that runs steps with and without hooks.

        Args:
          step_fn: a function of `step_context`: `step_context.session` is the session without hooks,
            `step_context.run_with_hooks` runs a step with hooks, `step_context.request_stop()` ends the training.

        Returns:
          The result of `step_fn`.

        Raises:
          ValueError: if `step_fn` has invalid parameters.
          StopIteration: if `step_fn` requests a stop.
        """
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        parameters = inspect.signature(step_fn).parameters.values()
        arguments = tuple(p.name for p in parameters if p.kind in positional)
        if arguments not in (("step_context",), ("self", "step_context")):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's "
                f"an instance method. Got {arguments} instead."
            )
        return self._sess.run_step_fn(step_fn, self._tf_sess(), run_with_hooks=None)

    def should_stop(self) -> bool:
        """Whether to stop: true if a stop was requested or the session is closed."""
        return self._sess is None or self._sess.should_stop()

    def close(self) -> None:
        """Calls `end` of the hooks, stops the threads and closes the session."""
        self._close_internal()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, exception_type: Any, exception_value: Any, traceback: Any) -> bool:
        if exception_type in (OutOfRangeError, StopIteration):
            exception_type = None
        self._close_internal(exception_type)
        return exception_type is None

    def _close_internal(self, exception_type: Any = None) -> None:
        try:
            if not exception_type:
                for hook in self._hooks:
                    hook.end(self._tf_sess())
        finally:
            try:
                if self._sess is None:
                    raise RuntimeError("Session is already closed.")
                self._sess.close()
            finally:
                self._sess = None
                self._coordinated_creator.tf_sess = None
                self._coordinated_creator.coord = None
                self._close_stack.close()
                if not self._graph_was_finalized:
                    get_default_graph()._unsafe_unfinalize()

    def _is_closed(self) -> bool:
        return self._tf_sess() is None

    def _tf_sess(self) -> Any:
        return self._coordinated_creator.tf_sess


class MonitoredSession(_MonitoredSession):
    """A session with hooks, which is recreated after AbortedError or UnavailableError.

    At the start, `begin` of the hooks is called, the session is created (which finalizes the graph), queue
    runners are started, and `after_create_session` is called. Each step calls `before_run`, runs, and calls
    `after_run`. `end` is called at the end, unless the `with` block raised an error other than OutOfRangeError
    and StopIteration, which signal the end of input.

    Args:
      session_creator: a SessionCreator, by default a ChiefSessionCreator.
      hooks: a list of SessionRunHooks.
      stop_grace_period_secs: seconds that `close` waits for threads.

    Example:
      with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(100)]) as session:
          while not session.should_stop():
              session.run(train)
    """

    def __init__(
        self,
        session_creator: Any = None,
        hooks: list[Any] | None = None,
        stop_grace_period_secs: float = 120,
    ):
        super().__init__(
            session_creator,
            hooks,
            should_recover=True,
            stop_grace_period_secs=stop_grace_period_secs,
        )


class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks that does not recover; `raw_session` returns the plain session.

    Args:
      hooks, scaffold, master, config, stop_grace_period_secs: as in `MonitoredTrainingSession`.
      checkpoint_dir: directory to restore the latest checkpoint from.
      checkpoint_filename_with_path: prefix of the checkpoint to restore.

    Example:
      with tf.train.SingularMonitoredSession() as session:
          saver.save(session.raw_session(), "/tmp/model")
    """

    def __init__(
        self,
        hooks: list[Any] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: proto.ConfigProto | None = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ):
        creator = ChiefSessionCreator(
            scaffold=scaffold,
            master=master,
            config=config,
            checkpoint_dir=checkpoint_dir,
            checkpoint_filename_with_path=checkpoint_filename_with_path,
        )
        super().__init__(
            creator, hooks, should_recover=False, stop_grace_period_secs=stop_grace_period_secs
        )

    def raw_session(self) -> Any:
        """Returns the session without hooks."""
        return self._tf_sess()
