"""Rank of this process in its job, from the environment set by its launcher."""

from __future__ import annotations

import os
from dataclasses import dataclass

from tfmini._src.base.errors import invalid
from tfmini._src.distribute.horovod.elastic_rounds import is_elastic, next_round
from tfmini._src.distribute.horovod.http_rendezvous import rendezvous_of_horovodrun
from tfmini._src.distribute.horovod.launchers import LAUNCHERS

ADDRESSES = "TFMINI_RANKS"


@dataclass(frozen=True)
class RankInfo:
    """A process's rank in its job.

    addresses: all processes' "host:port", by rank.
    """

    rank: int
    addresses: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of processes."""
        return max(1, len(self.addresses))

    @property
    def on_this_host(self) -> list[int]:
        """Ranks on this host, in order."""
        return next(ranks for ranks in self.on_each_host.values() if self.rank in ranks)

    @property
    def on_each_host(self) -> dict[str, list[int]]:
        """Ranks by host."""
        ranks_by_host: dict[str, list[int]] = {}
        for rank, address in enumerate(self.addresses or ("",)):
            ranks_by_host.setdefault(address.rpartition(":")[0], []).append(rank)
        return ranks_by_host


def own_rank_info() -> RankInfo:
    """Returns this process's rank in its job, or in an elastic job's next round.

    The job consists of one process unless TFMINI_RANKS or horovodrun's rendezvous defines other addresses.

    Raises:
      InvalidArgumentError: if the environment has all addresses but not this process's rank.
      UnavailableError, DeadlineExceededError: if horovodrun's rendezvous is unreachable, or other processes do not join
        it.
    """
    if is_elastic():
        return RankInfo(*next_round())
    addresses = tuple(filter(None, os.environ.get(ADDRESSES, "").split(",")))
    if not addresses:
        store = rendezvous_of_horovodrun()
        if store is None or store.size == 1:
            return RankInfo(0, ())
        return RankInfo(store.rank, store.exchange_addresses())
    # The first one is also set by `tfmini launch --ranks`.
    names = [launcher.rank for launcher in LAUNCHERS]
    name = next((name for name in names if name in os.environ), names[0])
    rank = os.environ.get(name, "")
    if not rank.isdigit() or int(rank) >= len(addresses):
        invalid(f"{ADDRESSES} has {len(addresses)} addresses, but {name} is {rank or 'not set'}")
    return RankInfo(int(rank), addresses)
