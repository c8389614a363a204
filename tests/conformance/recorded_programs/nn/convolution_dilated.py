"""Dilated filters: atrous_conv2d and its transpose, convolution, with_space_to_batch."""

import numpy as np


def gradients(tf, y, sources):
    found = tf.gradients(tf.reduce_sum(tf.square(y)), sources)
    return [grad for grad in found if grad is not None]


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(4)
    x = tf.placeholder(tf.float32, [None, 8, 7, 2], name="x")
    open_ = tf.placeholder(tf.float32, [None, None, None, 2], name="open")
    w = tf.get_variable("w", [3, 2, 2, 4])
    outputs = [
        nn.atrous_conv2d(x, w, 2, "SAME"),
        nn.atrous_conv2d(x, w, 1, "VALID", name="near"),
        nn.atrous_conv2d(x, w, rate=3, padding="VALID", name="far"),
        nn.convolution(x, w, "SAME"),
        nn.convolution(x, w, "VALID", strides=[2, 1], data_format="NHWC"),
        nn.convolution(x, filter=None, filters=w, padding="SAME", dilations=[1, 2], name="wide"),
        nn.convolution(open_, w, "SAME", dilation_rate=[2, 3]),
        nn.convolution(open_, w, "VALID", dilation_rate=2),
    ]
    rate = tf.placeholder_with_default([2, 2], [2], name="rate")

    def pooled(blocks, count, padding):
        return nn.max_pool(blocks, [1, 2, 2, 1], [1, 1, 1, 1], padding) * float(count)

    outputs += [
        nn.with_space_to_batch(x, [2, 2], "VALID", pooled),
        nn.with_space_to_batch(x, [2, 1], "SAME", pooled, filter_shape=[2, 2]),
        nn.with_space_to_batch(x, [1, 1], "SAME", pooled),
        nn.with_space_to_batch(x, rate, "VALID", pooled),
        nn.with_space_to_batch(x, rate, "SAME", pooled, filter_shape=tf.constant([2, 2])),
        nn.with_space_to_batch(x, [2], "VALID", lambda b, n, p: b + 1.0, spatial_dims=[2]),
        nn.with_space_to_batch(x, [3, 2], "VALID", lambda b, n, p: b, spatial_dims=[1, 3]),
    ]
    first = [gradients(tf, y, [x, w]) for y in outputs[:6] + outputs[8:10]]
    second = [gradients(tf, g[1], [x, w]) for g in first[:3]]
    small = tf.placeholder(tf.float32, [None, 6, 5, 4], name="small")
    batch = tf.shape(small)[0]
    larger = [
        nn.atrous_conv2d_transpose(small, w, [2, 6, 5, 2], 2, "SAME"),
        nn.atrous_conv2d_transpose(small, w, (2, 10, 7, 2), 2, "VALID", name="larger"),
        nn.atrous_conv2d_transpose(small, w, tf.stack([batch, 12, 8, 2]), 3, "VALID"),
        nn.atrous_conv2d_transpose(small, w, [2, 6, 5, 2], 1, "SAME"),
        nn.conv_transpose(small, w, [2, 12, 10, 2], 2),
        nn.conv_transpose(small, w, tf.constant([2, 8, 6, 2]), 1, "VALID", "NHWC", name="nd"),
    ]
    down = [gradients(tf, y, [small, w]) for y in larger[:2]]
    feed = {x: rng.randn(2, 8, 7, 2), open_: rng.randn(1, 6, 7, 2), small: rng.randn(2, 6, 5, 4)}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("first", first, feed),
        ("second", second, feed),
        ("larger", [larger, down], feed),
    ]
    kernel = tf.placeholder(tf.float32, [None, 3, 2, 4], name="kernel")
    shapes = [
        nn.atrous_conv2d(open_, kernel, 2, "VALID"),
        nn.convolution(tf.zeros([1, 2, 9, 8]), w, "SAME", dilation_rate=[2, 2], data_format="NCHW"),
        nn.convolution(tf.zeros([1, 2, 9, 8]), w, "VALID", strides=2, data_format="NCHW"),
        nn.atrous_conv2d_transpose(
            small, tf.placeholder(tf.float32, [3, 3, None, 4]), [1, 6, 5, 2], 2, "SAME"
        ),
        nn.convolution(
            tf.zeros([1, 5, 5, 5, 2]), tf.zeros([2, 2, 2, 2, 3]), "SAME", dilations=[2, 1, 2]
        ),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
