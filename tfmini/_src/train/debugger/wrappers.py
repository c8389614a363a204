"""Session wrappers that inspect the tensors of each step."""

from __future__ import annotations

import abc
import os
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from tfmini._src.base import logs
from tfmini._src.base.errors import OpError
from tfmini._src.base.locks import make_lock
from tfmini._src.base.nest.containers import is_nested
from tfmini._src.base.nest.structure import flatten
from tfmini._src.base.read_only import read_only
from tfmini._src.formats.gfile_functions import makedirs
from tfmini._src.graph import default_stack
from tfmini._src.graph.tensor import Tensor
from tfmini._src.session.base_session import BaseSession
from tfmini._src.train.debugger.dumps import write_request, write_step
from tfmini._src.train.debugger.filter_breakpoint import Filter, FilterBreakpoint, check_root
from tfmini._src.train.debugger.watches import WatchOptions, watched_tensors
from tfmini._src.train.monitored.monitored_session import MonitoredSession


class DebugWrapperSession(abc.ABC):
    """Base class of session wrappers.

    Args:
      sess: a Session or MonitoredSession.
      thread_name_filter: regular expression of thread names; steps of other threads are not inspected.

    Raises:
      TypeError: if `sess` is not a session.
    """

    def __init__(self, sess: Any, thread_name_filter: str | None = None):
        session_types = (BaseSession, MonitoredSession)
        if not isinstance(sess, session_types):
            raise TypeError(f"Expected type {session_types}; got type {type(sess)}")
        self._sess: Any = sess
        self._threads = re.compile(thread_name_filter) if thread_name_filter else None
        self._contexts: list[Any] = []

    _raises_errors = True

    session: Any = read_only("The wrapped session.", "_sess")
    graph: Any = read_only("The session's graph.", "_sess.graph")
    graph_def: Any = read_only("The session's graph as a GraphDef.", "_sess.graph_def")
    sess_str: Any = read_only("The session target.", "_sess.sess_str")

    def list_devices(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the devices of the wrapped session."""
        return self._sess.list_devices(*args, **kwargs)

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Runs a step like `Session.run` and inspects its tensors."""
        run_options = {"options": options, "run_metadata": run_metadata}
        return self._run(fetches, feed_dict, (fetches, feed_dict), run_options)

    def _run(
        self, fetches: Any, feed_dict: Any, log_args: tuple[Any, Any], run_options: Any
    ) -> Any:
        """Runs a step; `log_args` contains its fetches and feeds for the log, `run_options` its other arguments."""
        is_empty = _is_empty(fetches)
        if is_empty:
            logs.info(
                "Due to empty fetches, tfdbg Session wrapper is letting a Session.run pass through without any "
                "debugging actions."
            )
        thread = threading.current_thread().name
        if is_empty or self._threads and not self._threads.match(thread):
            return self._sess.run(fetches, feed_dict, **run_options)
        root, options = self._begin(*log_args)
        watched = watched_tensors(self.graph, fetches, feed_dict or (), options)
        initial_values = watched.initial_values(self._plain_session())
        try:
            result, values = self._sess.run([fetches, watched.during], feed_dict, **run_options)
        except OpError as error:
            if self._raises_errors:
                raise
            return error
        tensors, values = watched.in_order(initial_values, values)
        self._process(root, tensors, values, fetches, feed_dict)
        return result

    def _plain_session(self) -> Any:
        """Returns the session without hooks."""
        return self._sess._tf_sess() if isinstance(self._sess, MonitoredSession) else self._sess

    def _begin(self, fetches: Any, feed_dict: Any) -> tuple[str, WatchOptions]:
        """Returns the directory of a new step ("" for none), and the options that select its tensors."""
        return "", WatchOptions()

    @abc.abstractmethod
    def _process(
        self,
        root: str,
        tensors: Sequence[Tensor],
        values: Sequence[Any],
        fetches: Any,
        feed_dict: Any,
    ) -> None:
        """Processes the tensors of a step."""

    def make_callable(
        self, fetches: Any, feed_list: Any = None, accept_options: bool = False
    ) -> Callable[..., Any]:
        """Returns a function that runs one step, as in `Session`; it accepts `options` and `run_metadata`."""
        self._sess.make_callable(fetches, feed_list, accept_options=True)  # checks the arguments

        def step(*values: Any, options: Any = None, run_metadata: Any = None) -> Any:
            run_options = {"options": options, "run_metadata": run_metadata}
            return self._run(
                fetches, dict(zip(feed_list or (), values)) or None, (None, None), run_options
            )

        return step

    def partial_run_setup(self, fetches: Any, feeds: Any = None) -> Any:
        """Raises NotImplementedError, since partial runs are not inspected."""
        raise NotImplementedError(
            "partial_run_setup is not implemented for debug-wrapper sessions."
        )

    def partial_run(self, handle: Any, fetches: Any, feed_dict: Any = None) -> Any:
        """Raises NotImplementedError, since partial runs are not inspected."""
        raise NotImplementedError("partial_run is not implemented for debug-wrapper sessions.")

    def run_step_fn(self, step_fn: Callable[[Any], Any]) -> Any:
        """Calls `step_fn(context)`; steps of `context.session` are not inspected, unlike steps of `run_with_hooks`."""
        return step_fn(MonitoredSession.StepContext(self._sess, self.run))

    def should_stop(self) -> bool:
        """Whether a MonitoredSession should stop; raises ValueError for other sessions."""
        if not hasattr(self._sess, "should_stop"):
            raise ValueError(
                f"The wrapped session {self._sess!r} does not have a method called 'should_stop'. Do you intend to "
                "wrap a tf.MonitoredSession instead?"
            )
        return self._sess.should_stop()

    def as_default(self) -> Any:
        """Context manager that makes this the default session of `Tensor.eval()` and `Operation.run()`."""
        return default_stack.sessions.as_default(self)

    def __enter__(self) -> Any:
        context = self.as_default()
        self._contexts.append(context)
        context.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._contexts.pop().__exit__(*error)

    def close(self) -> None:
        """Closes the session."""
        self._sess.close()


class DumpingDebugWrapperSession(DebugWrapperSession):
    """Dumps the tensors of each step to a directory `run_TIME_NUMBER`, in the format of TensorFlow's debugger.

    Args:
      sess: a Session or MonitoredSession.
      session_root: parent directory; created if missing, else it must be empty.
      watch_fn: a function of fetches and feeds that returns `WatchOptions` or a tuple of its arguments; by
        default all tensors are dumped.
      thread_name_filter: regular expression of thread names; steps of other threads are not dumped.
      pass_through_operrors: whether to raise operation errors; False returns them from `run`.
      log_usage: ignored.

    Raises:
      TypeError: if `sess` is not a session, or `watch_fn` is not a function.
      ValueError: if the directory is not empty.

    Example:
      session = DumpingDebugWrapperSession(tf.Session(), "/tmp/dumps")
      session.run(loss)
    """

    def __init__(
        self,
        sess: Any,
        session_root: str,
        watch_fn: Callable[..., Any] | None = None,
        thread_name_filter: str | None = None,
        pass_through_operrors: bool | None = None,
        log_usage: bool = True,
    ):
        super().__init__(sess, thread_name_filter)
        self._raises_errors = bool(pass_through_operrors)
        self._dumps = Dumps(session_root, watch_fn)

    def _begin(self, fetches: Any, feed_dict: Any) -> tuple[str, WatchOptions]:
        return self._dumps.begin(fetches, feed_dict)

    def _process(
        self,
        root: str,
        tensors: Sequence[Tensor],
        values: Sequence[Any],
        fetches: Any,
        feed_dict: Any,
    ) -> None:
        self._dumps.write(root, self.graph, tensors, values, fetches, feed_dict)


class Dumps:
    """The root directory of step dumps, and the selection of tensors to dump."""

    def __init__(self, session_root: str, watch_fn: Callable[..., Any] | None):
        if watch_fn is not None and not callable(watch_fn):
            raise TypeError("watch_fn is not callable")
        self._root = os.path.expanduser(session_root)
        check_root("session_root", self._root)
        makedirs(self._root)
        self._watch = watch_fn
        self._count = 0
        self._lock = make_lock()

    def begin(self, fetches: Any, feed_dict: Any) -> tuple[str, WatchOptions]:
        """Creates the directory of a step with its fetches and feeds; returns it and the tensor selection."""
        with self._lock:
            run_index, self._count = self._count, self._count + 1
        root = os.path.join(self._root, f"run_{int(time.time() * 1e6)}_{run_index}")
        write_request(root, fetches, feed_dict)
        options = None if self._watch is None else self._watch(fetches, feed_dict)
        if isinstance(options, tuple):
            options = WatchOptions(*options)
        return root, WatchOptions() if options is None else options

    def write(
        self,
        root: str,
        graph: Any,
        tensors: Sequence[Tensor],
        values: Sequence[Any],
        fetches: Any,
        feed_dict: Any,
    ) -> None:
        """Writes the tensors of a step, if any."""
        if tensors:
            run_index = int(root.rpartition("_")[2])
            write_step(root, graph, tensors, values, fetches, feed_dict, run_index + 1)


def _is_empty(fetches: Any) -> bool:
    """Whether a structure is empty."""
    return is_nested(fetches) and not flatten(fetches)


class LocalCLIDebugWrapperSession(DebugWrapperSession):
    """Stops at the first tensor that matches a filter; by default, one with an infinity or NaN.

    Prints the tensor, its node with the line of the user's code that created it, and the node's inputs. At a
    terminal, it prompts; otherwise, the step raises an InvalidArgumentError with the same text.

    Args:
      sess: a Session or MonitoredSession.
      dump_root: directory for the tensors of stopped steps; created if missing, else it must be empty.
      log_usage: ignored.
      ui_type: "curses" or "readline"; both use plain text.
      thread_name_filter: regular expression of thread names; steps of other threads are not inspected.
      config_file_path: must be None.

    Raises:
      TypeError: if `sess` is not a session.
      ValueError: for an unsupported `ui_type`, nonempty directory, or config file.

    Example:
      session = LocalCLIDebugWrapperSession(tf.Session())
      session.add_tensor_filter("has_inf_or_nan", has_inf_or_nan)
      session.run(train)
    """

    def __init__(
        self,
        sess: Any,
        dump_root: str | None = None,
        log_usage: bool = True,
        ui_type: str = "curses",
        thread_name_filter: str | None = None,
        config_file_path: str | None = None,
    ):
        super().__init__(sess, thread_name_filter)
        check_settings(config_file_path)
        self._stops = FilterBreakpoint(ui_type, dump_root)

    def add_tensor_filter(self, filter_name: str, tensor_filter: Filter) -> None:
        """Adds a filter; replaces the default filter for infinities and NaNs.

        Args:
          filter_name: name of the filter.
          tensor_filter: a function of a datum (with `node_name` and `output_slot`) and a numpy array; returns
            whether to stop.
        """
        self._stops.add(filter_name, tensor_filter)

    def _process(
        self,
        root: str,
        tensors: Sequence[Tensor],
        values: Sequence[Any],
        fetches: Any,
        feed_dict: Any,
    ) -> None:
        self._stops.check(self.graph, tensors, values, fetches, feed_dict)


def check_settings(path: str | None) -> None:
    """Raises ValueError if a config file is given."""
    if path is not None:
        raise ValueError("config_file_path: text settings are not supported")
