"""Session creators of monitored sessions: the chief's initializes variables, a worker's waits for the chief."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any

from tfmini._src.graph.default_graph import get_default_graph
from tfmini._src.train.monitored.scaffold import Scaffold
from tfmini._src.train.monitored.session_manager import SessionManager

if TYPE_CHECKING:
    from tfmini._src.base import proto


class SessionCreator(metaclass=abc.ABCMeta):
    """Base class of session creators."""

    @abc.abstractmethod
    def create_session(self) -> Any:
        """Creates a session."""
        raise NotImplementedError(f"create_session is not implemented for {self}.")


class _ManagedCreator(SessionCreator):
    """Base class of creators that combine a SessionManager with a Scaffold."""

    def __init__(self, scaffold: Scaffold | None, master: str, config: proto.ConfigProto):
        self._scaffold = scaffold or Scaffold()
        self._session_manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _get_session_manager(self) -> SessionManager:
        if self._session_manager is None:
            self._session_manager = SessionManager(
                local_init_op=self._scaffold.local_init_op,
                ready_op=self._scaffold.ready_op,
                ready_for_local_init_op=self._scaffold.ready_for_local_init_op,
                graph=get_default_graph(),
            )
        return self._session_manager


class ChiefSessionCreator(_ManagedCreator):
    """Creates sessions for the chief, whose variables are restored or initialized.

    Args:
      scaffold: a Scaffold, by default a new one.
      master: the session target.
      config: a ConfigProto.
      checkpoint_dir: directory to restore the latest checkpoint from.
      checkpoint_filename_with_path: prefix of the checkpoint to restore.

    Example: `tf.train.MonitoredSession(tf.train.ChiefSessionCreator(checkpoint_dir="/tmp/model"))`.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: Any = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ):
        super().__init__(scaffold, master, config)
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path

    def create_session(self) -> Any:
        """Creates a session that is ready to train; raises errors as `SessionManager.prepare_session` does."""
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


class WorkerSessionCreator(_ManagedCreator):
    """Creates sessions for workers, after the chief has initialized the variables.

    Args:
      scaffold: a Scaffold, by default a new one.
      master: the session target.
      config: a ConfigProto.
      max_wait_secs: seconds to wait for the chief.
    """

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: Any = "",
        config: Any = None,
        max_wait_secs: float = 30 * 60,
    ):
        super().__init__(scaffold, master, config)
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Any:
        """Creates a session when the model is ready; raises errors as `SessionManager.wait_for_session` does."""
        self._scaffold.finalize()
        return self._get_session_manager().wait_for_session(
            self._master, config=self._config, max_wait_secs=self._max_wait_secs
        )
