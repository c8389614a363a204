"""Pooling over one and three axes, of any rank, with window tensors, with argmax; gradients of both orders."""

import numpy as np


def gradients(tf, y, x):
    return tf.gradients(tf.reduce_sum(y * y * y), x)


def build(tf):
    nn = tf.nn
    rng = np.random.RandomState(9)
    x = tf.placeholder(tf.float32, [None, 9, 3], name="x")
    image = tf.placeholder(tf.float32, [None, 6, 7, 3], name="image")
    volume = tf.placeholder(tf.float32, [None, 5, 4, 6, 2], name="volume")
    lines = [
        nn.max_pool1d(x, 2, 2, "SAME"),
        nn.max_pool1d(x, [3], [1, 2, 1], "VALID", data_format=None, name="three"),
        nn.avg_pool1d(x, 2, 2, "SAME"),
        nn.avg_pool1d(x, [1, 3, 1], 1, "VALID", name="means"),
        nn.max_pool_v2(x, 2, 1, "SAME"),
        nn.avg_pool_v2(x, 2, 1, "SAME", name="second"),
        nn.pool(x, [2], "MAX", "SAME"),
        nn.pool(x, [3], "AVG", "VALID", strides=[2], name="any"),
        nn.pool(x, [2], "MAX", "VALID", dilation_rate=[2], data_format="NWC"),
    ]
    largest, places = nn.max_pool_with_argmax(image, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    counted = nn.max_pool_with_argmax(
        image, [1, 3, 2, 1], [1, 1, 2, 1], "VALID", name="counted", include_batch_in_index=True
    )
    sizes = tf.placeholder_with_default([1, 2, 2, 1], [4], name="sizes")
    fed = tf.raw_ops.MaxPoolV2(input=image, ksize=sizes, strides=[1, 2, 1, 1], padding="SAME")
    images = [
        nn.max_pool_v2(image, 2, 2, "SAME"),
        nn.avg_pool_v2(image, [2, 3], [1, 2, 2, 1], "VALID", "NHWC"),
        nn.pool(image, [2, 2], "MAX", "SAME", strides=[2, 1]),
        nn.pool(image, [2, 3], "AVG", "VALID", name="any2"),
        nn.pool(image, [2, 2], "MAX", "VALID", dilations=[1, 2]),
        largest,
        counted[0],
        fed,
    ]
    volumes = [
        nn.max_pool3d(volume, 2, 2, "SAME"),
        nn.max_pool3d(volume, [2, 1, 3], [1, 2, 1, 2, 1], "VALID", name="three3"),
        nn.avg_pool3d(volume, 2, 2, "SAME", data_format=None),
        nn.avg_pool3d(volume, [1, 2, 2, 2, 1], 1, "VALID", name="means3"),
        nn.max_pool_v2(volume, 2, 1, "SAME"),
        nn.avg_pool_v2(volume, 2, 1, "SAME"),
        nn.pool(volume, [2, 2, 2], "MAX", "SAME", strides=[2, 2, 1]),
        nn.pool(volume, [2, 2, 2], "AVG", "VALID", dilation_rate=[1, 2, 2]),
    ]
    first = [gradients(tf, y, x) for y in lines]
    first += [gradients(tf, y, image) for y in images]
    first += [gradients(tf, y, volume) for y in volumes]
    n = len(lines)
    second = [gradients(tf, g[0], x) for g in first[:4]]
    second += [gradients(tf, g[0], image) for g in first[n : n + 2]]
    third = [gradients(tf, g[0], volume) for g in first[-8:-4]]
    fourth = [gradients(tf, g[0], volume) for g in third[:3]]
    feed = {
        x: rng.randn(2, 9, 3),
        image: np.round(rng.randn(2, 6, 7, 3) * 2),
        volume: rng.randn(2, 5, 4, 6, 2),
    }
    steps = [
        ("lines", lines, feed),
        ("images", [images, places, counted[1]], feed),
        ("volumes", volumes, feed),
        ("first", first, feed),
        ("second", [second, third, fourth], feed),
    ]
    anything = tf.placeholder(tf.float32, None)
    open_ = tf.placeholder(tf.float32, [None, None, 6, None, 2])
    shapes = [
        nn.max_pool1d(tf.zeros([1, 3, 9]), 2, 2, "SAME", data_format="NCW"),
        nn.avg_pool1d(tf.placeholder(tf.float32, [2, None, 3]), 2, 2, "VALID"),
        nn.max_pool3d(anything, 2, 2, "SAME"),
        nn.avg_pool3d(open_, [1, 2, 3], 2, "VALID"),
        nn.max_pool3d(tf.zeros([1, 3, 9, 9, 9]), 2, [1, 2, 3], "SAME", data_format="NCDHW"),
        nn.pool(tf.zeros([1, 3, 9]), [2], "MAX", "SAME", data_format="NCW"),
        nn.pool(tf.zeros([1, 3, 9, 9]), [2, 2], "AVG", "VALID", data_format="NCHW"),
        *nn.max_pool_with_argmax(anything, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
        tf.raw_ops.MaxPoolV2(input=image, ksize=[1, 2, 2, 1], strides=[1, 3, 3, 1], padding="SAME"),
        fed,
    ]
    return {"facts": {"shapes": [str(y.shape) for y in shapes]}, "steps": steps}
