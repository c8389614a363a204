"""Image colour adjustments, flips and standardization; seeded random ones; the gradient of RGB to HSV."""

import numpy as np

TOLERANCE = 3e-5  # means of many pixels, in another summation order


def build(tf):
    image = tf.image
    rng = np.random.RandomState(14)
    tf.set_random_seed(5)
    x = tf.placeholder(tf.float32, [2, 6, 5, 3], name="x")
    one = tf.placeholder(tf.uint8, [None, None, 3], name="one")
    batch = tf.placeholder(tf.float32, [None, 4, None, 3], name="batch")
    unknown = tf.placeholder(tf.float32, None, name="unknown")
    k = tf.placeholder(tf.int32, [], name="k")
    results = [
        *[image.convert_image_dtype(one, d) for d in (tf.float32, tf.uint16, tf.int8, tf.uint8)],
        *[image.convert_image_dtype(x, d, saturate=True) for d in (tf.uint8, tf.float64)],
        image.convert_image_dtype(tf.cast(one, tf.int32), tf.uint8, True, name="converted"),
        image.rgb_to_hsv(x),
        image.hsv_to_rgb(x, name="rgb"),
        image.rgb_to_grayscale(one),
        image.rgb_to_grayscale(x),
        image.grayscale_to_rgb(x[..., :1]),
        image.grayscale_to_rgb(one[..., :1]),
        *[f(x) for f in (image.rgb_to_yiq, image.yiq_to_rgb, image.rgb_to_yuv, image.yuv_to_rgb)],
        image.adjust_brightness(one, 0.2),
        image.adjust_brightness(x, -0.3),
        image.adjust_contrast(one, 1.5),
        image.adjust_contrast(x, 0.5),
        image.adjust_gamma(x, 2.0, 1.5),
        image.adjust_gamma(one, tf.cast(k, tf.float32)),
        image.adjust_hue(one, 0.3),
        image.adjust_hue(x, -0.4),
        image.adjust_saturation(one, 2.0),
        image.adjust_saturation(x, 0.5),
        image.per_image_standardization(x),
        image.per_image_standardization(one),
        image.per_image_standardization(batch),
        image.flip_left_right(x),
        image.flip_up_down(one),
        image.flip_up_down(unknown),
        image.rot90(x),
        image.rot90(one, k),
        image.rot90(unknown, 2, name="turned"),
        image.transpose_image(x),
        image.transpose(one, name="swapped"),
    ]
    at_random = [
        image.random_flip_left_right(one),
        image.random_flip_up_down(x, seed=3),
        image.random_flip_up_down(unknown),
        image.random_brightness(one, 0.3),
        image.random_contrast(x, 0.2, 1.8),
        image.random_hue(x, 0.3, seed=7),
        image.random_saturation(one, 0.5, 2.0),
    ]
    gradients = tf.gradients(image.rgb_to_hsv(x) * x, [x])
    feed = {
        x: rng.rand(2, 6, 5, 3),
        one: rng.randint(0, 256, (4, 6, 3)),
        batch: rng.rand(3, 4, 3, 3) * 9,
        unknown: rng.rand(4, 3, 2),
        k: 3,
    }
    steps = [("recoloured", results, feed), ("gradient", gradients, feed)]
    return {"steps": steps + [(f"random {n}", at_random, feed) for n in range(3)]}
