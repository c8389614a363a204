"""A few kills of `ci/soak faults`: random ones in a training cluster, and a launched Estimator's tasks."""

import random

import pytest

import tfmini as tf
from tests.cluster.faults import census_kills, clients, random_faults
from tests.cluster.tasks import addresses


@pytest.mark.full
@pytest.mark.parametrize("lines", "10")
def test_training_survives_kills_and_stops(lines):
    seen = random_faults.run(6, random.randrange(1 << 30), {"TFMINI_LINES": lines})
    assert seen.wrongs == []
    assert seen.faults.total() == 6
    assert seen.steps > 0


@pytest.mark.full
def test_estimator_survives_killed_tasks():
    table = census_kills.run(tasks=("worker 1", "ps 0"), steps=500)
    assert "exited with status 0" in table


@pytest.mark.reference
def test_tensorflow_worker_survives_kills(reference):
    table = census_kills.run(str(reference), ("worker 1", "chief 0"), steps=500)
    assert "exited with status 0" in table


class Said:
    """A process that has reported steps as (number, start time)."""

    def __init__(self, *steps):
        self.steps = lambda: steps


class Gone:
    """A finished waiter, which may have reported an element."""

    def __init__(self, *taken):
        self.process = self
        self.said = lambda word: taken

    def poll(self):
        return 1


def test_unlogged_step_is_reported():
    cluster = object.__new__(random_faults.TrainingCluster)
    cluster.seen, cluster.earlier, cluster.logged = random_faults.Seen(), {}, set()
    address = addresses({"ps": 1})
    server = cluster.tasks = {("ps", 0): tf.train.Server(address, "ps", 0)}
    try:
        cluster._look_again()
        with cluster.graph.as_default():
            put = clients.log_of_steps().enqueue([[0, 1]])
        cluster.session.run([put])
        cluster.session.run([put])
        cluster.born = 5.0
        cluster.trainers = {0: Said((1, 9.0), (2, 9.0), (3, 4.0))}
        cluster.drain()
        seen = cluster.seen
        assert (seen.steps, seen.repeated, seen.lost, len(seen.wrongs)) == (2, 1, 1, 1)
        cluster._check_item(Gone(), 0.0)
        assert (seen.waits, seen.taken) == (1, 0)
        cluster._check_item(Gone("taken"), 0.0)
        assert (seen.waits, seen.taken) == (2, 1)
        cluster.session.close()
    finally:
        server["ps", 0]._stop()
