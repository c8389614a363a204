"""Image files: decoding of hand-written and Pillow's files, encoding checked by Pillow."""

import io
import struct
import zlib

import numpy as np
from PIL import Image

from tests.conformance.samples import Sample

RANDOM = np.random.RandomState(24)
RGB = RANDOM.randint(0, 256, (5, 4, 3)).astype("u1")
GREY = RGB[..., :1]
WORDS = RANDOM.randint(0, 65536, (6, 5, 3)).astype("u2")
SMOOTH = (np.add.outer(np.arange(24), 2 * np.arange(16))[..., None] + [0, 40, 80]).astype("u1")


def text(data):
    array = np.empty((), object)
    array[()] = data
    return array


def saved(pixels, kind, **settings):
    into = io.BytesIO()
    Image.fromarray(pixels).save(into, kind, **settings)
    return into.getvalue()


def chunk(kind, content):
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def filtered(pixels):
    """Each line with a different PNG filter, directly from its definition."""
    lines = pixels.astype(">u2").view("u1").reshape(len(pixels), -1).astype(int)
    step, above, parts = 2 * pixels.shape[2], np.zeros(lines.shape[1], int), []
    for number, line in enumerate(lines):
        found = []
        for at, value in enumerate(line):
            a = line[at - step] if at >= step else 0
            c = above[at - step] if at >= step else 0
            b, guess = above[at], a + above[at] - c
            paeth = min((abs(guess - a), 0, a), (abs(guess - b), 1, b), (abs(guess - c), 2, c))[2]
            found.append((value - (0, a, b, (a + b) // 2, paeth)[number % 5]) % 256)
        parts.append(bytes([number % 5, *found]))
        above = line
    return b"".join(parts)


def png16(pixels):
    header = struct.pack(">IIBBBBB", pixels.shape[1], len(pixels), 16, 2, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(filtered(pixels))), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def luma(rgb):
    return (rgb.astype(int) @ [9797, 19234, 3737] >> 15).astype(rgb.dtype)[..., None]


def read(data):
    array = np.asarray(Image.open(io.BytesIO(data)))
    return array.reshape(*array.shape[:2], -1)


def encoded(op, inputs, attrs, expect, note=""):
    """An op that writes a file: a decoder reads `expect` from it, within a few units for JPEG."""

    def build(tf):
        arguments = [tf.constant(value) for value in inputs]
        file = getattr(tf.raw_ops, op)
        names = {"EncodePng": ["image"], "EncodeJpeg": ["image"]}.get(op, ["images", "quality"])
        tensor = file(**dict(zip(names, arguments)), **attrs)
        return [lambda session: within(read(session.run(tensor)), expect, op)]

    return Sample(op, inputs, attrs, np.array(True), build=build, note=note)


def within(found, expect, op):
    few = 0 if op == "EncodePng" else 4
    return np.array(np.abs(found.astype(int) - expect).max() <= few)


JPEG = saved(SMOOTH, "JPEG", quality=95, subsampling=0)
PIXELS = read(JPEG)
GIF = saved(SMOOTH[:8, :8, 0], "GIF")
FRAMES = np.repeat(SMOOTH[None, :8, :8, :1], 3, axis=3)
BMP = saved(RGB, "BMP")
SAMPLES = [
    Sample("DecodePng", [text(saved(RGB, "PNG"))], {}, RGB, static=False),
    Sample(
        "DecodePng",
        [text(saved(RGB, "PNG"))],
        {"channels": 1},
        luma(RGB),
        static=False,
        note="grey",
    ),
    Sample(
        "DecodePng", [text(png16(WORDS))], {"dtype": "uint16"}, WORDS, static=False, note="16 bits"
    ),
    Sample(
        "DecodePng",
        [text(png16(WORDS))],
        {},
        (WORDS >> 8).astype("u1"),
        static=False,
        note="8 of 16 bits",
    ),
    Sample(
        "DecodePng",
        [text(saved(RGB, "PNG"))],
        {"channels": 4, "dtype": "uint16"},
        np.pad(RGB.astype("u2") * 257, ((0, 0), (0, 0), (0, 1)), constant_values=65535),
        static=False,
        note="alpha",
    ),
    Sample("DecodeJpeg", [text(JPEG)], {"dct_method": "INTEGER_ACCURATE"}, PIXELS, static=False),
    Sample("DecodeJpeg", [text(saved(RGB, "PNG"))], {}, RGB, static=False, note="of PNG"),
    Sample(
        "DecodeAndCropJpeg",
        [text(JPEG), np.array([3, 2, 10, 7], "i4")],
        {"dct_method": "INTEGER_ACCURATE"},
        PIXELS[3:13, 2:9],
        static=False,
    ),
    Sample(
        "DecodeAndCropJpeg",
        [text(JPEG), np.array([14, 9, 10, 7], "i4")],
        {"dct_method": "INTEGER_ACCURATE"},
        PIXELS[14:, 9:],
        static=False,
        note="up to both edges",
    ),
    Sample("ExtractJpegShape", [text(JPEG)], {}, np.array([24, 16, 3], "i4")),
    Sample("DecodeGif", [text(GIF)], {}, FRAMES, static=False),
    Sample("DecodeBmp", [text(BMP)], {"channels": 3}, RGB, static=False),
    encoded("EncodePng", [RGB], {}, RGB),
    encoded("EncodePng", [GREY], {"compression": 9}, GREY, "grey"),
    encoded("EncodeJpeg", [SMOOTH], {"quality": 100, "chroma_downsampling": False}, SMOOTH),
    encoded(
        "EncodeJpeg",
        [SMOOTH[..., :1]],
        {"progressive": True, "density_unit": "cm", "xmp_metadata": "<x/>"},
        SMOOTH[..., :1],
        "grey",
    ),
    encoded(
        "EncodeJpegVariableQuality", [SMOOTH[..., :1], np.array(97, "i4")], {}, SMOOTH[..., :1]
    ),
]
