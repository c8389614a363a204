"""Shutdown of batch worker pools and threads."""

import tfmini as tf
from tfmini._src.models.keras.utils import worker_pool


class _Process:
    name, pid = "worker", 7

    def __init__(self, stubborn):
        self.stubborn, self.killed = stubborn, False

    def join(self, timeout):
        assert timeout == 0.5

    def kill(self):
        self.killed = True

    def is_alive(self):
        return self.stubborn and not self.killed


class _Pool:
    def __init__(self, *processes):
        self._pool, self.called = list(processes), []

    def close(self):
        self.called.append("close")

    def terminate(self):
        self.called.append("terminate")


def test_worker_pools_are_terminated(monkeypatch):
    monkeypatch.setattr(worker_pool, "_pools", set())
    end = tf.keras.experimental.terminate_keras_multiprocessing_pools
    pool = _Pool(_Process(False), _Process(True))
    worker_pool._pools.add(pool)
    about = [f"worker still alive: worker, pid=7, hash={hash(pool._pool[1])}"]
    about.append(f"pool still exists: {pool}, hash={hash(pool)}")
    assert end(grace_period=0.5) == about
    assert pool.called == ["close", "terminate"]
    assert end(grace_period=0.5, use_sigkill=True) == about[1:]
    worker_pool._pools.clear()
    assert end() == []
