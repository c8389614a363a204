"""Images changed, cut, padded and resized with options that are drawn, as in ops_drawn_arrays."""

from tests.conformance.scenes.ops_drawn_arrays import Draws


def _image(d, depth=None, rank=None):
    rows, columns = d.sizes(2, 2, 5)
    depth = depth or d.one(1, 2, 3)
    shape = (rows, columns, depth)
    if d.kind == "unknown":
        d.kind = "half"
    return d.x(*(shape if (rank or d.one(3, 4)) == 3 else (d.one(1, 2), *shape)))


def _turned(d):
    image = d.tf.image
    name = d.one("flip_left_right", "flip_up_down", "transpose_image", "rot90")
    x = _image(d)
    return image.rot90(x, d.one(0, 1, 2, 3, -1, 6)) if name == "rot90" else getattr(image, name)(x)


def _central(d):
    return d.tf.image.central_crop(_image(d), d.one(0.3, 0.5, 0.75, 1.0))


def _boxed(d):
    x = _image(d)
    place = d.ints(0, 3), d.ints(0, 3)
    size = d.ints(1, 7), d.ints(1, 7)
    name = d.one("pad_to_bounding_box", "crop_to_bounding_box")
    return getattr(d.tf.image, name)(x, *map(int, place), *map(int, size))


def _fitted(d):
    rows, columns = int(d.ints(1, 8)), int(d.ints(1, 8))
    return d.tf.image.resize_image_with_crop_or_pad(_image(d), rows, columns)


def _resized(d):
    x, size = _image(d), d.ints(1, 7, 2)
    size = d.one(size.tolist(), d.tf.constant(size, "int32"))
    return d.tf.image.resize_images(x, size, d.one(0, 1, 2, 3), d.flip(), d.flip())


def _resized_again(d):
    size, x = d.ints(1, 7, 2).tolist(), _image(d)
    methods = "bilinear", "nearest", "bicubic", "area", "lanczos3", "gaussian", "mitchellcubic"
    return d.tf.compat.v2.image.resize(x, size, d.one(*methods), d.flip(), d.flip())


def _letterboxed(d):
    rows, columns = int(d.ints(1, 7)), int(d.ints(1, 7))
    return d.tf.image.resize_image_with_pad(_image(d), rows, columns, d.one(0, 1))


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


def _measured(d):
    image = d.tf.image
    x = _image(d, rank=4)
    name = d.one(
        "total_variation", "sobel_edges", "image_gradients", "per_image_standardization", "psnr"
    )
    if name == "psnr":
        return image.psnr(x, x * 0.5, d.one(1.0, 255.0))
    return getattr(image, name)(x)


def _cut_out(d):
    x = _image(d, rank=4)
    boxes = d.t(d.ints(-1, 6, [2, 4]) / 4, "f")
    places, method = d.t([0, 0]), d.one("bilinear", "nearest")
    return d.tf.image.crop_and_resize(x, boxes, places, d.sizes(2), method, d.one(0, -1.5))


def turned_and_cut(tf, stage):
    Draws(tf, stage, 31).calls([_turned, _central, _boxed, _fitted], 8)


def resized(tf, stage):
    Draws(tf, stage, 32).calls([_resized, _resized_again, _letterboxed], 8)


def colours(tf, stage):
    Draws(tf, stage, 33).calls([_coloured, _adjusted, _converted], 8)


def measured(tf, stage):
    Draws(tf, stage, 34).calls([_measured, _cut_out], 8)
