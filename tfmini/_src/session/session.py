"""`tf.Session`: a session usable as a context manager."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from tfmini._src.base import proto
from tfmini._src.cluster import remote_session
from tfmini._src.graph.attributes import to_bytes
from tfmini._src.session.base_session import BaseSession, open_sessions
from tfmini._src.session.targets import REMOTE, no_factory_error


class Session(BaseSession):
    """Runs a graph's operations and holds the values of its variables.

    Args:
      target: the server to run on; "" for this process.
      graph: the graph to run; defaults to the default graph.
      config: a `tf.ConfigProto`: `intra_op_parallelism_threads`, `allow_soft_placement`,
        `log_device_placement`, memory options ...

    Raises:
      TypeError: if an argument has the wrong type.
      NotFoundError: if no session type serves `target`.

    Example:
      with tf.Session() as sess:
          print(sess.run(tf.constant(3.0) * 2.0))
    """

    _contexts: ExitStack | None = None

    def __enter__(self) -> Session:
        if self._contexts is not None:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use `Session.as_default()` if you want to enter "
                "a session multiple times."
            )
        self._contexts = ExitStack()
        self._contexts.enter_context(self._graph.as_default())
        self._contexts.enter_context(self.as_default())
        return self

    def __exit__(self, *error: Any) -> None:
        if self._contexts is not None:
            contexts, self._contexts = self._contexts, None
            contexts.__exit__(*error)
        self.close()

    @staticmethod
    def reset(
        target: str, containers: list[str] | None = None, config: proto.ConfigProto | None = None
    ) -> None:
        """Clears resource containers and closes all open sessions on the target.

        Args:
          target: "" for the sessions of this process, "grpc://host:port" for a server's.
          containers: names of the resource containers to clear; defaults to all.
          config: passed to the server; ignored for this process.

        Raises:
          TypeError: if `target` is not a string.
        """
        if target is not None and not isinstance(target, str | bytes):
            raise TypeError(f"Expected binary or unicode string, got {target!r}")
        if target and to_bytes(target).startswith(REMOTE):
            remote_session.reset(to_bytes(target).decode(), containers, config)
            return
        if target:
            raise no_factory_error(to_bytes(target), config)
        for session in list(open_sessions):
            session._resources.close(containers)
            session._cancelled = True
