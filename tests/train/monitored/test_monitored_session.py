"""Timeouts of a session's threads at its end."""

import pytest

import tfmini as tf


@pytest.mark.parametrize(
    "kind",
    ["MonitoredSession", "SingularMonitoredSession", "MonitoredTrainingSession"],
)
def test_grace_period_is_passed_to_join(monkeypatch, kind):
    waits = []

    def join(self, threads=None, stop_grace_period_secs=120, ignore_live_threads=False):
        waits.append((stop_grace_period_secs, ignore_live_threads))

    monkeypatch.setattr(tf.train.Coordinator, "join", join)
    with tf.Graph().as_default():
        tf.train.create_global_step()
        getattr(tf.train, kind)(stop_grace_period_secs=7).close()
    assert waits == [(7, True)]
