"""The tree that connects a job's ranks."""

import pytest

from tfmini._src.distribute.horovod.topology import Tree

HOSTS = {
    "alone": [[0]],
    "two ranks": [[0, 1]],
    "one host": [list(range(8))],
    "two hosts": [[0, 2], [1, 3, 4]],
    "a thousand": [list(range(first, first + 8)) for first in range(0, 1000, 8)],
}


@pytest.mark.parametrize("hosts", HOSTS.values(), ids=HOSTS)
def test_tree_connects_all_ranks(hosts):
    size = sum(map(len, hosts))
    host_of = {rank: host for host, ranks in enumerate(hosts) for rank in ranks}
    trees = [Tree(rank, hosts) for rank in range(size)]
    assert [tree.rank for tree in trees if tree.parent is None] == [hosts[0][-1]]
    for tree in trees:
        assert len(tree.neighbors) <= (4 if tree.rank in {ranks[-1] for ranks in hosts} else 2)
        assert all(tree.rank in trees[each].neighbors for each in tree.neighbors)
        assert all(trees[each].parent == tree.rank for each in tree.children)
        behind = [rank for ranks in tree.ranks_behind.values() for rank in ranks]
        assert sorted([*behind, tree.rank]) == list(range(size))
        for (
            each
        ) in tree.neighbors:  # everything not behind one end of a connection is behind the other
            assert tree.ranks_behind[each] | trees[each].ranks_behind[tree.rank] == set(range(size))
            assert all(tree.neighbor_towards(rank) == each for rank in tree.ranks_behind[each])
    between = [
        tree
        for tree in trees
        if tree.parent is not None and host_of[tree.parent] != host_of[tree.rank]
    ]
    assert len(between) == len(hosts) - 1


def test_host_sums_follow_rank_order():
    assert [Tree(rank, [[0, 1, 2]]).summation_order for rank in range(3)] == [[0], [0, 1], [1, 2]]


def test_tree_is_shallow():
    """With 125 hosts of 8 ranks each: a host's chain, and the tree's depth."""
    trees = {rank: Tree(rank, HOSTS["a thousand"]) for rank in range(1000)}

    def steps(rank):
        parent = trees[rank].parent
        return 0 if parent is None else 1 + steps(parent)

    assert max(map(steps, trees)) == 7 + 6
