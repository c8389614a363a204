"""Steps over two tasks: what they leave behind."""

import gc

import pytest

import tfmini as tf
from tfmini._src.cluster.free_ports import free_addresses
from tfmini._src.cluster.grpc_channel import Channel

OF_STEPS = {"Gathering", "Item", "LineCall", "Rendezvous", "RunningStep", "Step"}


@pytest.fixture
def servers():
    cluster = free_addresses({"ps": 1, "worker": 1})
    made = [tf.train.Server(cluster, job, 0) for job in cluster]
    yield made
    for server in made:
        server._stop()


def left_in_cycles(work):
    """The names of the types of what `work` leaves in cycles."""
    was_enabled, flags = gc.isenabled(), gc.get_debug()
    gc.disable()
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    before = len(gc.garbage)
    try:
        work()
        gc.collect()
        return {type(left).__name__ for left in gc.garbage[before:]}
    finally:
        gc.set_debug(flags)
        del gc.garbage[before:]
        if was_enabled:
            gc.enable()


@pytest.mark.parametrize("lines", ["1", "0"])
def test_tensors_are_freed_at_once(servers, lines, monkeypatch):
    """And not when Python looks for cycles: large arrays would be many until then."""
    monkeypatch.setenv("TFMINI_LINES", lines)
    with tf.device("/job:ps/task:0"):
        value = tf.Variable(tf.zeros([1000]))
    with tf.device("/job:worker/task:0"):
        more, most = value + 1.0, value + 2.0
    with tf.device("/job:ps/task:0"):
        add = tf.group(value.assign_add(more), tf.identity(most))
    with tf.Session(servers[1].target) as session:
        session.run(value.initializer)

        def steps():
            for _ in range(10):
                session.run(add)

        steps()
        assert not left_in_cycles(steps) & OF_STEPS


def test_a_task_is_woken_once_by_its_part_and_what_is_asked_of_it(servers, monkeypatch):
    """Other parts go out at once: of what asks for nothing, and of what does so only later."""
    held = []
    begin = Channel.begin

    def noting(self, name, *rest, is_held=False, **options):
        if name.endswith("RunGraph"):
            held.append(is_held)
        return begin(self, name, *rest, is_held=is_held, **options)

    monkeypatch.setattr(Channel, "begin", noting)
    with tf.device("/job:ps/task:0"):
        one = tf.constant([1.0] * 300)
        alone = tf.reduce_sum(one)
    with tf.device("/job:worker/task:0"):
        asks = one * 2.0
        fed = tf.placeholder(tf.float32, [])
        gives = fed + 1.0
    with tf.device("/job:ps/task:0"):
        takes = gives * 3.0
    with tf.Session(servers[1].target) as session:
        assert session.run(alone) == 300 and held == [False]
        assert session.run(asks)[0] == 2 and held == [False, True]
        assert session.run(takes, {fed: 1.0}) == 6 and held == [False, True, False]
