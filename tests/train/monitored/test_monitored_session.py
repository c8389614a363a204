"""Arguments that a monitored session passes on."""

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


class WrappedSession:
    def __init__(self, session):
        self.session = session

    def __getattr__(self, name):
        return getattr(self.session, name)

    def run(self, fetches, **options):
        return self.session.run(fetches, **options)


class WrappedSessionCreator(tf.train.SessionCreator):
    def create_session(self):
        return WrappedSession(tf.train.ChiefSessionCreator().create_session())


def test_options_are_passed_by_name():
    with tf.Graph().as_default():
        x = tf.constant(2.0)
        with tf.train.MonitoredSession(WrappedSessionCreator()) as session:
            assert session.run(x, {x: 3.0}, tf.RunOptions(timeout_in_ms=10_000)) == 3.0
