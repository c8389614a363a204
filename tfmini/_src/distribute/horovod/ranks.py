"""Rank of this process in its job, from the environment set by its launcher."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfmini._src.base.errors import InvalidArgumentError
from tfmini._src.distribute.horovod.launchers import LAUNCHERS

ADDRESSES = "TFMINI_RANKS"


@dataclass(frozen=True)
class Place:
    """A process's place in its job.

    addresses: of all, "host:port", by their ranks.
    """

    rank: int
    addresses: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of processes."""
        return max(1, len(self.addresses))

    @property
    def on_this_host(self) -> list[int]:
        """The ranks on this host, in order."""
        if not self.addresses:
            return [0]
        hosts = [address.rpartition(":")[0] for address in self.addresses]
        return [rank for rank, host in enumerate(hosts) if host == hosts[self.rank]]


def own_place() -> Place:
    """This process's place; it is alone if TFMINI_RANKS is not set.

    Raises:
      InvalidArgumentError: if the environment has the addresses of all ranks, and not which one this is.
    """
    addresses = tuple(filter(None, os.environ.get(ADDRESSES, "").split(",")))
    if not addresses:
        return Place(0, ())
    names = [launcher.rank for launcher in LAUNCHERS]  # `tfmini launch --ranks` sets the first
    rank = next((os.environ[name] for name in names if name in os.environ), "")
    if not rank.isdigit() or int(rank) >= len(addresses):
        raise InvalidArgumentError(
            None,
            None,
            f"{ADDRESSES} has {len(addresses)} addresses, and HOROVOD_RANK is {rank or 'not set'}",
        )
    return Place(int(rank), addresses)
