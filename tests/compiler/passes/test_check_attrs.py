"""Attrs that no kernel accepts are rejected before missing feeds are reported, with TensorFlow 1.15.5's messages."""

import re

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.ops import raw_ops as raw

ONE = [1, 1, 1, 1]
TWO = [2, 1, 1, 1]
DEPTHS = "Current implementation does not yet support {} in the batch and depth dimensions."
BATCH = "Pooling is not yet supported on the batch dimension."
DILATED = (
    "Current libxsmm and customized CPU implementations do not yet support dilation rates larger "
    "than 1."
)


def fed(dtype=tf.float32):
    return tf.placeholder(dtype)


def conv2d(strides=ONE, **attrs):
    return raw.Conv2D(input=fed(), filter=fed(), strides=strides, **{"padding": "SAME", **attrs})


def for_input(strides=ONE, **attrs):
    return raw.Conv2DBackpropInput(
        input_sizes=fed(tf.int32),
        filter=fed(),
        out_backprop=fed(),
        strides=strides,
        **{"padding": "SAME", **attrs},
    )


def for_filter(strides=ONE, **attrs):
    return raw.Conv2DBackpropFilter(
        input=fed(),
        filter_sizes=fed(tf.int32),
        out_backprop=fed(),
        strides=strides,
        **{"padding": "SAME", **attrs},
    )


def pooled(op, ksize, strides=ONE, **attrs):
    first = {"MaxPool": "input", "AvgPool": "value"}[op]
    made = getattr(raw, op)
    return made(**{first: fed()}, ksize=ksize, strides=strides, padding="SAME", **attrs)


REFUSED = {
    "strides": (lambda: conv2d(TWO), DEPTHS.format("strides")),
    "dilations": (lambda: conv2d(dilations=TWO), DEPTHS.format("dilations")),
    "input's strides": (lambda: for_input(TWO), DEPTHS.format("strides")),
    "input's dilations": (lambda: for_input(dilations=[1, 2, 2, 1]), DILATED),
    "input's paddings": (
        lambda: for_input(padding="EXPLICIT"),
        "explicit_paddings attribute must contain 8 values, but got: 0",
    ),
    "filter's strides": (lambda: for_filter(TWO), DEPTHS.format("strides")),
    "filter's format": (
        lambda: for_filter(data_format="NCHW"),
        "Conv2DCustomBackpropFilterOp only supports NHWC.",
    ),
    "largest of nothing": (
        lambda: pooled("MaxPool", [1, 0, 2, 1]),
        "Sliding window ksize for dimension 1 was zero.",
    ),
    "largest of images": (lambda: pooled("MaxPool", [2, 2, 2, 1]), BATCH),
    "mean of images": (lambda: pooled("AvgPool", [1, 2, 2, 1], TWO), BATCH),
    "range": (
        lambda: raw.FakeQuantWithMinMaxArgs(inputs=fed(), min=1.0, max=1.0),
        "min has to be smaller than max, was: 1 >= 1",
    ),
    "boundaries": (
        lambda: raw.Bucketize(input=fed(), boundaries=[2.0, 1.0]),
        "Expected sorted boundaries",
    ),
    "pattern": (
        lambda: raw.StaticRegexFullMatch(input=fed(tf.string), pattern="("),
        "Invalid pattern: (, error: missing ): (",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_before_feeds_are_missed(case):
    build, message = REFUSED[case]
    with tf.Graph().as_default():
        made = tf.identity(build())
        with tf.Session() as session, pytest.raises(tf.errors.OpError) as caught:
            session.run(made)
    assert re.split("\n", caught.value.message)[0] == message
    assert caught.value.op is made.op.inputs[0].op


@pytest.mark.parametrize("case", ["input's dilations", "filter's format"])
def test_a_rule_of_the_cpu_does_not_hold_on_a_gpu(case):
    with fake_gpus(), tf.Graph().as_default(), tf.Session() as session, tf.device("/gpu:0"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            session.run(REFUSED[case][0]())


@pytest.mark.parametrize(
    "name", ["matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag"]
)
def test_diagonals_of_strings(name):
    with tf.Graph().as_default(), tf.Session() as session:
        x = fed(tf.string)
        more = {"matrix_band_part": [0, 0], "matrix_set_diag": [x]}.get(name, [])
        with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered"):
            session.run(getattr(tf, name)(x, *more))


def test_in_a_loop_that_never_runs():
    with tf.Graph().as_default():
        x = tf.placeholder_with_default([[[[1.0]]]], None)
        y = tf.while_loop(
            lambda i: i < 0,
            lambda i: tf.cast(tf.size(conv2d_of(x)), tf.int32) + i,
            [tf.placeholder(tf.int32)],
        )
        with tf.Session() as session:
            with pytest.raises(
                tf.errors.InvalidArgumentError, match="does not yet support strides"
            ):
                session.run(y)


def conv2d_of(x):
    return raw.Conv2D(input=x, filter=x, strides=TWO, padding="SAME")
