"""Handmade image and sound files: GIF, BMP, JPEG and WAV, valid and damaged."""

import struct
import zlib

import numpy as np

from tests.conformance.scenes.devices_png import _PALETTE, _Decoded, _numbers, _png


def _packed(places, bits):
    """Codes in GIF's encoding, with the table cleared before it grows."""
    clear, text, count = 1 << bits, "", 0
    for place in places:
        if count == 0:
            text = format(clear, f"0{bits + 1}b") + text
        count = (count + 1) % ((1 << bits) - 2)
        text = format(place, f"0{bits + 1}b") + text
    text = format(clear + 1, f"0{bits + 1}b") + text
    text = "0" * (-len(text) % 8) + text
    data = bytes(int(text[at : at + 8], 2) for at in range(0, len(text), 8))[::-1]
    blocks = [data[at : at + 9] for at in range(0, len(data), 9)]
    return bytes([bits]) + b"".join(bytes([len(b)]) + b for b in blocks) + b"\0"


def _frame(places, left=0, top=0, palette=b"", interlaced=False, size=None):
    rows, columns = places.shape
    columns, rows = size or (columns, rows)
    flags = 0x40 if interlaced else 0
    if palette:
        flags |= 0x80 | (len(palette) // 3).bit_length() - 2
    head = b"," + struct.pack("<HHHHB", left, top, columns, rows, flags)
    return head + palette + _packed(places.ravel().tolist(), 3)


def _gif(*frames, palette=_PALETTE[:24], screen=(4, 3), version=b"GIF89a", end=b";"):
    flags = 0x80 | (len(palette) // 3).bit_length() - 2 if palette else 0
    head = version + struct.pack("<HHBBB", *screen, flags, 0, 0) + palette
    return head + b"".join(frames) + end


def gif_frames(tf, stage):
    places = np.arange(12).reshape(3, 4) % 8
    small, tall = places[:2, :2], np.arange(18).reshape(9, 2) % 7
    own = bytes(range(100, 124))
    control = b"!\xf9\x04\x09\x0a\x00\x02\x00"
    comment = b"!\xfe\x05hello\x03you\x00"
    plain = _gif(_frame(places))
    files = {
        "one": plain,
        "older": _gif(_frame(places), version=b"GIF87a"),
        "two": _gif(_frame(places), _frame(7 - places)),
        "inside": _gif(_frame(places), _frame(small, 1, 1), _frame(small + 2, 2, 1)),
        "outside": _gif(_frame(places), _frame(small, 3, 2)),
        "far": _gif(_frame(places), _frame(small, 9, 9)),
        "first_small": _gif(_frame(small, 1, 0), _frame(places)),
        "own_palette": _gif(_frame(places, palette=own), _frame(small)),
        "only_own": _gif(_frame(places, palette=own), palette=b""),
        "no_palette": _gif(_frame(places, palette=own), _frame(small), palette=b""),
        "screen": _gif(_frame(places), screen=(9, 9)),
        "small_screen": _gif(_frame(places), screen=(2, 2)),
        "interlaced": _gif(_frame(tall, interlaced=True), screen=(2, 9)),
        "extensions": _gif(control, _frame(places), comment, control, _frame(small)),
        "colours": _gif(_frame(places), palette=_PALETTE[:12]),
        "no_frame": _gif(),
        "only_comment": _gif(comment),
        "no_end": _gif(_frame(places), end=b""),
        "other_record": _gif(_frame(places), b"x"),
        "behind": plain + b"more",
        "cut": plain[:-6],
        "cut_palette": plain[:20],
        "cut_screen": plain[:9],
        "cut_place": plain[:42],
        "cut_version": b"GIF89",
        "other_version": plain.replace(b"89a", b"90a"),
        "no_rows": _gif(_frame(places, size=(4, 0))),
        "too_many_rows": _gif(_frame(places, size=(4, 4))),
        "too_few_rows": _gif(_frame(places, size=(4, 2))),
        "nothing": b"",
    }
    with tf.Session() as session:
        decoded = _Decoded(tf, stage, session, [lambda x: tf.image.decode_gif(x, name="gif")])
        decoded(**files)
        image = _Decoded(
            tf,
            stage,
            session,
            [
                lambda x: tf.image.decode_image(x, name="image"),
                lambda x: tf.image.decode_png(x, 0, name="png"),
                lambda x: tf.image.decode_jpeg(x, 3, name="jpeg"),
                lambda x: tf.image.decode_image(x, 1),
                lambda x: tf.image.decode_image(x, 4),
                lambda x: tf.image.decode_image(x, dtype=tf.uint16),
                lambda x: tf.image.decode_image(x, 3, tf.float32, expand_animations=False),
            ],
        )
        image(one=plain, two=files["two"], png=_png(6, 8, 1, 2))


def _bmp(rows=2, columns=3, bits=24, **header):
    channels = bits // 8
    step = -(-columns * channels // 4) * 4
    line = [
        bytes(_numbers(abs(rows), columns, channels, 8)[r * 9 : r * 9 + columns * channels])
        for r in range(abs(rows))
    ]
    pixels = b"".join(part.ljust(step, b"\0") for part in line)
    start = header.get("start", 54)
    head = b"BM" + struct.pack("<IHHI", 54 + len(pixels), 0, 0, start)
    head += struct.pack("<IiiHHIIiiII", 40, columns, rows, 1, bits, 0, 0, 0, 0, 0, 0)
    return head + pixels


def bmp(tf, stage):
    good = _bmp()
    files = {
        "grey": _bmp(bits=8),
        "plain": good,
        "alpha": _bmp(bits=32),
        "down": _bmp(-2),
        "one": _bmp(1, 1),
        "wide": _bmp(1, 4),
        "cut": good[:-1],
        "cut_line": good[:-4],
        "head": good[:30],
        "text": b"BN" + good[2:],
        "few": _bmp(bits=16),
        "start": _bmp(start=58),
        "start_far": _bmp(start=1000),
    }
    for name, data in files.items():  # an op remembers the number of channels of its first file
        with tf.Graph().as_default(), tf.Session() as session:
            ops = [lambda x, n=n: tf.image.decode_bmp(x, n, name=f"to_{n}") for n in (0, 1, 3, 4)]
            if name in ("plain", "few"):
                ops.append(lambda x: tf.image.decode_image(x, name="image"))
            _Decoded(tf, stage, session, ops)(**{name: data})
    stage.attempt(lambda: tf.image.decode_bmp("", 2))


def _wav(samples=(1, -1, 300, -32768), channels=1, rate=8000, **fields):
    a_sample = fields.get("a_sample", 2 * channels)
    size = fields.get("size", 16)
    kind = struct.pack(
        "<HHIIHH",
        fields.get("kind", 1),
        channels,
        rate,
        fields.get("a_second", rate * 2 * channels),
        a_sample,
        fields.get("bits", 16),
    ) + b"\0\0" * (size == 18)
    data = struct.pack(f"<{len(samples)}h", *samples)
    length = struct.pack("<I", fields.get("length", len(data)))
    body = (
        b"WAVEfmt "
        + struct.pack("<I", size)
        + kind
        + fields.get("before", b"")
        + b"data"
        + length
        + data
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body + fields.get("after", b"")


def wav(tf, stage):
    good = _wav()
    extra = b"LIST" + struct.pack("<I", 3) + b"abc"
    files = {
        "mono": good,
        "stereo": _wav(channels=2, rate=44100),
        "three": _wav(range(6), 3, 1),
        "longer_header": _wav(size=18),
        "header": _wav(size=17),
        "floats": _wav(kind=3),
        "no_channels": _wav(channels=0),
        "bits": _wav(bits=8),
        "a_sample": _wav(a_sample=4),
        "a_second": _wav(a_second=5),
        "before": _wav(before=extra),
        "after": _wav(after=extra),
        "cut_after": _wav(after=extra[:-1]),
        "cut_length": _wav(after=extra[:6]),
        "cut_name": _wav(after=extra[:3]),
        "large_chunk": _wav(before=b"LIST" + struct.pack("<I", 0x80000000)),
        "large_data": _wav(length=0x80000000),
        "too_long": _wav(length=10),
        "odd": _wav(length=7, samples=(1, 2, 3)),
        "empty": _wav([]),
        "no_data": good.replace(b"data", b"date"),
        "twice": _wav(after=b"data" + struct.pack("<I", 2) + b"\1\0"),
        "riff": b"RIFX" + good[4:],
        "wave": good.replace(b"WAVE", b"AVI "),
        "format": good.replace(b"fmt ", b"fmt_"),
        "cut_riff": good[:3],
        "cut_size": good[:6],
        "cut_format": good[:30],
        "cut_data": good[:-1],
        "nothing": b"",
    }
    data = tf.placeholder(tf.string, [])
    decode = tf.audio.decode_wav
    ops = [decode(data, name="wav"), decode(data, 2, name="two"), decode(data, 1, 3, name="three")]
    ops += [decode(data, desired_samples=0, name="none"), decode(data, 3, 6, "most")]
    with tf.Session() as session:
        for name, file in files.items():
            for op in ops[: 5 if name in ("mono", "three", "stereo", "empty") else 1]:
                stage.say(name)
                stage.attempt(session.run, op, {data: file})
        values = [
            [0.0],
            [1.0],
            [-1.0],
            [1.5],
            [-7.0],
            [0.5 / 32768],
            [-0.5 / 32768],
            [1.49 / 32768],
        ]
        values += [[np.inf], [-np.inf], [0.99999]]
        for samples, rate in ((values, 16000), ([[0.25, -0.25]], 1), (np.zeros([0, 1]), 7)):
            stage.attempt(session.run, tf.audio.encode_wav(samples, rate))
        fed = tf.placeholder_with_default([0.5], None)
        stage.attempt(session.run, tf.audio.encode_wav(fed, 3))
        stage.attempt(
            session.run, tf.audio.encode_wav([[0.5]], tf.placeholder_with_default([3], None))
        )
        stage.attempt(session.run, tf.audio.encode_wav([[0.5]], -3))
        stage.attempt(session.run, tf.audio.encode_wav(tf.zeros([2, 0]), 3))
    stage.attempts(
        lambda: decode(data, -2),
        lambda: decode(data, desired_samples=-2),
        lambda: [[x.shape for x in decode(data, *given)] for given in ((), (2,), (-1, 5), (1, 2))],
    )


def jpeg(tf, stage):
    """Single-color images, which every decoder reads identically, and their headers."""
    grey = np.full([9, 17, 1], 77, np.uint8)
    colour = np.full([16, 16, 3], [200, 100, 50], np.uint8)
    with tf.Session() as session:
        write = tf.image.encode_jpeg
        options = [
            {},
            {"quality": 0},
            {"quality": 100},
            {"progressive": True},
            {"optimize_size": True},
            {"chroma_downsampling": False},
            {"density_unit": "cm", "x_density": 7, "y_density": 70000},
            {"xmp_metadata": "some <xml>"},
            {"format": "rgb"},
            {"format": "grayscale"},
            {"name": "own"},
        ]
        files = {}
        for number, given in enumerate(options):
            for kind, image in (("grey", grey), ("colour", colour)):
                stage.say(kind, sorted(given.items()))
                with stage.failing():
                    files[kind, number] = session.run(write(image, **given))
                    stage.say(len(files[kind, number]), zlib.crc32(files[kind, number]))
        stage.attempts(
            lambda: session.run(write(np.zeros([3, 4, 2], np.uint8))),
            lambda: session.run(write(np.zeros([3, 4], np.uint8))),
            lambda: session.run(write(np.zeros([0, 4, 3], np.uint8)))[:2],
            lambda: write(colour, quality=101),
            lambda: session.run(write(colour, quality=-1)),
            lambda: write(colour, format="cmyk"),
            lambda: write(colour, density_unit="mm"),
            lambda: session.run(write(colour, xmp_metadata="x" * 70000))[:2],
        )
        read = tf.image.decode_jpeg
        one, gray = files["colour", 0], files["grey", 0]
        decoded = _Decoded(
            tf,
            stage,
            session,
            [
                lambda x: read(x, name="plain")[:2, :1],
                lambda x: read(x, 1)[:2, :1],
                lambda x: read(x, 3)[:2, :1],
                lambda x: read(x, ratio=2, name="half"),
                lambda x: read(x, ratio=4),
                lambda x: read(x, 1, 8),
                lambda x: read(x, dct_method="INTEGER_FAST", fancy_upscaling=False)[:1, :1],
                lambda x: tf.image.extract_jpeg_shape(x),
                lambda x: tf.image.extract_jpeg_shape(x, tf.int64, name="shape"),
                lambda x: tf.image.decode_and_crop_jpeg(x, [1, 2, 3, 4], 3),
                lambda x: tf.image.decode_and_crop_jpeg(x, [0, 0, 17, 4]),
                lambda x: tf.image.is_jpeg(x),
                lambda x: tf.image.decode_image(x)[:1, :1],
            ],
        )
        decoded(colour=one, grey=gray, progressive=files["colour", 3])
        size = one.index(b"\xff\xc0")
        padded = one[:20] + b"\xff\xff" + one[20:]
        filled = one[:2] + b"\xff\xfe" + struct.pack(">H", 6) + b"note" + one[2:]
        wrong = {
            "cut": one[:-40],
            "progressive": files["colour", 3][:-20],
            "head": one[:30],
            "start": one[:2],
            "text": b"\xff\xd8text" * 4,
            "no_rows": one[: size + 5] + b"\0\0" + one[size + 7 :],
            "comment": filled,
            "padded": padded,
            "scan_first": b"\xff\xd8" + one[one.index(b"\xff\xda") :],
        }
        few = _Decoded(
            tf,
            stage,
            session,
            [lambda x: read(x, name="few")[:1, :1], lambda x: tf.image.extract_jpeg_shape(x)],
        )
        few(**wrong)
        rest = _Decoded(
            tf,
            stage,
            session,
            [
                lambda x: read(x, try_recover_truncated=True)[:1, :1],
                lambda x: read(x, acceptable_fraction=0.1)[:1, :1],
            ],
        )
        rest(cut=one[:-20], whole=one)
    stage.attempts(
        lambda: read("", 2),
        lambda: read("", 4),
        lambda: read("", ratio=3),
        lambda: read("", dct_method="SLOW"),
    )


def gif_sizes(tf, stage):
    places = np.arange(12).reshape(3, 4) % 8
    wide = np.arange(300).reshape(15, 20) % 256
    colours = bytes((n * 53 + n // 7) % 256 for n in range(768))
    many = b"," + struct.pack("<HHHHB", 0, 0, 20, 15, 0x87) + colours
    many += _packed(wide.ravel().tolist(), 8)
    turned = b"," + struct.pack("<HHHHB", 0, 0, 20, 15, 0xC7) + colours
    turned += _packed((255 - wide).ravel().tolist(), 8)
    files = {
        "wider": _gif(_frame(places), _frame(np.arange(5).reshape(1, 5))),
        "taller": _gif(_frame(places), _frame(np.arange(4).reshape(4, 1))),
        "as_large": _gif(_frame(places), _frame(places[::-1], 1, 1)),
        "right": _gif(_frame(places, 1, 0)),
        "down": _gif(_frame(places, 0, 1)),
        "many_colours": _gif(many, palette=b"", screen=(20, 15)),
        "many_turned": _gif(many, turned, palette=b"", screen=(20, 15)),
        "frames": _gif(*[_frame((places + n) % 8, n % 3, n % 2) for n in range(0, 9, 3)]),
        "edge": _gif(_frame(places), _frame(places, 3, 2), _frame(places, 4, 3)),
        "interlaced": _gif(_frame(np.arange(17).reshape(17, 1) % 8, interlaced=True)),
    }
    with tf.Session() as session:
        ops = [lambda x: tf.image.decode_gif(x, name="gif")]
        ops.append(lambda x: tf.image.decode_image(x, 3, name="image"))
        _Decoded(tf, stage, session, ops)(**files)
