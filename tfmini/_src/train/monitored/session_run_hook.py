"""Session hooks, and their requests and results for each step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tfmini._src.base.read_only import read_only

if TYPE_CHECKING:
    from tfmini._src.graph.default_stack import DefaultSession
    from tfmini._src.session.session import Session
    from tfmini._src.train.input_queues.coordinator import Coordinator


class SessionRunHook:
    """Base class of hooks around the steps of a monitored session; subclasses may override any method.

    Example:
      class Printer(tf.train.SessionRunHook):
          def before_run(self, run_context):
              return tf.train.SessionRunArgs(loss)

          def after_run(self, run_context, run_values):
              print(run_values.results)
    """

    def begin(self) -> None:
        """Called once before the session is created; may add nodes."""

    def after_create_session(self, session: Session, coord: Coordinator) -> None:
        """Called after a session is created, including after recovery; the graph is finalized.

        Args:
          session: the session without hooks.
          coord: the Coordinator of its threads.
        """

    def before_run(self, run_context: SessionRunContext) -> Any:
        """Called before each step; returns additional fetches and feeds as SessionRunArgs, or None.

        Args:
          run_context: a SessionRunContext.
        """
        return None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """Called after each successful step.

        Args:
          run_context: the SessionRunContext passed to `before_run`.
          run_values: the SessionRunValues of the requested fetches.
        """

    def end(self, session: Session) -> None:
        """Called before the session closes, unless an error ended it.

        Args:
          session: the session without hooks.
        """


class SessionRunArgs(NamedTuple):
    """Fetches and feeds of a step, as in `Session.run`.

    Fields:
      fetches: the tensors to fetch.
      feed_dict: the feeds, or None.
      options: a RunOptions, or None.
    """

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """The results of a step.

    Fields:
      results: the values of the hook's fetches, in the same structure, or None.
      options: the RunOptions of the step.
      run_metadata: its RunMetadata.
    """

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """Information about a step for hooks.

    Args:
      original_args: the SessionRunArgs of the caller.
      session: the session without hooks.
    """

    original_args: Any = read_only("The caller's fetches and feeds, a SessionRunArgs.")
    session: Any = read_only("The session without hooks.")
    stop_requested: bool = read_only("Whether a hook has requested a stop.")

    def __init__(self, original_args: object, session: DefaultSession):
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    def request_stop(self) -> None:
        """Requests a stop after this step, which makes `should_stop` of the monitored session true."""
        self._stop_requested = True
