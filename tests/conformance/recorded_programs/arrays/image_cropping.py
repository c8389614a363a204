"""Image cropping and padding: to boxes and sizes, static and unknown; crop_and_resize, its gradients; glimpses."""

import numpy as np


def build(tf):
    image = tf.image
    rng = np.random.RandomState(12)
    x = tf.placeholder(tf.float32, [2, 6, 9, 3], name="x")
    one = tf.placeholder(tf.uint8, [None, None, 3], name="one")
    batch = tf.placeholder(tf.float32, [None, 7, None, None], name="batch")
    unknown = tf.placeholder(tf.float32, None, name="unknown")
    n = tf.placeholder(tf.int32, [], name="n")
    results = [
        image.crop_to_bounding_box(x, 1, 2, 3, 4),
        image.crop_to_bounding_box(one, 0, n, 3, 2),
        image.crop_to_bounding_box(unknown, 1, 1, n, 2),
        image.pad_to_bounding_box(x, 1, 2, 9, 12),
        image.pad_to_bounding_box(one, n, 0, 9, 12),
        image.pad_to_bounding_box(unknown, 0, 1, 9, n + 10),
        image.resize_image_with_crop_or_pad(x, 4, 12),
        image.resize_image_with_crop_or_pad(one, 12, 4),
        image.resize_with_crop_or_pad(batch, n + 4, 5),
        image.resize_image_with_crop_or_pad(unknown, 5, 5),
        image.central_crop(x, 0.5),
        image.central_crop(x[0], 0.3),
        image.central_crop(one, 0.7),
        image.central_crop(batch, 0.4),
        image.central_crop(batch, 1.0),
        image.extract_glimpse(x, [3, 4], [[0.1, 0.2], [-0.3, 0.1]]),
        image.extract_glimpse(x, [3, 4], [[3.0, 4.0], [4.0, 5.0]], False, False, name="corner"),
        image.extract_patches(x, [1, 2, 3, 1], [1, 1, 2, 1], [1, 1, 1, 1], "SAME"),
    ]
    boxes = tf.constant(
        [[0, 0, 1, 1], [0.1, 0.2, 0.7, 0.9], [0.8, 0.7, 0.1, 0.3], [-0.2, 0.1, 0.5, 1.3]]
    )
    indices = [0, 1, 1, 0]
    crops = [
        image.crop_and_resize(x, boxes, indices, [3, 4]),
        image.crop_and_resize(x, boxes, crop_size=[3, 4], method="nearest", box_indices=indices),
        image.crop_and_resize(one[tf.newaxis], boxes, [0] * 4, [2, 2], extrapolation_value=0.5),
        image.crop_and_resize(batch, boxes, indices, [5, 1], name="cropped"),
    ]
    sums = [tf.reduce_sum(tf.square(crop)) for crop in crops]
    gradients = [
        *tf.gradients(sums[0], [x, boxes]),
        *tf.gradients(sums[1], [x, boxes]),
        *tf.gradients(sums[2], [boxes]),
        *tf.gradients(sums[3], [batch, boxes]),
        *tf.gradients(tf.reduce_sum(tf.square(results[6])), [x]),
    ]
    feed = {
        x: rng.rand(2, 6, 9, 3),
        one: rng.randint(0, 256, (5, 6, 3)),
        batch: rng.rand(2, 7, 6, 2),
        unknown: rng.rand(6, 7, 2),
        n: 3,
    }
    return {
        "steps": [("cut", results, feed), ("crops", crops, feed), ("gradients", gradients, feed)]
    }
