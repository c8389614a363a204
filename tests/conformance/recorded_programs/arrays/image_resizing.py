"""tf.image.resize_*: methods, static and unknown sizes, preserved aspect ratios, gradients."""

import numpy as np

TOLERANCE = 2e-5  # sums over many pixels, in another summation order


def build(tf):
    image = tf.image
    rng = np.random.RandomState(11)
    x = tf.placeholder(tf.float32, [None, 6, 9, 3], name="x")
    one = tf.placeholder(tf.uint8, [None, None, 2], name="one")
    size = tf.placeholder(tf.int32, [2], name="size")
    batch = tf.placeholder(tf.float32, [None, None, None, None], name="batch")
    names = ("BILINEAR", "NEAREST_NEIGHBOR", "BICUBIC", "AREA")
    methods = [getattr(image.ResizeMethod, name) for name in names]
    results = []
    for method in methods:
        results.append(image.resize_images(x, [4, 5], method))
        results.append(image.resize_images(x, size, method, align_corners=True))
    results += [
        image.resize_images(one, (7, 8)),
        image.resize_images(one, size, "nearest", name="named"),
        image.resize(x, [6, 9]),
        image.resize(x, tf.stack([size[0], 5])),
        image.resize_images(x, [12, 12], preserve_aspect_ratio=True),
        image.resize_images(one, [5, 20], 2, preserve_aspect_ratio=True),
        image.resize_image_with_pad(x, 10, 10),
        image.resize_image_with_pad(one, 8, 20, 1),
        image.resize_image_with_pad(batch, 8, 20, align_corners=True),
        image.resize_bilinear(x, [13, 7], half_pixel_centers=True),
        image.resize_bicubic(x, [13, 7], half_pixel_centers=True, name="cubic"),
        image.resize_nearest_neighbor(x, [13, 7], half_pixel_centers=True),
        image.resize_area(x, [3, 7], name="area"),
    ]
    first = []
    for number in (0, 1, 2, 3, 4, 5, 17, 18, 19):
        loss = tf.reduce_sum(tf.square(results[number]))
        first.append(tf.gradients(loss, [x])[0])
    of_batch = tf.gradients(image.resize_nearest_neighbor(batch, [3, 3]), [batch])[0]
    feed = {
        x: rng.rand(2, 6, 9, 3) * 3,
        one: rng.randint(0, 256, (5, 4, 2)),
        size: [11, 4],
        batch: rng.rand(2, 5, 4, 1),
    }
    return {"steps": [("resized", results, feed), ("gradients", [*first, of_batch], feed)]}
