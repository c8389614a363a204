"""Summaries of what cannot be shown."""

import numpy as np


def a_scalar_of_two(tf):
    summary = tf.summary.scalar("two", [1.0, 2.0])
    return lambda sess: sess.run(summary)


def fewer_tags_than_values(tf):
    summary = tf.raw_ops.ScalarSummary(tags=["a", "b"], values=[1.0])
    return lambda sess: sess.run(summary)


def a_scalar_of_text(tf):
    tf.summary.scalar("text", "one")


def a_histogram_of_complex(tf):
    tf.summary.histogram("complex", [1j])


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


def a_picture_without_a_batch(tf):
    summary = tf.summary.image("picture", tf.zeros([4, 4, 3]))
    return lambda sess: sess.run(summary)


def a_picture_without_pixels(tf):
    summary = tf.summary.image("picture", tf.zeros([1, 0, 4, 1]))
    return lambda sess: sess.run(summary)


def no_pictures_at_most(tf):
    tf.summary.image("picture", tf.zeros([1, 4, 4, 1]), max_outputs=0)


def a_picture_of_integers(tf):
    tf.summary.image("picture", tf.zeros([1, 4, 4, 1], tf.int32))


def a_picture_with_two_tags(tf):
    summary = tf.raw_ops.ImageSummary(tag=["a", "b"], tensor=tf.zeros([1, 4, 4, 1]))
    return lambda sess: sess.run(summary)


def too_few_channels_of_the_bad_colour(tf):
    colour = tf.make_tensor_proto([1, 2], tf.uint8)
    summary = tf.raw_ops.ImageSummary(tag="a", tensor=tf.zeros([1, 4, 4, 3]), bad_color=colour)
    return lambda sess: sess.run(summary)


def text_of_numbers(tf):
    tf.summary.text("text", tf.constant(1.0))


def text_that_is_no_tensor(tf):
    tf.summary.text("text", "text")


def a_tag_twice(tf):
    a = tf.raw_ops.ScalarSummary(tags="loss", values=1.0)
    b = tf.raw_ops.ScalarSummary(tags="loss", values=2.0)
    merged = tf.summary.merge([a, b])
    return lambda sess: sess.run(merged)


def merging_what_is_no_summary(tf):
    merged = tf.summary.merge([tf.constant("\n\x05no")])
    return lambda sess: sess.run(merged)


def merging_nothing(tf):
    tf.summary.merge([])


def merging_numbers(tf):
    tf.summary.merge([1.0])


def a_summary_without_a_name(tf):
    tf.summary.scalar(None, 1.0)


def two_tags_of_a_tensor(tf):
    summary = tf.raw_ops.TensorSummaryV2(tag=["a", "b"], tensor=1.0, serialized_summary_metadata="")
    return lambda sess: sess.run(summary)
