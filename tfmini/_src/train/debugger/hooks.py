"""Hooks that inspect the tensors of each step of a watched session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfmini._src.train.debugger.filter_breakpoint import Filter, FilterBreakpoint
from tfmini._src.train.debugger.watches import WatchOptions, watched_tensors
from tfmini._src.train.debugger.wrappers import Dumps, check_settings
from tfmini._src.train.monitored.session_run_hook import SessionRunArgs, SessionRunHook


class DumpingDebugHook(SessionRunHook):
    """Dumps the tensors of each step to a directory, like `DumpingDebugWrapperSession`.

    Args:
      session_root: the directory; created if missing, else it must be empty.
      watch_fn: a function of fetches and feeds that returns `WatchOptions`; by default all tensors are dumped.
      thread_name_filter: must be None; a watched session runs in one thread.
      log_usage: ignored.

    Raises:
      ValueError: for a thread filter; at the first step for a nonempty directory.
      TypeError: at the first step, if `watch_fn` is not callable.
    """

    def __init__(
        self,
        session_root: str,
        watch_fn: Callable[..., Any] | None = None,
        thread_name_filter: str | None = None,
        log_usage: bool = True,
    ):
        _check_threads(thread_name_filter)
        self._arguments = session_root, watch_fn
        self._dumps: Dumps | None = None

    def before_run(self, run_context: Any) -> Any:
        """Requests the tensors."""
        original_args = run_context.original_args
        graph = run_context.session.graph
        if self._dumps is None:
            self._dumps = Dumps(*self._arguments)
        self._root, options = self._dumps.begin(original_args.fetches, original_args.feed_dict)
        self._watched = watched_tensors(
            graph, original_args.fetches, original_args.feed_dict or (), options
        )
        self._initial_values = self._watched.initial_values(run_context.session)
        return SessionRunArgs(self._watched.during)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Writes the tensors."""
        run_args, graph = run_context.original_args, run_context.session.graph
        assert self._dumps is not None
        tensors, values = self._watched.in_order(self._initial_values, run_values.results)
        self._dumps.write(self._root, graph, tensors, values, run_args.fetches, run_args.feed_dict)


class LocalCLIDebugHook(SessionRunHook):
    """Stops at the first tensor that matches a filter, like `LocalCLIDebugWrapperSession`.

    Args:
      ui_type: "curses" or "readline"; both use plain text.
      dump_root: directory for the tensors of stopped steps; created if missing, else it must be empty.
      thread_name_filter: must be None; a watched session runs in one thread.
      config_file_path: must be None.

    Raises:
      ValueError: for an unsupported `ui_type`, nonempty directory, thread filter, or config file.

    Example:
      hook = LocalCLIDebugHook()
      with tf.train.MonitoredSession(hooks=[hook]) as session: ...
    """

    def __init__(
        self,
        ui_type: str = "curses",
        dump_root: str | None = None,
        thread_name_filter: str | None = None,
        config_file_path: str | None = None,
    ):
        _check_threads(thread_name_filter)
        check_settings(config_file_path)
        self._stops = FilterBreakpoint(ui_type, dump_root)

    def add_tensor_filter(self, filter_name: str, tensor_filter: Filter) -> None:
        """Adds a filter, as in `LocalCLIDebugWrapperSession.add_tensor_filter`."""
        self._stops.add(filter_name, tensor_filter)

    def before_run(self, run_context: Any) -> Any:
        """Requests the tensors."""
        original_args = run_context.original_args
        graph = run_context.session.graph
        self._watched = watched_tensors(
            graph, original_args.fetches, original_args.feed_dict or (), WatchOptions()
        )
        self._initial_values = self._watched.initial_values(run_context.session)
        return SessionRunArgs(self._watched.during)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        """Applies the filters to the tensors."""
        run_args, graph = run_context.original_args, run_context.session.graph
        tensors, values = self._watched.in_order(self._initial_values, run_values.results)
        self._stops.check(graph, tensors, values, run_args.fetches, run_args.feed_dict)


def _check_threads(pattern: str | None) -> None:
    if pattern is not None:
        raise ValueError("thread_name_filter: a watched session runs in the calling thread")
