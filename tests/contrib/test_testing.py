"""tf.contrib.testing: event file helpers for other libraries' tests."""

import pytest

import tfmini as tf

testing = tf.contrib.testing


def test_summary_values(tmp_path):
    assert testing.latest_event_file(str(tmp_path)) is None
    assert testing.latest_events(str(tmp_path)) == []
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        for step, value in ((1, 0.5), (3, 0.25), (2, 7.0)):
            created = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=value)])
            writer.add_summary(created, step)
    events = testing.latest_summaries(str(tmp_path))
    assert [event.step for event in events] == [1, 3, 2]
    assert testing.simple_values_from_events(events, ["loss"]) == {"loss": 0.25}
    created = testing.to_summary_proto(events[0].summary.SerializeToString())
    testing.assert_summary(["loss"], {"loss": 0.5001}, created)
    with pytest.raises(ValueError, match="Expected tags"):
        testing.assert_summary(["other"], {}, created)
    with pytest.raises(AssertionError, match=r"ACTUAL: 0.5\n DESIRED: 0.6"):
        testing.assert_summary(["loss"], {"loss": 0.6}, created)
    created.value[0].image.height = 3
    event = tf.Event(summary=created)
    with pytest.raises(ValueError, match="Summary for loss is not a simple_value."):
        testing.simple_values_from_events([event], ["loss"])


def test_fake_writer_records_summaries():
    class Case(tf.test.TestCase):
        def runTest(self):
            pass

    fake = testing.FakeSummaryWriter
    tf.summary.FileWriterCache.clear()
    fake.install()
    with pytest.raises(ValueError, match="already installed"):
        fake.install()
    try:
        tf.train.get_or_create_global_step()
        value = tf.summary.scalar("value", tf.constant(3.0))
        hook = tf.train.SummarySaverHook(save_steps=1, output_dir="/no/such", summary_op=value)
        with tf.train.SingularMonitoredSession(hooks=[hook]) as session:
            session.run(value)
        writer = tf.summary.FileWriterCache.get("/no/such")
    finally:
        fake.uninstall()
        tf.summary.FileWriterCache.clear()
    with pytest.raises(ValueError, match="not installed"):
        fake.uninstall()
    log = tf.SessionLog(status=tf.SessionLog.START)
    writer.assert_summaries(
        Case(), "/no/such", expected_summaries={0: {"value": 3.0}}, expected_session_logs=[log]
    )
    with pytest.raises(AssertionError, match="{'value': 4.0} != {'value': 3.0}"):
        writer.assert_summaries(Case(), expected_summaries={0: {"value": 4.0}})
    with pytest.raises(ValueError, match="Invalid global_step -1."):
        writer.add_graph(None, -1)
