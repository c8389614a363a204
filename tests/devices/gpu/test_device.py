"""Copies of a logical GPU: what memory they keep and what they cost, on the fake."""

import sys

import numpy as np
import pytest

import tfmini as tf
from tests.gpus import fake_gpus


@pytest.fixture
def gpus(monkeypatch):
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setenv("TF_FORCE_GPU_ALLOW_GROWTH", "true")
    with fake_gpus(devices=2) as machine:
        yield machine


def test_fetches_that_are_kept_pin_no_memory(gpus):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.Session() as session:
        kept = [session.run(doubled, {x: np.full(100, n)}) for n in range(50)]
        assert all(got.flags.owndata for got in kept)
        assert len(gpus.pinned) < 10
        size = (5 << 20) + 12  # bytes: CuPy's pool would round them up to 8 MB
        kept = [session.run(doubled, {x: np.full(size // 4, n)}) for n in range(3)]
        assert [got[-1] for got in kept] == [0, 2, 4]
        pinned = sum(tenure.high - tenure.low for tenure in gpus.pinned.values())
        assert pinned <= 2 * (size + (1 << 20))  # for a copy each way, not for each array


def test_no_event_takes_the_time(gpus, monkeypatch):
    cupy = sys.modules["cupy"]
    timed = []
    event = cupy.cuda.Event

    class Noted(event):
        def __init__(self, block=False, disable_timing=False, interprocess=False):
            timed.append(not disable_timing)
            super().__init__(block, disable_timing, interprocess)

    monkeypatch.setattr(cupy.cuda, "Event", Noted)
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.device("/gpu:1"):
        more = doubled + 1.0
    with tf.Session() as session:
        for _ in range(2):
            session.run([doubled, more], {x: np.ones(1 << 15)})
    assert timed and not any(timed)


@pytest.mark.parametrize("can_reach", [True, False])
def test_cards_read_each_other_where_they_can(gpus, monkeypatch, can_reach):
    """cudaMemcpyPeerAsync goes through the host until access is enabled, which is done once a pair."""
    gpus.peer_access = can_reach
    enabled = []
    runtime = sys.modules["cupy"].cuda.runtime
    enable = runtime.deviceEnablePeerAccess
    monkeypatch.setattr(
        runtime, "deviceEnablePeerAccess", lambda peer: (enabled.append(peer), enable(peer))
    )
    x = tf.placeholder(tf.float32, [3])
    with tf.device("/gpu:0"):
        first = x + 1.0
    with tf.device("/gpu:1"):
        second = first * 2.0
    with tf.Session() as session:
        for number in range(3):
            assert session.run(second, {x: [number] * 3}).tolist() == [2 * number + 2] * 3
    assert gpus.counters.copies["p2p"] == 3
    assert enabled == ([0] if can_reach else [])


def test_access_that_is_enabled_already(gpus):
    runtime = sys.modules["cupy"].cuda.runtime
    with sys.modules["cupy"].cuda.Device(1):
        runtime.deviceEnablePeerAccess(0)
    with tf.device("/gpu:0"):
        first = tf.random_uniform([3])
    with tf.device("/gpu:1"):
        second = first * 2.0
    with tf.Session() as session:
        assert session.run(second).shape == (3,)
