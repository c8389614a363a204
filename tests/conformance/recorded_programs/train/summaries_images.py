"""tf.summary.image: the pixels of the PNG files, by dtype and range, and the tags."""

import struct
import zlib

import numpy as np

REPLAYABLE = False


def build(tf):
    x = tf.placeholder(tf.float32, [None, 2, 3, 1], name="x")
    grid = np.arange(2 * 3 * 4 * 3).reshape(2, 3, 4, 3)
    tf.summary.image("fed", x)
    tf.summary.image("fed", x, max_outputs=1)
    with tf.name_scope("scope"):
        tf.summary.image("bytes", tf.constant(grid, tf.uint8), family="family")
    tf.summary.image("halves", tf.constant(grid / 7.0, tf.float16), 9)
    tf.summary.image("doubles", tf.constant(grid / 7.0 - 3, tf.float64), collections=["mine"])
    opaque = np.random.RandomState(1).uniform(-1, 3, (1, 5, 7, 4)).astype("f")
    opaque[0, 1, 2, 3], opaque[0, 4, 4, 0], opaque[0, 0, 0, 1] = np.nan, np.inf, -np.inf
    tf.summary.image("opaque", tf.constant(opaque))
    grey = tf.raw_ops.ImageSummary(
        tag="grey", tensor=x, max_images=2, bad_color=tf.make_tensor_proto([9], tf.uint8)
    )
    smooth = np.add.outer(np.arange(40), np.arange(50))[None, :, :, None]
    tf.summary.image("smooth", tf.constant(smooth, tf.uint8))
    merged = tf.summary.merge_all()
    mine = tf.summary.merge_all("mine")
    values = [[[1], [2], [3]], [[4], [5], [6.5]]]
    return {
        "steps": [
            ("positive", pictures(tf, [merged, mine, grey], {x: [values, np.zeros((2, 3, 1))]})),
            ("negative", pictures(tf, [grey], {x: [np.negative(values), np.subtract(2, values)]})),
            (
                "tiny",
                pictures(tf, [grey], {x: [np.multiply(values, 1e-8), np.multiply(values, -1e-8)]}),
            ),
            (
                "bad",
                pictures(
                    tf,
                    [grey],
                    {
                        x: [
                            np.full((2, 3, 1), np.nan),
                            np.where(np.equal(values, 1), -np.inf, values),
                        ]
                    },
                ),
            ),
            ("empty", pictures(tf, [grey], {x: np.zeros((0, 2, 3, 1))})),
        ]
    }


def pictures(tf, fetches, feeds):
    def run(sess):
        found = []
        for data in sess.run(fetches, feeds):
            for value in tf.Summary.FromString(data).value:
                image = value.image
                size = [image.height, image.width, image.colorspace]
                found.append([value.tag, size, pixels(image.encoded_image_string)])
        return found

    return run


def pixels(data):
    """The bytes of a PNG file's pixels, row by row."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at : at + 8])
        content = data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(
            kind + content
        )
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", content[:10])
        elif kind == b"IDAT":
            packed += content
        at += 12 + size
    assert bits == 8
    step = {0: 1, 2: 3, 6: 4}[colour]
    raw = bytearray(zlib.decompress(packed))
    stride = width * step
    above, rows = [0] * stride, []
    for row in range(height):
        kind, line = (
            raw[row * (stride + 1)],
            list(raw[row * (stride + 1) + 1 : (row + 1) * (stride + 1)]),
        )
        for i in range(stride):
            left = line[i - step] if i >= step else 0
            corner = above[i - step] if i >= step else 0
            line[i] = (
                line[i]
                + [0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner)][kind]
            ) % 256
        above = line
        rows.append(line)
    return rows


def paeth(left, above, corner):
    """PNG's Paeth predictor: the one of three neighbours nearest to left + above - corner."""
    distances = [abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)]
    return [left, above, corner][distances.index(min(distances))]
