"""Summary writer resources: flushing, sharing, behavior at the end of a session."""

import gc
import os
import threading
import weakref

import pytest

import tfmini as tf


def steps(directory):
    """The event steps in each file of a folder."""
    return [
        [event.step for event in tf.train.summary_iterator(str(path))][1:]
        for path in sorted(directory.iterdir())
    ]


def numbers(directory, **settings):
    """A writer, and an op that writes a number at a fed step."""
    writer = tf.contrib.summary.create_file_writer(str(directory), **settings)
    step = tf.placeholder(tf.int64, [])
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        return writer, step, tf.contrib.summary.scalar("number", 1.0, step=step)


def test_events_flush_after_max_queue(tmp_path):
    writer, step, op = numbers(tmp_path, max_queue=2)
    with tf.Session() as session:
        session.run(tf.contrib.summary.summary_writer_initializer_op())
        assert steps(tmp_path) == [[]]
        session.run(op, {step: 1})
        session.run(op, {step: 2})
        assert steps(tmp_path) == [[]]
        session.run(op, {step: 3})
        assert steps(tmp_path) == [[1, 2, 3]]
        session.run(op, {step: 4})
        session.run(writer.flush())
        assert steps(tmp_path) == [[1, 2, 3, 4]]


def test_events_flush_after_interval(tmp_path):
    _, step, op = numbers(tmp_path, flush_millis=0)
    with tf.Session() as session:
        session.run(tf.contrib.summary.summary_writer_initializer_op())
        session.run(op, {step: 1})
        assert steps(tmp_path) == [[1]]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_forked_process_does_not_write_parent_events(tmp_path):
    writer, step, op = numbers(tmp_path)
    with tf.Session() as session:
        session.run(tf.contrib.summary.summary_writer_initializer_op())
        session.run(op, {step: 1})
        child = os.fork()
        if not child:
            try:
                weakref.finalize._exitfunc()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert steps(tmp_path) == [[]]
        session.run(writer.flush())
        assert steps(tmp_path) == [[1]]


def test_closed_session_flushes_events(tmp_path):
    _, step, op = numbers(tmp_path)
    session = tf.Session()
    session.run(tf.contrib.summary.summary_writer_initializer_op())
    session.run(op, {step: 1})
    session.close()
    del session
    gc.collect()
    assert steps(tmp_path) == [[1]]


def test_sessions_write_separate_files(tmp_path):
    writer, step, op = numbers(tmp_path)
    for number in (1, 2):
        with tf.Session() as session:
            session.run(writer.init())
            session.run(op, {step: number})
            session.run(writer.close())
    assert steps(tmp_path) == [[1], [2]]


def test_writers_of_one_directory_are_shared(tmp_path):
    writer, step, op = numbers(tmp_path)
    other, other_step, other_op = numbers(tmp_path)
    with tf.Session() as session:
        session.run([writer.init(), other.init()])
        session.run(op, {step: 1})
        session.run(other_op, {other_step: 2})
        session.run(writer.flush())
    assert steps(tmp_path) == [[1, 2]]


def test_threads_have_separate_default_writers(tmp_path):
    graph, result = tf.get_default_graph(), []

    def write():
        with graph.as_default():
            result.append(tf.contrib.summary.scalar("a", 1.0, step=1))

    def set_and_write():
        with graph.as_default():
            tf.contrib.summary.create_file_writer(str(tmp_path)).set_as_default()
        write()

    for work in (set_and_write, write):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    written, not_written = result
    assert (written.op.type, not_written.type) == ("Const", "NoOp")


def test_writer_without_directory_does_nothing():
    writer = tf.contrib.summary.create_file_writer(None)
    with writer.as_default(), tf.contrib.summary.always_record_summaries():
        assert tf.contrib.summary.scalar("a", 1.0).type == "NoOp"
        assert tf.contrib.summary.flush().type == "NoOp"
    writer.set_as_default()
    assert (writer.init(), writer.flush(), writer.close()) == (None, None, None)


def test_tensorboard_reads_events(tmp_path):
    accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    writer = tf.contrib.summary.create_file_writer(str(tmp_path))
    summary = tf.contrib.summary
    with writer.as_default(), summary.always_record_summaries():
        summary.scalar("loss", 0.5, step=1)
        summary.histogram("weights", [1.0, 2.0], step=1)
        summary.image("picture", tf.zeros([1, 2, 3, 1]), step=1)
        summary.audio("sound", tf.zeros([1, 3]), 8000.0, 1, step=1)
        with tf.Session() as session:
            summary.initialize(tf.get_default_graph(), session)
            session.run(summary.all_summary_ops())
            session.run(writer.close())
    result = accumulator.EventAccumulator(str(tmp_path)).Reload()
    tags = result.Tags()
    assert [tags[kind] for kind in ("scalars", "histograms", "images", "audio")] == [
        ["loss"],
        ["weights"],
        ["picture/image/0"],
        ["sound/audio"],
    ]
    assert [(e.step, e.value) for e in result.Scalars("loss")] == [(1, 0.5)]
    (sound,) = result.Audio("sound/audio")
    assert (sound.content_type, sound.sample_rate, sound.length_frames) == ("audio/wav", 8000, 3)
    assert "SummaryWriter" in {node.op for node in result.Graph().node}
