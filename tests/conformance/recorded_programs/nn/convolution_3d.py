"""Three-dimensional convolution: conv3d, its gradients of both orders, its transpose, a small network."""

import numpy as np


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(7)
    x = tf.placeholder(tf.float32, [None, 5, 6, 4, 2], name="x")
    w = tf.get_variable("w", [3, 2, 3, 2, 4])
    one = [1, 1, 1, 1, 1]
    outputs = [
        nn.conv3d(x, w, one, "SAME"),
        nn.conv3d(x, w, [1, 2, 2, 1, 1], "VALID", name="steps"),
        nn.conv3d(x, filters=w, strides=[1, 1, 3, 2, 1], padding="SAME", data_format="NDHWC"),
        nn.convolution(x, w, "VALID"),
        nn.convolution(x, w, "SAME", strides=[2, 1, 1], name="any"),
        nn.convolution(x, w, "SAME", dilation_rate=[1, 2, 2]),
    ]
    sums = [tf.reduce_sum(tf.square(y)) for y in outputs]
    first = [tf.gradients(s, [x, w]) for s in sums]
    second = [tf.gradients(tf.reduce_sum(tf.square(g[1])), [x, w]) for g in first[:2]]
    second += [tf.gradients(tf.reduce_sum(tf.square(g[0])), [x, w]) for g in first[:2]]
    small = tf.placeholder(tf.float32, [None, 3, 3, 2, 4], name="small")
    batch = tf.shape(small)[0]
    larger = [
        nn.conv3d_transpose(small, w, [2, 6, 6, 4, 2], 2),
        nn.conv3d_transpose(small, w, tf.stack([batch, 5, 4, 4, 2]), one, "VALID", name="larger"),
        nn.conv3d_transpose(None, None, [batch, 3, 6, 4, 2], [1, 2, 2], input=small, filters=w),
        nn.conv_transpose(small, w, [2, 3, 3, 2, 2], 1),
        nn.conv_transpose(small, w, tf.constant([2, 6, 6, 4, 2]), 2, data_format="NDHWC"),
    ]
    down = tf.gradients(tf.reduce_sum(tf.square(larger[1])), [small, w])
    direct = [
        nn.conv3d_backprop_filter_v2(x, [3, 2, 3, 2, 4], outputs[0], one, "SAME"),
        nn.conv3d_backprop_filter(
            x, tf.shape(w), outputs[1], [1, 2, 2, 1, 1], "VALID", name="last"
        ),
    ]
    features = tf.reduce_mean(nn.relu(outputs[1]), [1, 2, 3])
    labels = tf.placeholder(tf.int32, [None], name="labels")
    each = nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=features)
    train = tf.train.AdamOptimizer(0.01).minimize(tf.reduce_mean(each))
    feed = {x: rng.randn(2, 5, 6, 4, 2), small: rng.randn(2, 3, 3, 2, 4), labels: [1, 3]}
    steps = [
        ("initialize", tf.global_variables_initializer()),
        ("outputs", outputs, feed),
        ("first", first, feed),
        ("second", second, feed),
        ("larger", [larger, down, direct], feed),
    ]
    for number in range(3):
        steps += [(f"train {number}", train, feed), (f"loss {number}", each, feed)]
    open_ = tf.placeholder(tf.float32, [None, None, 6, None, 2])
    anything = tf.placeholder(tf.float32, None)
    shapes = [
        nn.conv3d(open_, w, one, "SAME"),
        nn.conv3d(open_, w, [1, 2, 2, 2, 1], "VALID"),
        nn.conv3d(anything, w, one, "VALID"),
        nn.conv3d(tf.zeros([1, 2, 9, 9, 9]), w, [1, 1, 1, 2, 3], "SAME", data_format="NCDHW"),
        nn.conv3d(tf.zeros([1, 9, 9, 9, 2]), w, one, "VALID", dilations=[1, 2, 3, 1, 1]),
        nn.conv3d(tf.zeros([1, 9, 9, 9, 4]), w, one, "VALID"),
        nn.conv3d_transpose(anything, w, tf.placeholder(tf.int32, [5]), 2),
        nn.conv3d_transpose(small, w, tf.placeholder(tf.int32), 2),
        nn.conv3d_transpose(anything, w, [1, 2, 9, 9, 9], 2, data_format="NCDHW"),
        nn.conv3d_backprop_filter_v2(x, tf.placeholder(tf.int32, [5]), small, one, "SAME"),
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
