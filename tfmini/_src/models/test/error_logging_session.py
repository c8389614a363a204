"""Test sessions."""

from __future__ import annotations

from typing import Any

from tfmini._src.base import errors, logs, proto
from tfmini._src.session.session import Session


class ErrorLoggingSession(Session):
    """A session that logs the errors of `run`, except OutOfRangeError."""

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """Calls `Session.run`, logging errors except OutOfRangeError."""
        try:
            return super().run(*args, **kwargs)
        except Exception as error:
            if not isinstance(error, errors.OutOfRangeError):
                logs.error(str(error))
            raise


def open_session(graph: Any, config: Any, force_gpu: bool) -> ErrorLoggingSession:
    """Returns a session for tests; uses soft placement unless nodes must be on a GPU."""
    session_config = proto.ConfigProto()
    if config is None:
        session_config.allow_soft_placement = not force_gpu
    else:
        session_config.CopyFrom(config)
        session_config.allow_soft_placement = config.allow_soft_placement and not force_gpu
    return ErrorLoggingSession(graph=graph, config=session_config)
