"""Attrs that no kernel accepts are rejected before missing feeds are reported, with TensorFlow 1.15.5's messages."""

import re

import pytest

import tfmini as tf
from tests.support.gpu.gpus import fake_gpus
from tfmini._src.ops import raw_ops as raw

ONE, TWO = [1, 1, 1, 1], [2, 1, 1, 1]
DEPTHS = "Current implementation does not yet support strides in the batch and depth dimensions."
DILATED = (
    "Current libxsmm and customized CPU implementations do not yet support dilation rates larger "
    "than 1."
)


def fed(dtype=tf.float32):
    return tf.placeholder(dtype)


def conv2d_of(x):
    return raw.Conv2D(input=x, filter=x, strides=TWO, padding="SAME")


def gradient(kind, sizes, given, **attrs):
    inputs = {sizes: fed(tf.int32), given: fed(), "out_backprop": fed()}
    result = getattr(raw, f"Conv2DBackprop{kind}")
    return result(**inputs, strides=ONE, padding="SAME", **attrs)


REFUSED = {
    "strides": (lambda: conv2d_of(fed()), DEPTHS),
    "input's dilations": (
        lambda: gradient("Input", "input_sizes", "filter", dilations=[1, 2, 2, 1]),
        DILATED,
    ),
    "filter's format": (
        lambda: gradient("Filter", "filter_sizes", "input", data_format="NCHW"),
        "Conv2DCustomBackpropFilterOp only supports NHWC.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_invalid_attrs_are_rejected_before_feeds(case):
    build, message = REFUSED[case]
    with tf.Graph().as_default():
        result = tf.identity(build())
        with tf.Session() as session, pytest.raises(tf.errors.OpError) as caught:
            session.run(result)
    assert re.split("\n", caught.value.message)[0] == message
    assert caught.value.op is result.op.inputs[0].op


@pytest.mark.parametrize("case", ["input's dilations", "filter's format"])
def test_cpu_restrictions_do_not_apply_on_gpu(case):
    with fake_gpus(), tf.Graph().as_default(), tf.Session() as session, tf.device("/gpu:0"):
        with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
            session.run(REFUSED[case][0]())


@pytest.mark.parametrize(
    "name", ["matrix_band_part", "matrix_diag", "matrix_diag_part", "matrix_set_diag"]
)
def test_string_matrix_ops_are_rejected(name):
    with tf.Graph().as_default(), tf.Session() as session:
        x = fed(tf.string)
        more = {"matrix_band_part": [0, 0], "matrix_set_diag": [x]}.get(name, [])
        with pytest.raises(tf.errors.InvalidArgumentError, match="No OpKernel was registered"):
            session.run(getattr(tf, name)(x, *more))


def test_attrs_are_checked_in_unexecuted_loop():
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
