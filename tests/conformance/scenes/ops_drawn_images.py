"""Images adjusted, cropped, padded and resized with random options, as in ops_drawn_arrays."""

from tests.conformance.scenes.ops_drawn_arrays import Draws


def _image(d, depth=None, rank=None):
    rows, columns = d.sizes(2, 2, 5)
    depth = depth or d.one(1, 2, 3)
    shape = (rows, columns, depth)
    if d.kind == "unknown":
        d.kind = "half"
    return d.x(*(shape if (rank or d.one(3, 4)) == 3 else (d.one(1, 2), *shape)))


def _coloured(d):
    image = d.tf.image
    name = d.one(
        "rgb_to_yuv", "yuv_to_rgb", "rgb_to_yiq", "yiq_to_rgb", "rgb_to_grayscale", "rgb_to_hsv"
    )
    x = d.tf.sigmoid(_image(d, 3))
    return getattr(image, name)(x)


def _adjusted(d):
    image = d.tf.image
    x = d.tf.sigmoid(_image(d, 3))
    if d.flip():
        x = image.convert_image_dtype(x, d.tf.uint8)
    name, by = d.one(
        ("brightness", 0.3), ("contrast", 1.75), ("hue", -0.4), ("saturation", 0.5), ("gamma", 2.0)
    )
    if name == "gamma":
        return image.adjust_gamma(x, by, d.one(1, 0.5))
    return getattr(image, "adjust_" + name)(x, by)


def _converted(d):
    image, tf = d.tf.image, d.tf
    kinds = tf.float32, tf.uint8, tf.int16, tf.float64, tf.int32, tf.uint16
    x = image.convert_image_dtype(tf.sigmoid(_image(d)), d.one(*kinds))
    return image.convert_image_dtype(x, d.one(*kinds), d.flip())


def colours(tf, stage):
    Draws(tf, stage, 33).calls([_coloured, _adjusted, _converted], 8)
