"""Image encoding and decoding: all PNG types, GIF, BMP, the shape of a JPEG; decoding by detected file type."""

import base64
import struct
import zlib

import numpy as np

# The nodes contain the files; decoded JPEG pixels would differ by a few units, because the cosine transform differs.
GIF = base64.b64decode(
    "R0lGODlhGQAUAIMAANLqnuDYe7DluYjg2tC+csmmXXW/yXyiprGMWICHg6NyTH52dVeHrFFynE9YhRxRrCH/C05F"
    "VFNDQVBFMi4wAwEAAAAh+QQJAAACACwAAAAAGQAUAAAI4wABCAxAkGCBgwcRKFjIUMGChwkEDCwYgADChA0dPlwQ"
    "USAAihUvKmy4MUFHjxQtIkQwUiPHBAcESERJUGXCliVhypz5saBNlgpzHogp02PPkDdZQkzAoOmAnUZrqgS6lKnT"
    "p0UHEth6M2fTqzt5brWolOOCBg2+MhjANqzAsSxNQkSrlm3bsFwRmEzwEG3ar3ax7hy716zfv2sD7xxKoPBDB4e/"
    "GgiMdegBxw4go33AmYGByZ8/W3a8IHNmzqhDh7Z8me9j06hTqzbAWm5p0w5ic55d2/Xt07of8B69EXfu4AEBACH5"
    "BAkAAAIALAAAAAAMAAgAgtDroNvahK7nv9PDcNCnV6yOXX6EggAAAAg4AAEACEBwwAACCBEKHFjwIMICAgQSDGDQ"
    "IcSFDS0KiCixIoECEDkKrAgy5MaRBkEa2MgSQEqVAQEAIfkECQAAAgAsAAAAAAwACACC0+qc3diAr+e80sJyzaZY"
    "rI1ef4aDAAAACDkAAQgMQHDAAAIICwgEQDCAQYQEFC5s+DCigIkFDxYoIODiQIMaOXacaHCjyJEAQJrsyDLlAJMG"
    "AgIAOw=="
)


def chunk(kind, content):
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def png(pixels, depth, colour, *chunks):
    """A file of [rows, bytes] unfiltered lines."""
    rows, size = pixels.shape
    width = size * 8 // (depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour])
    header = struct.pack(">IIBBBBB", width, rows, depth, colour, 0, 0, 0)
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)
    parts = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(lines)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def bmp(pixels, bits, top_down):
    """A file of [rows, padded bytes] lines."""
    height, width = pixels.shape[0], pixels.shape[1] * 8 // bits
    height = -height if top_down else height
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, 0, 1, 1, 0, 0)
    head = b"BM" + struct.pack("<IHHI", 54 + pixels.size, 0, 0, 54)
    return head + info + pixels.tobytes()


def build(tf):
    image = tf.image
    rng = np.random.RandomState(16)

    def numbers(*shape):
        return rng.randint(0, 256, shape).astype("u1")

    palette = (b"PLTE", numbers(16, 3).tobytes())
    alphas = (b"tRNS", bytes([0, 100, 255]))
    files = [
        png(numbers(4, 5), 8, 0),
        png(numbers(4, 2), 1, 0),
        png(numbers(4, 3), 4, 3, palette),
        png(numbers(4, 3), 4, 3, palette, alphas),
        png(numbers(4, 15), 8, 2, (b"tRNS", bytes(6))),
        png(numbers(4, 10), 8, 4),
        png(numbers(4, 20), 8, 6),
        png(numbers(4, 10), 16, 0),
        png(numbers(4, 30), 16, 2),
        png(numbers(4, 40), 16, 6),
    ]
    decoded = []
    for file in files:
        for channels in (0, 1, 3, 4):
            decoded.append(image.decode_png(file, channels))
            decoded.append(image.decode_png(file, channels, dtype=tf.uint16))
    contents = tf.placeholder(tf.string, [], name="contents")
    any_file = [
        image.decode_image(contents),
        image.decode_image(contents, 3, tf.float32, expand_animations=False),
        image.is_jpeg(contents),
    ]
    bitmaps = [
        image.decode_bmp(bmp(numbers(3, 8), 8, False)),
        image.decode_bmp(bmp(numbers(3, 12), 24, True), 3),
        image.decode_bmp(bmp(numbers(2, 8), 32, False), name="bitmap"),
    ]
    small = tf.constant(numbers(9, 7, 3))
    wide = tf.constant(rng.randint(0, 65536, (5, 6, 4)), tf.uint16)
    round_trips = [
        image.decode_png(image.encode_png(small)),
        image.decode_png(image.encode_png(small[..., :1], compression=9)),
        image.decode_png(tf.image.encode_png(wide, name="wide"), dtype=tf.uint16),
        image.extract_jpeg_shape(tf.io.encode_jpeg(small, quality=80)),
        tf.io.extract_jpeg_shape(image.encode_jpeg(small[..., :1], "grayscale"), tf.int64),
        tf.shape(image.decode_jpeg(image.encode_jpeg(small), ratio=2)),
        tf.shape(image.decode_and_crop_jpeg(image.encode_jpeg(small), [1, 2, 4, 3], 1)),
        tf.shape(image.adjust_jpeg_quality(small, 50)),
        tf.shape(image.random_jpeg_quality(tf.cast(small, tf.float32) / 255, 20, 70, seed=2)),
        image.decode_gif(GIF),
    ]
    steps = [("decoded", decoded), ("bitmaps", bitmaps), ("round trips", round_trips)]
    for name, file in (("png", files[6]), ("gif", GIF), ("bmp", bmp(numbers(3, 12), 24, True))):
        steps.append((name, any_file, {contents: file}))
    return {"steps": steps}
