"""tf.nn.conv2d, its gradients of both orders, transposed convolution, static shapes, a small network."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(2)
    x = tf.placeholder(tf.float32, [None, 8, 7, 2], name="x")
    anything = tf.placeholder(tf.float32, None, name="anything")
    w = tf.get_variable("w", [3, 3, 2, 4])
    b = tf.get_variable("b", [4])
    one = [1, 1, 1, 1]
    outputs = [
        nn.conv2d(x, w, one, "SAME"),
        nn.conv2d(x, w, [1, 2, 2, 1], "VALID", name="steps"),
        nn.conv2d(x, filters=w, strides=2, padding="SAME", data_format=None),
        nn.conv2d(x, w, [2, 1], [[0, 0], [1, 0], [2, 3], [0, 0]], use_cudnn_on_gpu=False),
        nn.conv2d(x, w, None, "VALID", dilations=[2, 1]),
        nn.conv2d(x, w, one, "SAME", dilations=2),
        nn.conv2d(anything, w, one, "SAME"),
        nn.conv2d(anything, tf.ones([1, 1, 2, 1]), [3], "VALID"),
    ]
    sums = [tf.reduce_sum(tf.square(y)) for y in outputs[:4] + outputs[6:7]]
    first = [tf.gradients(s, [x if n < 4 else anything, w]) for n, s in enumerate(sums)]
    second = [tf.gradients(tf.reduce_sum(tf.square(g[1])), [w]) for g in first[:4]]
    second += [tf.gradients(tf.reduce_sum(tf.square(g[0])), [w]) for g in first[:4]]
    small = tf.placeholder(tf.float32, [None, 4, 4, 4], name="small")
    batch = tf.shape(small)[0]
    larger = [
        nn.conv2d_transpose(small, w, [2, 8, 8, 2], [1, 2, 2, 1]),
        nn.conv2d_transpose(small, w, tf.stack([batch, 9, 9, 2]), 2, "VALID", name="larger"),
        nn.conv2d_transpose(input=small, filters=w, output_shape=[batch, 4, 4, 2], strides=one),
    ]
    down = tf.gradients(tf.reduce_sum(tf.square(larger[1])), [small, w])
    direct = [
        nn.conv2d_backprop_input([2, 8, 7, 2], w, outputs[0], one, "SAME"),
        nn.conv2d_backprop_input(tf.shape(x), w, outputs[1], [1, 2, 2, 1], "VALID", name="direct"),
        nn.conv2d_backprop_filter(x, [3, 3, 2, 4], outputs[0], one, "SAME"),
        nn.conv2d_backprop_filter(
            x, tf.shape(w), outputs[3], [1, 2, 1, 1], [[0, 0], [1, 0], [2, 3], [0, 0]], name="last"
        ),
    ]
    hidden = nn.relu(nn.bias_add(outputs[1], b))
    logits = tf.layers.dense(tf.reshape(hidden, [-1, 3 * 3 * 4]), 3)
    labels = tf.placeholder(tf.int32, [None], name="labels")
    each = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    train = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(each))
    feed = {x: rng.randn(2, 8, 7, 2), labels: [0, 2], small: rng.randn(2, 4, 4, 4)}
    feed[anything] = rng.randn(1, 5, 5, 2)
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("first", first, feed),
        ("second", second, feed),
        ("larger", [larger, down], feed),
        ("direct", direct, feed),
    ]
    for number in range(3):
        steps += [(f"train {number}", train, feed), (f"loss {number}", each, feed)]
    unknown = tf.placeholder(tf.float32, [None, None, 4, None])
    kernel = tf.placeholder(tf.float32, [3, None, None, 5])
    sizes = tf.placeholder(tf.int32, [4])
    shapes = [
        nn.conv2d(unknown, kernel, one, "SAME"),
        nn.conv2d(unknown, kernel, one, "VALID"),
        nn.conv2d(unknown, w, [1, 1, 2, 1], "VALID"),
        nn.conv2d(anything, anything, one, "SAME"),
        nn.conv2d(x, anything, one, [[0, 0], [1, 1], [1, 1], [0, 0]]),
        nn.conv2d(tf.zeros([1, 2, 9, 9]), w, [2, 3], "SAME", data_format="NCHW"),
        nn.conv2d(tf.zeros([1, 4, 9, 9]), w, 2, "VALID", data_format="NCHW", dilations=[1, 2]),
        nn.conv2d(tf.zeros([1, 9, 9, 6]), tf.zeros([3, 3, 3, 4]), one, "SAME"),
        nn.conv2d_transpose(anything, w, sizes, 2),
        nn.conv2d_transpose(anything, w, tf.placeholder(tf.int32), 2),
        nn.conv2d_transpose(small, w, tf.shape(x), 2, data_format="NCHW"),
        nn.conv2d_backprop_filter(x, sizes, small, one, "SAME"),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
