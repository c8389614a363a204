"""Exceptions that end an elastic round, with the names and meanings of `horovod.common.exceptions`."""

from __future__ import annotations

from tfmini._src.base.errors import UnknownError


class HorovodInternalError(UnknownError):
    """A collective operation failed because a rank was lost. `hvd.elastic.run` restores the last commit."""


class HostsUpdatedInterrupt(RuntimeError):
    """Ranks are waiting to join or must leave. `hvd.elastic.run` reconnects all ranks and continues.

    skip_sync: whether remaining ranks can skip the state broadcast.
    """

    def __init__(self, skip_sync: bool = False):
        super().__init__("The ranks of this job change")
        self.skip_sync = skip_sync
