"""Exceptions that end an elastic round, with the names and meanings of `horovod.common.exceptions`."""

from __future__ import annotations

from tfmini._src.base.errors import UnknownError


class HorovodInternalError(UnknownError):
    """A collective operation has failed: a rank has gone. `hvd.elastic.run` restores the last commit."""


class HostsUpdatedInterrupt(RuntimeError):
    """Ranks wait to join, or are to leave. `hvd.elastic.run` connects all anew and goes on where they are.

    skip_sync: whether the ranks that stay need not exchange their state.
    """

    def __init__(self, skip_sync: bool = False):
        super().__init__("The ranks of this job change")
        self.skip_sync = skip_sync
