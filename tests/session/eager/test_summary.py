"""`tf.contrib.summary` in eager mode: the events that TensorFlow 1.15.5 writes."""

import glob

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

summary = tf.contrib.summary


@pytest.fixture(autouse=True)
def eager():
    with tf.Graph().as_default(), eager_mode():
        yield


def written(folder):
    [path] = glob.glob(f"{folder}/*")
    return [
        (event.step, value.tag, value.WhichOneof("value"))
        for event in tf.train.summary_iterator(path)
        for value in event.summary.value
    ]


def test_summaries_are_written_when_they_are_called(tmp_path):
    writer, step = summary.create_file_writer(str(tmp_path)), tf.train.get_or_create_global_step()
    with writer.as_default(), summary.always_record_summaries():
        assert summary.scalar("a", 2.0).numpy()
        summary.histogram("h", [1.0, 2.0], step=5)
        with tf.name_scope("n"):
            summary.scalar("z", 1.0)
        with summary.never_record_summaries():
            summary.scalar("no", 1.0)
        with summary.record_summaries_every_n_global_steps(2):
            for _ in range(4):
                step.assign_add(1)
                summary.scalar("every", 1.0)
    assert written(tmp_path) == [
        (0, "a", "simple_value"),
        (5, "h", "histo"),
        (0, "n/z", "simple_value"),
        (2, "every", "simple_value"),
        (4, "every", "simple_value"),
    ]


def test_a_graph_is_written_as_it_is(tmp_path):
    writer, drawn = summary.create_file_writer(str(tmp_path)), tf.Graph()
    with drawn.as_default():
        tf.constant(1.0, name="one")
    with writer.as_default():
        for param in (drawn, drawn.as_graph_def()):
            summary.graph(param, step=0)
    writer.close()
    [path] = glob.glob(f"{tmp_path}/*")
    graphs = [event.graph_def for event in tf.train.summary_iterator(path) if event.graph_def]
    assert [tf.GraphDef.FromString(text).node[0].name for text in graphs] == ["one", "one"]


def test_a_file_writer_is_of_graphs(tmp_path):
    with pytest.raises(RuntimeError, match="FileWriter is not compatible with eager execution"):
        tf.summary.FileWriter(str(tmp_path))


def test_there_is_nothing_to_run(tmp_path):
    with summary.create_file_writer(str(tmp_path)).as_default():
        assert summary.initialize() is None
        assert summary.all_summary_ops() is None
    assert summary.scalar("x", 1.0) is None
    with pytest.raises(RuntimeError, match="is only supported in graph mode"):
        summary.summary_writer_initializer_op()
