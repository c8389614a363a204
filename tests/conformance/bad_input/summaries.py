"""Summaries of unsupported values."""

import tempfile

import numpy as np


def a_scalar_of_two(tf):
    summary = tf.summary.scalar("two", [1.0, 2.0])
    return lambda sess: sess.run(summary)


def fewer_tags_than_values(tf):
    summary = tf.raw_ops.ScalarSummary(tags=["a", "b"], values=[1.0])
    return lambda sess: sess.run(summary)


def a_histogram_with_nan(tf):
    with tf.name_scope("scope"):
        summary = tf.summary.histogram("weights", [1.0, np.nan, np.inf])
    return lambda sess: sess.run(summary)


def a_histogram_with_infinity(tf):
    summary = tf.summary.histogram("weights", [1.0, -np.inf, np.nan])
    return lambda sess: sess.run(summary)


def a_histogram_with_two_tags(tf):
    summary = tf.raw_ops.HistogramSummary(tag=["a", "b"], values=[1.0])
    return lambda sess: sess.run(summary)


def a_picture_of_two_channels(tf):
    summary = tf.summary.image("picture", tf.zeros([1, 4, 4, 2]))
    return lambda sess: sess.run(summary)


def a_picture_without_pixels(tf):
    summary = tf.summary.image("picture", tf.zeros([1, 0, 4, 1]))
    return lambda sess: sess.run(summary)


def a_picture_with_two_tags(tf):
    summary = tf.raw_ops.ImageSummary(tag=["a", "b"], tensor=tf.zeros([1, 4, 4, 1]))
    return lambda sess: sess.run(summary)


def too_few_channels_of_the_bad_colour(tf):
    colour = tf.make_tensor_proto([1, 2], tf.uint8)
    summary = tf.raw_ops.ImageSummary(tag="a", tensor=tf.zeros([1, 4, 4, 3]), bad_color=colour)
    return lambda sess: sess.run(summary)


def a_tag_twice(tf):
    a = tf.raw_ops.ScalarSummary(tags="loss", values=1.0)
    b = tf.raw_ops.ScalarSummary(tags="loss", values=2.0)
    merged = tf.summary.merge([a, b])
    return lambda sess: sess.run(merged)


def merging_what_is_no_summary(tf):
    merged = tf.summary.merge([tf.constant("\n\x05no")])
    return lambda sess: sess.run(merged)


def two_tags_of_a_tensor(tf):
    summary = tf.raw_ops.TensorSummaryV2(tag=["a", "b"], tensor=1.0, serialized_summary_metadata="")
    return lambda sess: sess.run(summary)


def a_sound_without_samples(tf):
    summary = tf.summary.audio("sound", tf.zeros([2, 0]), 8000)
    return lambda sess: sess.run(summary)


def a_sound_at_a_rate_without_end(tf):
    summary = tf.summary.audio("sound", tf.zeros([1, 3]), np.inf)
    return lambda sess: sess.run(summary)


def a_sound_with_two_tags(tf):
    summary = tf.raw_ops.AudioSummaryV2(tag=["a", "b"], tensor=tf.zeros([1, 3]), sample_rate=1.0)
    return lambda sess: sess.run(summary)


def initializing_without_a_session(tf):
    with tf.contrib.summary.create_file_writer("folder").as_default():
        tf.contrib.summary.initialize()


def _writer(tf, name="writer"):
    return tf.raw_ops.SummaryWriter(shared_name=name)


def _written(tf, kind, create=True, **arguments):
    """An op that writes with a step, after its file was created."""
    writer = _writer(tf)
    folder = tf.placeholder_with_default("", [])
    made = tf.raw_ops.CreateSummaryFileWriter(
        writer=writer, logdir=folder, max_queue=1, flush_millis=1, filename_suffix=""
    )
    step = tf.constant(3, tf.int64)
    written = getattr(tf.raw_ops, kind)(writer=writer, step=step, **arguments)

    def run(sess):
        if create:
            sess.run(made, {folder: tempfile.mkdtemp()})
        sess.run(written)

    return run


def writing_without_a_file_beside_a_variable(tf):
    variable = tf.Variable(1.0)
    run = _written(tf, "WriteScalarSummary", False, tag="a", value=1.0)

    def both(sess):
        sess.run(variable.initializer)
        run(sess)

    return both


def closing_what_was_not_made(tf):
    closed = tf.raw_ops.CloseSummaryWriter(writer=_writer(tf))
    return lambda sess: sess.run(closed)


def a_folder_that_cannot_be_made(tf):
    make, writer = tf.raw_ops.CreateSummaryFileWriter, _writer(tf)
    counts = {"max_queue": 1, "flush_millis": 1}
    made = make(writer=writer, logdir="/proc/none/x", filename_suffix="", **counts)
    return lambda sess: sess.run(made)


def writing_a_picture_without_a_batch(tf):
    colour = tf.constant([1], tf.uint8)
    return _written(tf, "WriteImageSummary", tag="a", tensor=tf.zeros([4, 4, 1]), bad_color=colour)


def writing_a_bad_colour_of_two_axes(tf):
    colour = tf.constant([[1]], tf.uint8)
    return _written(
        tf, "WriteImageSummary", tag="a", tensor=tf.zeros([1, 4, 4, 1]), bad_color=colour
    )


def importing_what_is_no_event(tf):
    event = tf.raw_ops.ImportEvent(writer=_writer(tf), event="zz")
    run = _written(tf, "WriteScalarSummary", tag="a", value=1.0)
    return lambda sess: [run(sess), sess.run(event)]
