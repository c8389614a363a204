"""Depthwise and separable convolution, their gradients of both orders, a small network."""

import numpy as np


def gradients(tf, y, sources):
    found = tf.gradients(tf.reduce_sum(tf.square(y)), sources)
    return [grad for grad in found if grad is not None]


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(6)
    one, two = [1, 1, 1, 1], [1, 2, 2, 1]
    x = tf.placeholder(tf.float32, [None, 7, 6, 3], name="x")
    w = tf.get_variable("w", [3, 3, 3, 2])
    thin = tf.get_variable("thin", [2, 3, 3, 1])
    points = tf.get_variable("points", [1, 1, 6, 4])
    outputs = [
        nn.depthwise_conv2d(x, w, one, "SAME"),
        nn.depthwise_conv2d(x, w, two, "VALID", name="steps"),
        nn.depthwise_conv2d(x, thin, one, "SAME", data_format="NHWC"),
        nn.depthwise_conv2d(x, w, one, "SAME", rate=[2, 2]),
        nn.depthwise_conv2d(x, thin, one, "VALID", dilations=[1, 2], name="apart"),
        nn.depthwise_conv2d_native(x, w, one, "SAME"),
        nn.depthwise_conv2d_native(x, thin, two, "SAME", dilations=[1, 2, 2, 1], name="native"),
        nn.separable_conv2d(x, w, points, one, "SAME"),
        nn.separable_conv2d(x, w, points, two, "VALID", name="both"),
        nn.separable_conv2d(x, w, points, one, "SAME", rate=[2, 3]),
    ]
    sources = [x, w, thin, points]
    first = [gradients(tf, y, sources) for y in outputs]
    second = [gradients(tf, g[0], sources) for g in first[:4] + first[7:8]]
    second += [gradients(tf, g[1], sources) for g in first[:2]]
    direct = [
        nn.depthwise_conv2d_native_backprop_input([2, 7, 6, 3], w, outputs[0], one, "SAME"),
        nn.depthwise_conv2d_backprop_input(tf.shape(x), w, outputs[1], two, "VALID", name="down"),
        nn.depthwise_conv2d_native_backprop_filter(x, [3, 3, 3, 2], outputs[0], one, "SAME"),
        nn.depthwise_conv2d_backprop_filter(x, tf.shape(w), outputs[1], two, "VALID"),
    ]
    features = tf.reduce_mean(nn.relu(outputs[8]), [1, 2])
    labels = tf.placeholder(tf.int32, [None], name="labels")
    each = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=features)
    train = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(each))
    feed = {x: rng.randn(2, 7, 6, 3), labels: [1, 3]}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("first", first, feed),
        ("second", second, feed),
        ("direct", direct, feed),
    ]
    for number in range(3):
        steps += [(f"train {number}", train, feed), (f"loss {number}", each, feed)]
    open_ = tf.placeholder(tf.float32, [None, None, None, 3])
    kernel = tf.placeholder(tf.float32, [3, 3, 3, None])
    anything = tf.placeholder(tf.float32, None)
    shapes = [
        nn.depthwise_conv2d(open_, w, one, "SAME"),
        nn.depthwise_conv2d(open_, w, one, "SAME", rate=[2, 2]),
        nn.depthwise_conv2d(open_, kernel, two, "VALID"),
        nn.depthwise_conv2d_native(anything, w, one, "SAME"),
        nn.depthwise_conv2d_native(anything, anything, one, "SAME"),
        nn.depthwise_conv2d(tf.zeros([1, 3, 9, 8]), w, [1, 1, 2, 2], "SAME", data_format="NCHW"),
        nn.separable_conv2d(tf.zeros([1, 3, 9, 8]), w, points, one, "SAME", data_format="NCHW"),
        nn.depthwise_conv2d_native_backprop_input(tf.placeholder(tf.int32), w, x, one, "SAME"),
        nn.depthwise_conv2d_native_backprop_filter(
            x, tf.placeholder(tf.int32, [4]), x, one, "SAME"
        ),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
