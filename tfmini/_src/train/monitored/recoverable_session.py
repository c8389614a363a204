"""Session layers: hooks around each step, propagation of thread errors, and recreation of lost sessions.

The layers are, from the outside in, recoverable, coordinated and hooked; each stops when the one inside stops.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.errors import AbortedError, UnavailableError
from tfmini._src.base.read_only import read_only
from tfmini._src.train.monitored.session_run_hook import (
    SessionRunArgs,
    SessionRunContext,
    SessionRunValues,
)

PREEMPTION_ERRORS = (AbortedError, UnavailableError)

_NEW_SESSION = (
    "This may be due to a preemption in a connected worker or parameter server. The current session will be closed and "
    "a new session will be created. This error may also occur due to a gRPC failure caused by high memory or network "
    "bandwidth usage in the parameter servers. If this error occurs repeatedly, try increasing the number of parameter "
    "servers assigned to the job. Error: %s"
)


class StepContext:
    """Argument of functions passed to `run_step_fn`.

    Args:
      session: the session without hooks.
      run_with_hooks_fn: function that runs a step with hooks.
    """

    session: Any = read_only("The session without hooks.")

    def __init__(self, session: Any, run_with_hooks_fn: Callable):
        self._session = session
        self._run_with_hooks_fn = run_with_hooks_fn

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """Same as `MonitoredSession.run`."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """Ends the training by raising StopIteration, which the `with` block of the monitored session catches."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class WrappedSession:
    """Base class of session layers.

    Args:
      sess: a session or another layer.
    """

    def __init__(self, sess: Any):
        self._sess = sess
        self._wrapped_is_stoppable = isinstance(self._sess, WrappedSession)

    graph: Any = read_only("The graph.", "_sess.graph")
    sess_str: Any = read_only("The session target.", "_sess.sess_str")

    def should_stop(self) -> bool:
        """Whether this session or an inner session requests a stop, or is closed."""
        if self._check_stop():
            return True
        if self._sess:
            return self._wrapped_is_stoppable and self._sess.should_stop()
        return True

    def _check_stop(self) -> bool:
        """Whether this layer requests a stop."""
        return False

    def close(self) -> None:
        """Closes the inner session; ignores errors of lost machines."""
        if not self._sess:
            return
        try:
            self._sess.close()
        except PREEMPTION_ERRORS as error:
            logs.warning(
                "An error occurred when attempting to close the session. This may be due to a preemption in a "
                "connected worker or parameter server. Error: %s",
                error,
            )
        finally:
            self._sess = None

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a step."""
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn: Callable, raw_session: Any, run_with_hooks: Any) -> Any:
        """Calls `step_fn` with a StepContext."""
        return step_fn(StepContext(raw_session, run_with_hooks or self.run))


class RecoverableSession(WrappedSession):
    """Recreates the session after AbortedError or UnavailableError, and reruns the step.

    Args:
      sess_creator: a SessionCreator.
    """

    def __init__(self, sess_creator: Any):
        self._sess_creator = sess_creator
        super().__init__(self._create_session())

    def _create_session(self) -> Any:
        while True:
            try:
                return self._sess_creator.create_session()
            except PREEMPTION_ERRORS as error:
                logs.info(
                    "An error was raised while a session was being created. This may be due to a preemption of a "
                    "connected worker or parameter server. A new session will be created. This error may also occur "
                    "due to a gRPC failure caused by high memory or network bandwidth usage in the parameter servers. "
                    "If this error occurs repeatedly, try increasing the number of parameter servers assigned to the "
                    "job. Error: %s",
                    error,
                )

    def _check_stop(self) -> bool:
        try:
            return self._sess._check_stop() if self._sess else True
        except PREEMPTION_ERRORS as error:
            logs.info(
                "An error was raised while considering whether the session is complete. "
                + _NEW_SESSION,
                error,
            )
            self.close()
            self._sess = self._create_session()
            return False
        except Exception:  # re-raised by the next step or at the end
            return True

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs a step, in a new session if the current one is lost."""
        while True:
            try:
                if self._sess is None:
                    self._sess = self._create_session()
                return self._sess.run(
                    fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata
                )
            except PREEMPTION_ERRORS as error:
                self._on_lost(error)

    def run_step_fn(self, step_fn: Callable, raw_session: Any, run_with_hooks: Any) -> Any:
        """Calls `step_fn`, and again in a new session if the current one is lost."""
        while True:
            try:
                if self._sess is None:
                    self._sess = self._create_session()
                return self._sess.run_step_fn(step_fn, raw_session, self._sess.run)
            except PREEMPTION_ERRORS as error:
                self._on_lost(error)

    def _on_lost(self, error: Exception) -> None:
        logs.info("An error was raised. " + _NEW_SESSION, error)
        self.close()
        self._sess = None


class CoordinatedSession(WrappedSession):
    """A session that stops together with its threads and raises their errors.

    Args:
      sess: the inner session.
      coord: the Coordinator of the threads.
      stop_grace_period_secs: seconds that `close` waits for the threads.
    """

    def __init__(self, sess: Any, coord: Any, stop_grace_period_secs: float = 120):
        super().__init__(sess)
        self._coord = coord
        self._stop_grace_period_secs = stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        """Stops the threads, then closes the session; re-raises the error of a thread."""
        self._coord.request_stop()
        try:
            self._coord.join(
                stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True
            )
        finally:
            with contextlib.suppress(Exception):
                super().close()

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Runs a step; if a thread reports a lost machine, its error takes precedence over the step's error."""
        try:
            return self._sess.run(*args, **kwargs)
        except PREEMPTION_ERRORS:
            raise
        except Exception:
            try:
                self._coord.raise_requested_exception()
            except PREEMPTION_ERRORS:
                raise
            except Exception as error:
                logs.vlog(1, "Another thread also failed: %s", error)
            raise


class HookedSession(WrappedSession):
    """Calls hooks before and after each step.

    Args:
      sess: the inner session.
      hooks: the hooks, in calling order.
    """

    def __init__(self, sess: Any, hooks: list):
        super().__init__(sess)
        self._hooks = hooks
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs a step together with the fetches and feeds of the hooks.

        Raises:
          RuntimeError: if a stop has been requested, or a tensor is fed twice.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        expected: dict = {}
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        is_plain = options is None and run_metadata is None
        options = options or proto.RunOptions()
        feeds: dict = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if request is None:
                continue
            if request.fetches is not None:
                expected[hook] = request.fetches
            if request.feed_dict:
                _check_no_conflicts(feeds, request.feed_dict, "Same tensor is fed by two hooks.")
                feeds.update(request.feed_dict)
            if request.options:
                _merge_options(options, request.options)
                is_plain = False
        if feeds and feed_dict:
            _check_no_conflicts(
                feed_dict, feeds, "Same tensor is fed by a SessionRunHook and user."
            )
            feeds.update(feed_dict)
        expected["caller"] = (
            # Last, because hooks read the global step before the step runs.
            fetches
        )
        run_metadata = run_metadata or proto.RunMetadata()
        if is_plain:  # only values are requested, so the session can skip the options
            values = self._sess.run(fetches=expected, feed_dict=feeds or feed_dict)
        else:
            values = self._sess.run(
                fetches=expected,
                feed_dict=feeds or feed_dict,
                options=options,
                run_metadata=run_metadata,
            )
        for hook in self._hooks:
            hook.after_run(context, SessionRunValues(values.get(hook), options, run_metadata))
        self._should_stop = self._should_stop or context.stop_requested
        return values["caller"]


def _check_no_conflicts(feeds: Any, other_feeds: Any, message: str) -> None:
    both = set(feeds) & set(other_feeds)
    if both:
        raise RuntimeError(f"{message} Conflict(s): {list(both)}")


def _merge_options(options: Any, extra_options: Any) -> None:
    """Merges the options requested by a hook into the RunOptions of a step."""
    for field in (
        *("trace_level", "timeout_in_ms", "inter_op_thread_pool", "output_partition_graphs"),
        "report_tensor_allocations_upon_oom",
    ):
        setattr(options, field, max(getattr(options, field), getattr(extra_options, field)))
    debug, expected = options.debug_options, extra_options.debug_options
    debug.debug_tensor_watch_opts.extend(expected.debug_tensor_watch_opts)
    debug.reset_disk_byte_usage = debug.reset_disk_byte_usage or expected.reset_disk_byte_usage
