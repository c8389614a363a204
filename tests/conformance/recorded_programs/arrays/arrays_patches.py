"""Image and volume patches: paddings, strides, rates, and their gradients."""

import numpy as np


def build(tf):
    x = tf.placeholder_with_default(np.arange(40.0).reshape(2, 5, 4, 1).astype("f"), [2, 5, 4, 1])
    y = tf.placeholder(tf.float64, name="y")
    v = tf.placeholder_with_default(
        np.arange(54.0).reshape(1, 3, 3, 3, 2).astype("f"), [None, 3, 3, 3, 2]
    )
    image, volume = tf.extract_image_patches, tf.extract_volume_patches
    ones = [1, 1, 1, 1]
    made = [
        image(x, [1, 2, 2, 1], ones, ones, "VALID"), image(x, [1, 3, 2, 1], [1, 2, 3, 1], ones, "SAME"),
        image(x, sizes=[1, 2, 2, 1], strides=ones, rates=[1, 2, 1, 1], padding="VALID", name="rates"),
        image(x, [1, 3, 3, 1], ones, [1, 2, 2, 1], "SAME"), image(y, [1, 2, 3, 1], ones, ones, "VALID"),
        image(x, [1, 6, 2, 1], ones, ones, "VALID"),
        image(tf.cast(x, tf.uint8), [1, 2, 2, 1], [1, 2, 2, 1], ones, "SAME"),
        volume(v, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID"),
        volume(v, [1, 2, 1, 3, 1], [1, 2, 2, 1, 1], "SAME", name="volumes"),
    ]  # fmt: skip
    grads = [tf.gradients(tf.square(made[n]), x) for n in range(4)]
    grads += [
        tf.gradients(made[4], y),
        tf.gradients(tf.square(made[7]), v),
        tf.gradients(made[8], v),
    ]
    feed = {y: np.arange(24.0).reshape(1, 3, 4, 2)}
    steps = [(f"{n} {t.name}", t, feed) for n, t in enumerate(made)] + [("gradients", grads, feed)]
    return {"facts": {"shapes": [str(t.shape) for t in made]}, "steps": steps}
