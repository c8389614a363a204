"""Connections of a job's ranks: a chain per host, and a binary tree of the hosts' last ranks.

Arrays are summed on their way to the root, and the total returns along the same path, at the same time. A rank has two
neighbors, a host's last rank at most four, regardless of the job's size. NCCL's trees have the same structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Tree:
    """A rank's position in the tree.

    Args:
      rank: this process's rank.
      hosts: the ranks of each host, in order.

    Attributes:
      parent: the neighbor towards the root; None for the root.
      children: the other neighbors.
      neighbors: all neighbors.
      ranks_behind: the ranks reached through each neighbor.
      summation_order: this rank and its children, in summation order.
    """

    def __init__(self, rank: int, hosts: Iterable[Sequence[int]]):
        self.rank = rank
        parents: dict[int, int] = {}
        last: list[int] = []
        for ranks in hosts:
            parents.update(zip(ranks, ranks[1:]))
            if last:
                parents[ranks[-1]] = last[(len(last) - 1) // 2]
            last.append(ranks[-1])
        self.parent = parents.get(rank)
        ranks_behind: dict[int, set[int]] = {}
        for other in {*parents, last[0]} - {rank}:
            ancestor: int | None = other
            while ancestor is not None and parents.get(ancestor) != rank:
                ancestor = parents.get(ancestor)
            ranks_behind.setdefault(parents[rank] if ancestor is None else ancestor, set()).add(
                other
            )
        self.ranks_behind = {neighbor: frozenset(ranks) for neighbor, ranks in ranks_behind.items()}
        first = {rank: rank, **{neighbor: min(ranks) for neighbor, ranks in ranks_behind.items()}}
        self.summation_order = sorted(
            first.keys() - {self.parent}, key=lambda neighbor: first[neighbor]
        )
        self.children = [neighbor for neighbor in self.summation_order if neighbor != rank]
        self.neighbors = list(ranks_behind)

    def neighbor_towards(self, rank: int) -> int:
        """Returns the neighbor on the path to a rank."""
        return next(neighbor for neighbor, ranks in self.ranks_behind.items() if rank in ranks)
