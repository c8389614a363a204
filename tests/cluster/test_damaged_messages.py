"""Damaged messages in valid frames: each answer names its cause, and the server keeps working."""

import pytest

from tests.cluster.damaged_messages import Server, is_unnamed, outcome
from tests.cluster.tasks import cluster_of
from tests.formats.damage import COUNT


@pytest.mark.damage
@pytest.mark.usefixtures("quiet_logs")
def test_damaged_messages_are_rejected_or_survived():
    with cluster_of({"ps": 1, "worker": 1}) as tasks:
        server = Server(tasks)
        errors = [outcome(server, i, "tests")[1] for i in range(COUNT // 4)]
        server.works()
        before = server.sizes()
        errors += [outcome(server, i, "tests")[1] for i in range(COUNT // 4, COUNT)]
        server.works()
        assert [f"{error!r}: {error}" for error in errors if error and is_unnamed(error)] == []
        assert sum(error is not None for error in errors) > COUNT // 2
        for (memory, threads), (first, _) in zip(server.sizes(), before):
            assert memory - first < 15_000 + 3 * COUNT
            assert threads < 60
        server.channel.close()
