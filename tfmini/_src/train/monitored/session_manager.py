"""`SessionManager`: creates sessions whose variables are restored from a checkpoint or initialized."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tfmini._src.base import logs
from tfmini._src.base.errors import DeadlineExceededError, FailedPreconditionError
from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.graph.graph import Graph
from tfmini._src.session.session import Session
from tfmini._src.train.checkpoints.checkpoint_management import get_checkpoint_state
from tfmini._src.train.checkpoints.saver import Saver

if TYPE_CHECKING:
    from tfmini._src.base import proto
    from tfmini._src.graph.default_stack import FeedDict
    from tfmini._src.graph.operation import Operation
    from tfmini._src.graph.tensor import Tensor


_FIRST_WAIT_SECS = 0.5


class SessionManager:
    """Creates sessions that are ready to train.

    Args:
      local_init_op: operation run in each new session, for local variables and tables.
      ready_op: a string vector of reasons for the model not to be ready, empty if it is; None for no check.
      ready_for_local_init_op: same, for `local_init_op`.
      graph: the graph, by default the default graph.
      recovery_wait_secs: maximum interval of readiness checks, in seconds. TensorFlow uses it as a fixed
        interval; here, `wait_for_session` starts at half a second and doubles the interval up to this limit.
      local_init_run_options: a RunOptions for the run of `local_init_op`.

    Raises:
      ValueError: if `ready_for_local_init_op` is given without `local_init_op`.

    Example:
      manager = tf.train.SessionManager()
      session = manager.prepare_session("", init_op=init, saver=saver, checkpoint_dir="/tmp/model")
    """

    def __init__(
        self,
        local_init_op: Operation | Tensor | None = None,
        ready_op: Operation | Tensor | None = None,
        ready_for_local_init_op: Operation | Tensor | None = None,
        graph: Graph | None = None,
        recovery_wait_secs: float = 30,
        local_init_run_options: proto.RunOptions | None = None,
    ):
        self._local_init_op = local_init_op
        self._ready_op = ready_op
        self._ready_for_local_init_op = ready_for_local_init_op
        self._graph = get_default_graph() if graph is None else graph
        self._recovery_wait_secs = recovery_wait_secs
        self._target: Any = None
        self._local_init_run_options = local_init_run_options
        if ready_for_local_init_op is not None and local_init_op is None:
            raise ValueError(
                "If you pass a ready_for_local_init_op you must also pass a local_init_op , "
                f"ready_for_local_init_op [{ready_for_local_init_op}]"
            )

    def prepare_session(
        self,
        master: str,
        init_op: Operation | Tensor | None = None,
        saver: Saver | None = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: proto.ConfigProto | None = None,
        init_feed_dict: FeedDict | None = None,
        init_fn: Callable[..., Any] | None = None,
    ) -> Session:
        """Returns a new session, restored from a checkpoint or initialized by `init_op`.

        Args:
          master: the session target.
          init_op: operation that initializes variables if no checkpoint is restored.
          saver: the Saver that restores the variables.
          checkpoint_dir: directory to restore the latest checkpoint from.
          checkpoint_filename_with_path: prefix of the checkpoint to restore.
          wait_for_checkpoint: whether to wait for a first checkpoint in the directory.
          max_wait_secs: maximum wait in seconds.
          config: a ConfigProto for the session.
          init_feed_dict: the feeds of `init_op`.
          init_fn: a function of the session, called after `init_op`.

        Raises:
          RuntimeError: if neither a checkpoint nor an initializer is given, or variables remain uninitialized.
          ValueError: if both a directory and a checkpoint are given.
        """
        session, is_restored = self._restore(
            master,
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        if not is_restored:
            if init_op is None and not init_fn and self._local_init_op is None:
                raise RuntimeError(
                    "Model is not initialized and no init_op or init_fn or local_init_op was given"
                )
            if init_op is not None:
                session.run(init_op, feed_dict=init_feed_dict)
            if init_fn:
                init_fn(session)
        reason = self._local_init(session)
        if reason is not None:
            raise RuntimeError(
                "Init operations did not make model ready for local_init.  Init op: "
                f"{_display_name(init_op)}, init fn: {init_fn}, error: {reason}"
            )
        reason = self._not_ready(session)
        if reason is not None:
            raise RuntimeError(
                f"Init operations did not make model ready.  Init op: {_display_name(init_op)}, init fn: {init_fn}, "
                f"local_init_op: {self._local_init_op}, error: {reason}"
            )
        return session

    def recover_session(
        self,
        master: str,
        saver: Saver | None = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        config: proto.ConfigProto | None = None,
    ) -> tuple[Session, bool]:
        """Returns a new session, and whether a checkpoint was restored; arguments are as in `prepare_session`."""
        session, is_restored = self._restore(
            master,
            saver,
            checkpoint_dir,
            checkpoint_filename_with_path,
            wait_for_checkpoint,
            max_wait_secs,
            config,
        )
        not_for_local_init = self._local_init(session)
        if not is_restored:
            return session, False
        source = checkpoint_dir or checkpoint_filename_with_path
        if not_for_local_init is not None:
            logs.info(
                "Restoring model from %s did not make model ready for local init: %s",
                source,
                not_for_local_init,
            )
            return session, False
        reason = self._not_ready(session)
        if reason is not None:
            logs.info("Restoring model from %s did not make model ready: %s", source, reason)
            return session, False
        logs.info("Restored model from %s", source)
        return session, True

    def wait_for_session(
        self,
        master: str,
        config: proto.ConfigProto | None = None,
        max_wait_secs: float | None = float("inf"),
    ) -> Session:
        """Returns a new session, after other processes have initialized the model.

        Args:
          master: the session target.
          config: a ConfigProto for the session.
          max_wait_secs: maximum wait in seconds; None for no limit.

        Raises:
          tf.errors.DeadlineExceededError: on timeout.
        """
        self._target = master
        patience = float("inf") if max_wait_secs is None else max_wait_secs
        start = time.time()
        pause = min(_FIRST_WAIT_SECS, self._recovery_wait_secs)
        while True:
            session = Session(self._target, graph=self._graph, config=config)
            not_ready_reason = None
            not_for_local_init = self._local_init(session)
            if not_for_local_init is None:
                not_ready_reason = self._not_ready(session)
                if not_ready_reason is None:
                    return session
            with contextlib.suppress(Exception):
                session.close()
            remaining = max(0, patience - (time.time() - start))
            if remaining < self._recovery_wait_secs:
                raise DeadlineExceededError(
                    None, None, f"Session was not ready after waiting {int(patience)} secs."
                )
            logs.info(
                "Waiting for model to be ready.  Ready_for_local_init_op:  %s, ready: %s",
                not_for_local_init,
                not_ready_reason,
            )
            time.sleep(pause)
            pause = min(2 * pause, self._recovery_wait_secs)

    def _restore(
        self,
        master: Any,
        saver: Any,
        directory: str | None,
        checkpoint: str | None,
        waits: bool,
        max_wait_secs: float,
        config: Any,
    ) -> tuple[Session, bool]:
        """Returns a new session, and whether a checkpoint was restored."""
        self._target = master
        session = Session(self._target, graph=self._graph, config=config)
        if directory and checkpoint:
            raise ValueError(
                "Can not provide both checkpoint_dir and checkpoint_filename_with_path."
            )
        if not saver or not (directory or checkpoint):
            return session, False
        if checkpoint:
            saver.restore(session, checkpoint)
            return session, True
        waited = 0.0
        state = get_checkpoint_state(str(directory))
        while not state:
            if not waits or waited >= max_wait_secs:
                return session, False
            logs.info("Waiting for checkpoint to be available.")
            time.sleep(self._recovery_wait_secs)
            waited += self._recovery_wait_secs
            state = get_checkpoint_state(str(directory))
        saver.restore(session, state.model_checkpoint_path)
        saver.recover_last_checkpoints(list(state.all_model_checkpoint_paths))
        return session, True

    def _local_init(self, session: Any) -> str | None:
        """Runs `local_init_op`, if any; returns why the model is not ready for it; None if it is ready."""
        if self._local_init_op is None:
            return None
        reason = not_ready(self._ready_for_local_init_op, session, "Model not ready for local init")
        if reason is None:
            logs.info("Running local_init_op.")
            session.run(self._local_init_op, options=self._local_init_run_options)
            logs.info("Done running local_init_op.")
        return reason

    def _not_ready(self, session: Any) -> str | None:
        return not_ready(self._ready_op, session, "Model not ready")


def not_ready(op: Any, session: Any, title: str) -> str | None:
    """Returns why the model is not ready, as reported by `op`; None if it is ready."""
    if op is None:
        return None
    try:
        names = session.run(op)
    except FailedPreconditionError as error:
        if "uninitialized" not in str(error):
            logs.warning("%s : error [%s]", title, str(error))
            raise
        return str(error)
    if names is None or names.dtype == np.int32 or not names.size:
        return None
    return "Variables not initialized: " + ", ".join(name.decode("utf-8") for name in names)


def readiness(op: Any, session: Any, title: str) -> tuple[bool, str | None]:
    """Returns whether the model is ready, and the reason if it is not."""
    reason = not_ready(op, session, title)
    return reason is None, reason


def _display_name(op: Any) -> str:
    """Returns the name of an operation for messages."""
    if op is None:
        return "None"
    return op.name if hasattr(op, "name") else f"<no name for {type(op)}>"
