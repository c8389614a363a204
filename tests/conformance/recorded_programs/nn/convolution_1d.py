"""Convolution along one axis: conv1d, its gradients, its transpose, a small trained network."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(3)
    x = tf.placeholder(tf.float32, [None, 9, 2], name="x")
    anything = tf.placeholder(tf.float32, None, name="anything")
    w = tf.get_variable("w", [3, 2, 4])
    outputs = [
        nn.conv1d(x, w, 1, "SAME"),
        nn.conv1d(x, w, stride=[2], padding="VALID", name="steps"),
        nn.conv1d(input=x, filters=w, stride=[1, 3, 1], padding="SAME", data_format="NWC"),
        nn.conv1d(x, w, 2, "SAME", use_cudnn_on_gpu=False, data_format="NHWC"),
        nn.convolution(x, w, "SAME"),
        nn.convolution(x, w, "VALID", strides=[2], name="any"),
        nn.conv1d(x, w, 1, "VALID", dilations=2),
        nn.convolution(x, w, "SAME", dilation_rate=[2]),
        nn.convolution(x, w, "VALID", dilations=3, name="apart"),
    ]
    sums = [tf.reduce_sum(tf.square(y)) for y in outputs]
    first = [tf.gradients(s, [x, w]) for n, s in enumerate(sums) if n != 6]
    second = [tf.gradients(tf.reduce_sum(tf.square(g[1])), [x, w]) for g in first[:2] + first[6:]]
    small = tf.placeholder(tf.float32, [None, 5, 4], name="small")
    batch = tf.shape(small)[0]
    larger = [
        nn.conv1d_transpose(small, w, [2, 9, 2], 2),
        nn.conv1d_transpose(small, w, [batch, 11, 2], strides=[1, 2, 1], padding="VALID"),
        nn.conv1d_transpose(small, w, tf.stack([batch, 5, 2]), [1], name="same"),
        nn.conv_transpose(small, w, [2, 10, 2], 2),
        nn.conv_transpose(small, w, tf.constant([2, 9, 2]), [2], data_format="NWC", name="nd"),
    ]
    down = tf.gradients(tf.reduce_sum(tf.square(larger[1])), [small, w])
    hidden = nn.relu(outputs[1])
    logits = tf.layers.dense(tf.reshape(hidden, [-1, 16]), 3)
    labels = tf.placeholder(tf.int32, [None], name="labels")
    each = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_mean(each))
    feed = {x: rng.randn(2, 9, 2), small: rng.randn(2, 5, 4), labels: [0, 2]}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("first", first, feed),
        ("second", second, feed),
        ("larger", [larger, down], feed),
    ]
    for number in range(3):
        steps += [(f"train {number}", train, feed), (f"loss {number}", each, feed)]
    unknown = tf.placeholder(tf.float32, [None, None, 2])
    shapes = [
        nn.conv1d(anything, w, 1, "SAME"),
        nn.conv1d(unknown, w, 2, "VALID"),
        nn.conv1d(unknown, w, 2, "VALID", data_format="NWC", dilations=[1, 2, 1]),
        nn.conv1d(tf.zeros([1, 2, 9]), w, 2, "SAME", data_format="NCW"),
        nn.conv1d(tf.zeros([1, 2, 9]), w, 2, "SAME", data_format="NCHW"),
        nn.conv1d_transpose(tf.zeros([1, 4, 9]), w, [1, 2, 18], 2, data_format="NCW"),
        nn.conv1d_transpose(anything, w, tf.placeholder(tf.int32, [3]), 2),
        nn.convolution(unknown, w, "SAME", dilation_rate=[2]),
        nn.convolution(tf.zeros([1, 2, 9]), w, "SAME", dilation_rate=[2], data_format="NCW"),
        nn.convolution(anything, w, "SAME", dilation_rate=[2]),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
