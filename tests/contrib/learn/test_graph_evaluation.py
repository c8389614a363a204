"""Graphs evaluated from checkpoints: results, events, exhausted inputs."""

import numpy as np

import tfmini as tf


def model(directory):
    """A graph with a variable, saved as 3 in a checkpoint of step 7, and a step counter."""
    graph = tf.Graph()
    with graph.as_default():
        weight = tf.get_variable("v", initializer=2.0)
        step = tf.train.get_or_create_global_step()
        count = tf.Variable(0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run([weight.assign(3.0), step.assign(7)])
            tf.train.Saver().save(session, str(directory / "m.ckpt"), 7)
        return graph, weight, count, count.assign_add(1)


def test_checkpoint_is_evaluated(tmp_path):
    graph, weight, count, update = model(tmp_path)
    events = str(tmp_path / "events")
    expected = {"v": weight, "n": count}
    result = tf.contrib.learn.evaluate(
        graph, events, str(tmp_path), expected, update_op=update, max_steps=4
    )
    assert result == ({"v": 3.0, "n": 4}, 7)
    tf.summary.FileWriterCache.clear()
    (file,) = tf.gfile.Glob(events + "/*")
    written = [
        (event.step, value.tag, value.simple_value)
        for event in tf.train.summary_iterator(file)
        for value in event.summary.value
    ]
    assert written == [(7, "v", 3.0), (7, "n", 0.0)]


def test_exhausted_inputs_end_evaluation(tmp_path, caplog):
    graph, weight, *_ = model(tmp_path)
    with graph.as_default():
        number = tf.placeholder(tf.float32, [])
    fed = iter([{number: np.float32(1)}, {number: np.float32(2)}])
    results, step = tf.contrib.learn.evaluate(
        graph, str(tmp_path / "e"), None, {"sum": weight + number}, feed_fn=lambda: next(fed)
    )
    assert (results, step) == ({"sum": 4.0}, 0)
    assert "Failed to initialize from None." in caplog.text
    tf.summary.FileWriterCache.clear()
