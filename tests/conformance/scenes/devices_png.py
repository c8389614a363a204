"""Handmade PNG files: every kind of the format, valid and damaged."""

import struct
import zlib

import numpy as np

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PASSES = [(0, 0, 8, 8), (0, 4, 8, 8), (4, 0, 8, 4), (0, 2, 4, 4), (2, 0, 4, 2), (0, 1, 2, 2)]
_PASSES.append((1, 0, 2, 1))
_PALETTE = bytes((n * 37 + 11) % 256 for n in range(48))
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _chunk(kind, content):
    checksum = zlib.crc32(content, zlib.crc32(kind))
    return struct.pack(">I4s", len(content), kind) + content + struct.pack(">I", checksum)


def _numbers(rows, columns, channels, depth):
    most = 1 << depth
    count = rows * columns * channels
    return [(n * n * 7919 + n * 101 + 5) % 65521 * most // 65521 for n in range(count)]


def _lines(numbers, rows, columns, channels, depth, filters=(0,)):
    """Image lines in PNG's encoding, unfiltered whatever the declared filter."""
    made = []
    for row in range(rows):
        line = numbers[row * columns * channels : (row + 1) * columns * channels]
        bits = "".join(format(n, f"0{depth}b") for n in line)
        bits += "0" * (-len(bits) % 8)
        made.append(bytes([filters[row % len(filters)]]))
        made.append(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)))
    return b"".join(made)


def _png(colour, depth, rows=3, columns=5, interlaced=False, filters=(0,), **options):
    channels = _CHANNELS[colour]
    depth_of_numbers = min(depth, 4) if colour == 3 else depth
    numbers = _numbers(rows, columns, channels, depth_of_numbers)
    if interlaced:
        array = np.array(numbers).reshape(rows, columns, channels)
        parts = [array[t::d, left::a] for t, left, d, a in _PASSES]
        raw = b"".join(
            _lines(p.ravel().tolist(), *p.shape[:2], channels, depth, filters)
            for p in parts
            if p.size
        )
    else:
        raw = _lines(numbers, rows, columns, channels, depth, filters)
    raw = options.get("raw", raw)
    header = [columns, rows, depth, colour, 0, 0, int(interlaced)]
    for place, value in options.get("header", {}).items():
        header[place] = value
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", *header))]
    if colour == 3:
        chunks.append((b"PLTE", options.get("palette", _PALETTE)))
    if "hidden" in options:
        chunks.append((b"tRNS", options["hidden"]))
    chunks += options.get("more", [])
    packed = zlib.compress(raw)
    pieces = options.get("pieces", 1)
    step = -(-len(packed) // pieces)
    chunks += [(b"IDAT", packed[at : at + step]) for at in range(0, len(packed), step)]
    chunks.append((b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(*chunk) for chunk in chunks)


class _Decoded:
    """Records how several ops decode the same bytes."""

    def __init__(self, tf, stage, session, ops):
        self.stage, self.session = stage, session
        self.data = tf.placeholder(tf.string, [])
        self.ops = [op(self.data) for op in ops]

    def __call__(self, *words, **files):
        for name, data in files.items():
            for op in self.ops:
                self.stage.say(*words, name, op.name)
                self.stage.attempt(self._of, op, data)

    def _of(self, op, data):
        value = self.session.run(op, {self.data: data})
        return (value.shape, value.dtype.name, value.ravel().tolist())


def _png_ops(tf, counts, kinds=("uint8",)):
    return [
        lambda x, n=n, k=k: tf.image.decode_png(x, n, k, name=f"to_{n}_{k}")
        for n in counts
        for k in kinds
    ]


def png_of_each_kind(tf, stage):
    with tf.Session() as session:
        as_bytes = _Decoded(tf, stage, session, _png_ops(tf, [0, 1, 3, 4]))
        words = _Decoded(tf, stage, session, _png_ops(tf, [0, 1], ["uint16"]))
        for colour in _CHANNELS:
            for depth in _DEPTHS[colour]:
                as_bytes(colour, depth, plain=_png(colour, depth))
                if depth in (2, 16) or colour == 3:
                    words(colour, depth, plain=_png(colour, depth))


def png_interlaced_and_filtered(tf, stage):
    with tf.Session() as session:
        decoded = _Decoded(tf, stage, session, _png_ops(tf, [0]))
        words = _Decoded(tf, stage, session, _png_ops(tf, [0], ["uint16"]))
        for colour in _CHANNELS:
            for depth in _DEPTHS[colour]:
                decoded(colour, depth, interlaced=_png(colour, depth, 3, 6, interlaced=True))
        for rows, columns in ((1, 1), (1, 4), (5, 1), (2, 9)):
            file = {"small": _png(2, 8, rows, columns, interlaced=True)}
            decoded(rows, columns, **file)
            words(rows, columns, wide=_png(0, 16, rows, columns, interlaced=True))
        for colour, depth in ((0, 1), (0, 8), (2, 8), (4, 16), (6, 16)):
            decoded(colour, depth, filtered=_png(colour, depth, 6, 3, filters=(4, 1, 2, 3, 0, 4)))
        decoded(filtered_passes=_png(2, 16, 4, 4, True, (2, 4, 3, 1)))
        decoded(pieces=_png(2, 8, pieces=4), pieces_wide=_png(2, 16, pieces=3))


def png_with_transparent_colors(tf, stage):
    first = {
        (c, d): _numbers(3, 5, _CHANNELS[c], min(d, 4) if c == 3 else d)
        for c in _DEPTHS
        for d in _DEPTHS[c]
    }
    with tf.Session() as session:
        decoded = _Decoded(tf, stage, session, _png_ops(tf, [0, 1, 3, 4]))
        words = _Decoded(tf, stage, session, _png_ops(tf, [4], ["uint16"]))
        for colour in (0, 2):
            for depth in _DEPTHS[colour]:
                count = _CHANNELS[colour]
                hidden = struct.pack(f">{count}H", *first[colour, depth][count : 2 * count])
                decoded(colour, depth, hidden=_png(colour, depth, hidden=hidden))
                words(colour, depth, hidden=_png(colour, depth, hidden=hidden))
        decoded(palette=_png(3, 4, hidden=bytes([0, 100, 200])), bits=_png(3, 1, hidden=b"\x80"))
        decoded(short_palette=_png(3, 4, palette=_PALETTE[:12]))


def png_interlaced_of_more_rows_than_passes(tf, stage):
    with tf.Session() as session:
        decoded = _Decoded(tf, stage, session, _png_ops(tf, [0]))
        words = _Decoded(tf, stage, session, _png_ops(tf, [0, 4], ["uint16"]))
        for rows, columns in ((9, 3), (11, 4), (13, 2), (19, 3), (4, 17), (3, 10), (17, 9)):
            file = {"tall": _png(0, 16, rows, columns, True)}
            words(rows, columns, **file)
            decoded(rows, columns, **file)
        for colour in (2, 4, 6):
            filters = (4, 1, 3, 0, 2)
            words(colour, wide=_png(colour, 16, 12, 3, True, filters))
            words(colour, plain=_png(colour, 16, 11, 3, False, filters))
        for colour, depth in ((0, 1), (0, 2), (0, 4), (3, 1), (3, 2), (3, 8), (2, 8), (4, 8)):
            decoded(colour, depth, tall=_png(colour, depth, 18, 5, True, (0, 2)))
        decoded(less=_png(0, 16, 12, 3, True, raw=b"\0" * 80))
        decoded(hidden=_png(0, 16, 12, 2, True, hidden=b"\0\5"))


def png_that_is_wrong(tf, stage):
    good = _png(2, 8)
    more = [(b"tEXt", b"Title\0mine"), (b"gAMA", struct.pack(">I", 45455))]
    wrong = {
        "empty": b"",
        "signature": good[:8],
        "cut_header": good[:20],
        "before_data": good[:33],
        "cut": good[:-20],
        "no_end": good[:-12],
        "cut_end": good[:-1],
        "behind": good + b"more",
        "text": b"\x89PNG" + b"x" * 40,
        "checksum": good.replace(b"IDAT", b"IDAS"),
        "no_rows": _png(2, 8, header={1: 0}),
        "no_columns": _png(2, 8, header={0: 0}),
        "depth": _png(2, 8, header={2: 4}),
        "depth_three": _png(0, 8, header={2: 3}),
        "colour": _png(2, 8, header={3: 5}),
        "compression": _png(2, 8, header={4: 1}),
        "filtering": _png(2, 8, header={5: 1}),
        "interlace": _png(2, 8, header={6: 2}),
        "large": _png(2, 8, header={0: 1 << 27}),
        "large_rows": _png(0, 8, header={1: 1 << 28}),
        "large_both": _png(0, 8, header={0: 1 << 15, 1: 1 << 15}),
        "no_palette": _png(2, 8, header={3: 3}),
        "more_chunks": _png(2, 8, more=more),
        "two_pixels_less": _png(2, 8, raw=b"\0" * 30),
        "two_pixels_less_wide": _png(2, 16, raw=b"\0" * 30),
        "too_much": _png(0, 8, raw=b"\0" * 300),
        "not_zlib": good.replace(b"\x78\x9c", b"\x00\x00"),
    }
    with tf.Session() as session:
        ops = _png_ops(tf, [0, 3], ["uint8"])
        decoded = _Decoded(tf, stage, session, ops)
        for name, data in wrong.items():
            if name not in ("checksum", "not_zlib"):
                decoded(**{name: data})
    stage.attempts(
        lambda: tf.image.decode_png("", 2),
        lambda: tf.image.decode_png("", 5),
        lambda: tf.image.decode_png("", -1),
        lambda: tf.image.decode_png("", dtype=tf.int32),
        lambda: tf.image.decode_png([""]),
        lambda: [tf.image.decode_png("", n).shape for n in (0, 1, 3, 4)],
    )


def png_written(tf, stage):
    sizes = [(1, 1, 1), (3, 2, 3), (0, 3, 1), (2, 0, 1), (2, 3, 4), (2, 2, 2), (4, 5, 3)]
    x8, x16 = (tf.placeholder(k, None) for k in (tf.uint8, tf.uint16))
    data = tf.placeholder(tf.string, [])
    read = {x.dtype: tf.image.decode_png(data, 0, x.dtype) for x in (x8, x16)}
    with tf.Session() as session:
        for size in sizes + [(2, 3, 5), (2, 3), (2, 3, 0), (1, 2, 3, 1)]:
            for x in (x8, x16):
                numbers = np.array(_numbers(1, int(np.prod(size)), 1, 8), x.dtype.as_numpy_dtype)
                numbers = numbers.reshape(size) * (257 if x is x16 else 1)
                with stage.failing():
                    written = session.run(tf.image.encode_png(x), {x: numbers})
                    stage.say(size, x.dtype, written[:33])
                    again = session.run(read[x.dtype], {data: written})
                    stage.say(again.ravel().tolist() == numbers.ravel().tolist())
        smooth = np.add.outer(np.arange(40), np.arange(0, 90, 3))[..., None].astype(np.uint8)
        for level in (-1, 0, 1, 6, 9):
            written = session.run(tf.image.encode_png(smooth, level))
            stage.say(level, len(written) > 1000, written[16:29])
    stage.attempts(
        lambda: tf.image.encode_png(smooth, 10),
        lambda: tf.image.encode_png(smooth, compression=-2),
        lambda: tf.image.encode_png(smooth, compression=9, name="own").op.get_attr("compression"),
        lambda: tf.image.encode_png(smooth.astype("f")),
    )


def png_with_chunks_twice_or_out_of_place(tf, stage):
    other = bytes(range(48))
    end = _chunk(b"IEND", b"")
    good = _png(3, 4)
    files = {
        "palette_twice": _png(3, 4, more=[(b"PLTE", other)]),
        "long_palette": _png(3, 2, palette=_PALETTE),
        "uneven_palette": _png(3, 2, palette=_PALETTE[:13]),
        "hidden_long": _png(3, 2, hidden=bytes(range(0, 200, 40))),
        "hidden_and_alpha": _png(4, 8, hidden=b"\0\5"),
        "hidden_short": _png(2, 8, hidden=b"\0\5"),
        "hidden_grey_long": _png(0, 8, hidden=b"\0\5\0\0"),
        "hidden_all": _png(3, 2, hidden=bytes(range(0, 160, 40))),
        "one_color": _png(3, 1, palette=b"abc", hidden=b"\7"),
        "grey_with_palette": _png(2, 8, more=[(b"PLTE", other)]),
        "large_palette": _png(3, 8, header={0: 1 << 14, 1: 1 << 13}),
        "large_less": _png(3, 8, header={0: 1 << 14, 1: (1 << 13) - 1}),
        "large_alpha": _png(6, 8, header={0: 1 << 14, 1: 1 << 13}),
        "large_grey": _png(0, 8, header={0: 1 << 15, 1: 1 << 14}),
        "end_twice": good + end,
        "private": _png(2, 8, more=[(b"prVt", b"mine")]),
        "time": _png(0, 8, more=[(b"tIME", bytes([7, 208, 1, 1, 0, 0, 0]))]),
        "background": _png(0, 8, more=[(b"bKGD", b"\0\3")]),
        "few_bits": _png(0, 8, more=[(b"sBIT", b"\5")]),
        "sizes": _png(0, 8, more=[(b"pHYs", struct.pack(">IIB", 3, 7, 1))]),
    }
    with tf.Session() as session:
        decoded = _Decoded(tf, stage, session, _png_ops(tf, [0, 1, 4]))
        for name, data in files.items():
            decoded(**{name: data})
