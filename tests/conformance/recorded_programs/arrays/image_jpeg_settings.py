"""JPEG files written with many settings, and read with those that are exact; pictures without pixels."""

import hashlib

import numpy as np


def build(tf):
    rows, columns = np.mgrid[0:21, 0:35]
    colours = [128 + 100 * np.sin(columns / 9), 128 + 90 * np.cos(rows / 7), columns * 7 + rows * 2]
    image = (np.stack(colours, -1) % 256).astype("uint8")
    contents = tf.placeholder(tf.string, [])
    read = [tf.image.decode_jpeg(contents, ratio=r, dct_method="INTEGER_ACCURATE") for r in (1, 2)]
    read += [tf.image.decode_jpeg(contents, ratio=ratio) for ratio in (4, 8)]
    steps = []

    def digests(file):
        def run(session):
            written = session.run(file)
            found = [written, *(a.tobytes() for a in session.run(read, {contents: written}))]
            return [hashlib.md5(data).hexdigest() for data in found]

        return run

    for quality in (10, 50, 95, 100):
        for small in (True, False):
            file = tf.image.encode_jpeg(
                image, quality=quality, chroma_downsampling=small, progressive=quality == 50
            )
            steps.append((f"{quality} {small}", digests(file)))
    steps.append(("grey", digests(tf.image.encode_jpeg(image[:, :, :1]))))

    fed = tf.placeholder(tf.uint8)
    files = [tf.image.encode_png(fed), tf.image.encode_jpeg(fed)]

    def refused(session):
        said = []
        for file in files:
            for shape in ([0, 3, 3], [3, 0, 1], [3, 3, 0]):
                try:
                    session.run(file, {fed: np.zeros(shape, "uint8")})
                except tf.errors.OpError as error:
                    said.append((type(error).__name__, error.message.split("\n")[0]))
        return said

    return {"steps": [*steps, ("without pixels", refused)]}
