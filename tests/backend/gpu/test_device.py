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


def test_small_fetches_that_are_kept_pin_no_memory(gpus):
    x = tf.placeholder(tf.float32, [None])
    with tf.device("/gpu:0"):
        doubled = x + x
    with tf.Session() as session:
        kept = [session.run(doubled, {x: np.full(100, n)}) for n in range(50)]
        assert all(got.flags.owndata for got in kept)
        assert len(gpus.pinned) < 10
        large = session.run(doubled, {x: np.ones(1 << 19)})
        assert not large.flags.owndata  # copied once


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
