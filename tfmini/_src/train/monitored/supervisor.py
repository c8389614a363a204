"""`Supervisor`: sessions that resume from checkpoints, and threads that write checkpoints and summaries."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import Thread
from typing import Any

from tfmini._src.base import logs, proto
from tfmini._src.base.names.deprecation import deprecated
from tfmini._src.base.read_only import read_only
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.default_stack import DefaultSession, FeedDict
from tfmini._src.graph.graph import Graph
from tfmini._src.graph.graph_keys import GraphKeys
from tfmini._src.graph.operation import Operation
from tfmini._src.graph.tensor import Tensor, TensorLike
from tfmini._src.ops.summaries.merge_summary import merge_all
from tfmini._src.train.events.file_writer import FileWriter
from tfmini._src.train.global_step import global_step as value_of_step
from tfmini._src.train.input_queues.coordinator import Coordinator, LooperThread
from tfmini._src.train.meta_graph.export_meta_graph import create_meta_graph_def
from tfmini._src.train.meta_graph.write_graph import write_graph
from tfmini._src.train.monitored.session_manager import SessionManager
from tfmini._src.train.monitored.supervisor_defaults import (
    USE_DEFAULT,
    check_devices,
    default_local_init_op,
    default_saver,
    step_by_name,
    value_or_default,
)
from tfmini._src.train.monitored.supervisor_threads import (
    SVStepCounterThread,
    SVSummaryThread,
    SVTimerCheckpointThread,
)
from tfmini._src.variables.collections import (
    global_variables_initializer,
    report_uninitialized_variables,
)


class Supervisor:
    """Manages training sessions: resumes from the latest checkpoint, and writes checkpoints and summaries.

    Defaults are found in the graph's collections, or created and added to them. The graph is finalized.

    Args:
      graph: the graph, by default the default graph.
      ready_op: a string vector of uninitialized variables; None for no check.
      ready_for_local_init_op, init_op, init_feed_dict, local_init_op: as in `tf.train.Scaffold`.
      is_chief: whether this worker initializes variables and writes files; other workers wait for it.
      logdir: the directory of checkpoints and event files, or None.
      summary_op: the summaries to write, or None.
      saver: a Saver; None for no checkpoints.
      global_step: the step of checkpoints and summaries.
      save_summaries_secs: summary interval in seconds; 0 for none.
      save_model_secs: checkpoint interval in seconds; 0 for none.
      recovery_wait_secs: interval of readiness checks in seconds.
      stop_grace_secs: seconds that `stop` waits for threads.
      checkpoint_basename: checkpoint name before the step.
      session_manager: a SessionManager.
      summary_writer: a FileWriter; None for no summaries.
      init_fn: a function of the session, called after `init_op`.
      local_init_run_options: a RunOptions for the run of `local_init_op`.

    Raises:
      ValueError: if a variable has no device and this is not the chief.

    Example:
      supervisor = tf.train.Supervisor(logdir="/tmp/model", global_step=step)
      with supervisor.managed_session() as session:
          while not supervisor.should_stop():
              session.run(train)
    """

    is_chief: bool = read_only(
        "Whether this is the chief, which initializes variables and writes files."
    )
    session_manager: Any = read_only("The SessionManager.")
    coord: Coordinator = read_only("The Coordinator of the threads.")
    init_op: Any = read_only("Operation that initializes variables.")
    init_feed_dict: Any = read_only("Feeds of `init_op`.")
    ready_op: Any = read_only("Names of uninitialized variables, a string vector.")
    ready_for_local_init_op: Any = read_only(
        "Names of uninitialized variables required by `local_init_op`."
    )
    summary_writer: Any = read_only("The FileWriter, or None.")
    summary_op: Any = read_only("The merged summaries, or None.")
    save_summaries_secs: Any = read_only("Summary interval in seconds.")
    global_step: Any = read_only("The global step, or None.")
    saver: Any = read_only("The Saver, or None.")
    save_model_secs: Any = read_only("Checkpoint interval in seconds.")
    save_path: str | None = read_only("Checkpoint prefix, without the step.")

    USE_DEFAULT = USE_DEFAULT

    @deprecated(None, "Please switch to tf.train.MonitoredTrainingSession")
    def __init__(
        self,
        graph: Graph | None = None,
        ready_op: Operation | Tensor = USE_DEFAULT,
        ready_for_local_init_op: object = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Operation | Tensor = USE_DEFAULT,
        init_feed_dict: FeedDict | None = None,
        local_init_op: Operation | Tensor = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: object = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: TensorLike = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: Any = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[..., Any] | None = None,
        local_init_run_options: proto.RunOptions | None = None,
    ):
        graph = get_default_graph() if graph is None else graph
        with graph.as_default():
            self._ready_op = value_or_default(
                ready_op, GraphKeys.READY_OP, report_uninitialized_variables
            )
            self._ready_for_local_init_op = value_or_default(
                ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, None
            )
            self._init_op = value_or_default(
                init_op, GraphKeys.INIT_OP, global_variables_initializer
            )
            self._init_feed_dict = init_feed_dict
            self._local_init_op = value_or_default(
                local_init_op, GraphKeys.LOCAL_INIT_OP, default_local_init_op
            )
            self._saver = value_or_default(saver, GraphKeys.SAVERS, default_saver)
            self._summary_op = value_or_default(summary_op, GraphKeys.SUMMARY_OP, merge_all)
            self._global_step = value_or_default(global_step, GraphKeys.GLOBAL_STEP, step_by_name)
        self._graph = graph
        self._meta_graph_def = create_meta_graph_def(
            graph_def=graph.as_graph_def(add_shapes=True),
            saver_def=self._saver.saver_def if self._saver else None,
            graph=get_default_graph(),
        )
        self._is_chief = is_chief
        self._coord = Coordinator()
        self._stop_grace_secs = stop_grace_secs
        self._init_fn = init_fn
        self._logdir = logdir if is_chief else None
        self._save_summaries_secs = save_summaries_secs if is_chief else None
        self._save_model_secs = save_model_secs if is_chief else None
        self._save_path = None
        if self._logdir:
            self._save_path = os.path.join(self._logdir, checkpoint_basename)
        self._summary_writer: Any = None
        self._graph_added_to_summary = False
        if is_chief and summary_writer is not USE_DEFAULT:
            self._summary_writer = summary_writer
        elif self._logdir:
            self._summary_writer = FileWriter(self._logdir)
        self._session_manager = session_manager
        if session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=self._local_init_op,
                ready_op=self._ready_op,
                ready_for_local_init_op=self._ready_for_local_init_op,
                graph=graph,
                recovery_wait_secs=recovery_wait_secs,
                local_init_run_options=local_init_run_options,
            )
        if not is_chief:
            check_devices(graph)
        graph.finalize()

    # Sessions -------------------------------------------------------------------------------------

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Any:
        """Returns a new session that is ready: the chief restores or initializes its variables; other tasks wait.

        Args:
          master: the session target.
          config: a ConfigProto.
          wait_for_checkpoint: whether to wait for a first checkpoint.
          max_wait_secs: maximum wait in seconds.
          start_standard_services: whether to start the writing threads and the queue runners.

        Raises:
          RuntimeError: if variables are uninitialized.
        """
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            session = self._session_manager.prepare_session(
                master,
                init_op=self.init_op,
                saver=self.saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                logs.info("Starting standard services.")
                self.start_standard_services(session)
        else:
            session = self._session_manager.wait_for_session(
                master, config=config, max_wait_secs=max_wait_secs
            )
        if start_standard_services:
            logs.info("Starting queue runners.")
            self.start_queue_runners(session)
        return session

    @contextlib.contextmanager
    def managed_session(
        self,
        master: str = "",
        config: proto.ConfigProto | None = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Any]:
        """Context manager for a session that is ready; on exit, stops the threads and closes the session.

        Exceptions propagate after the threads have stopped, except tf.errors.OutOfRangeError, the end of input.

        Args:
          master: the session target.
          config: a ConfigProto.
          start_standard_services: whether to start the writing threads and the queue runners.
          close_summary_writer: whether to close the event file on exit.
        """
        session = None
        try:
            session = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield session
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer)
            finally:
                with contextlib.suppress(Exception):  # errors of pending runs add no information
                    if session is not None:
                        session.close()

    # Threads --------------------------------------------------------------------------------------

    def start_standard_services(self, sess: DefaultSession) -> list[LooperThread] | None:
        """Starts and returns the threads that write summaries, steps per second and checkpoints.

        Raises:
          RuntimeError: if this is not the chief.
        """
        if not self._is_chief:
            raise RuntimeError(
                "Only chief supervisor can start standard services. Because only chief supervisors can write events."
            )
        if not self._logdir:
            logs.warning("Standard services need a 'logdir' passed to the SessionManager")
            return None
        if self._global_step is not None and self._summary_writer:
            step = value_of_step(sess, self._global_step)
            self._summary_writer.add_session_log(
                proto.SessionLog(status=proto.SessionLog.START), step
            )
        threads: list[LooperThread] = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(SVSummaryThread(self, sess))
            if self._global_step is not None:
                threads.append(SVStepCounterThread(self, sess))
        if self.saver and self._save_model_secs:
            threads.append(SVTimerCheckpointThread(self, sess))
        for thread in threads:
            thread.start()
        return threads

    def start_queue_runners(
        self, sess: DefaultSession, queue_runners: list[Any] | None = None
    ) -> list[Any]:
        """Starts and returns the threads of queue runners, by default of all queue runners in the graph."""
        if queue_runners is None:
            queue_runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS)
        return [
            thread
            for runner in queue_runners
            for thread in runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        ]

    def loop(
        self,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Sequence[Any] | None = None,
        kwargs: Mapping[str, Any] | None = None,
    ) -> LooperThread:
        """Starts and returns a thread that calls `target(*args, **kwargs)` every n seconds, or continuously if None."""
        return LooperThread.loop(
            self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs
        )

    def stop(
        self,
        threads: Iterable[Thread] | None = None,
        close_summary_writer: bool = True,
        ignore_live_threads: bool = False,
    ) -> None:
        """Stops the threads and waits for them.

        Args:
          threads: threads to wait for in addition to the Coordinator's threads.
          close_summary_writer: whether to close the event file.
          ignore_live_threads: whether to ignore threads that do not end.

        Raises:
          RuntimeError: if threads are still running.
          Exception: the error of a thread.
        """
        self._coord.request_stop()
        try:
            self._coord.join(
                threads,
                stop_grace_period_secs=self._stop_grace_secs,
                ignore_live_threads=ignore_live_threads,
            )
        finally:
            if close_summary_writer and self._summary_writer:
                self._summary_writer.add_session_log(proto.SessionLog(status=proto.SessionLog.STOP))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def request_stop(self, ex: Any = None) -> None:
        """Signals the threads to stop; `stop` raises `ex`."""
        self._coord.request_stop(ex=ex)

    def should_stop(self) -> bool:
        """Whether a stop was requested."""
        return self._coord.should_stop()

    def stop_on_exception(self) -> Any:
        """Context manager that stops the threads if an exception is raised."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Blocks until a stop is requested."""
        self._coord.wait_for_stop()

    # Writing --------------------------------------------------------------------------------------

    def summary_computed(
        self,
        sess: DefaultSession,
        summary: proto.Summary | bytes,
        global_step: TensorLike | None = None,
    ) -> None:
        """Writes a summary returned by a session.

        Args:
          sess: the session.
          summary: the summary, as bytes or a `tf.Summary`.
          global_step: the step, by default the session's.

        Raises:
          RuntimeError: if there is no summary writer.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self.global_step is not None:
            global_step = value_of_step(sess, self.global_step)
        self._summary_writer.add_summary(summary, global_step)

    def _write_graph(self) -> None:
        if self._logdir:
            write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_added_to_summary = True

    PrepareSession = prepare_or_wait_for_session
    StartQueueRunners = start_queue_runners
    StartStandardServices = start_standard_services
    Stop = stop
    RequestStop = request_stop
    Loop = loop
    ShouldStop = should_stop
    StopOnException = stop_on_exception
    WaitForStop = wait_for_stop
    SummaryComputed = summary_computed
