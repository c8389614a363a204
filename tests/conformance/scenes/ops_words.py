"""Strings: empty, non-text bytes, number limits, errors."""

import numpy as np

from tests.conformance.scenes import unknown

WORDS = ["a,b,,c", "", "  two  words ", "\u00e4\u00f6\u20ac", ",x,"]
BYTES = np.array([b"\xff\x00a", b"", b"\xe2\x82", b"\xe2\x82\xacz"], object)


def words(tf, stage):
    u, raw, s = unknown(tf), tf.raw_ops, tf.strings
    raw_of = lambda x, k, **o: tf.io.decode_raw(x, k, **o)  # noqa: E731

    def padded(x, n, k=tf.int16, **o):
        return raw.DecodePaddedRaw(
            input_bytes=u(x), fixed_length=u(np.array(n, "i")), out_type=k, **o
        )

    cut = lambda x, at, n, **k: raw.Substr(input=u(x), pos=u(at), len=u(n), **k)  # noqa: E731

    def joined(x, ids, n, **k):
        return raw.UnsortedSegmentJoin(inputs=u(x), segment_ids=u(ids), num_segments=u(n), **k)

    def decode(x=BYTES, e="UTF-8", **k):
        return raw.UnicodeDecodeWithOffsets(input=u(x), input_encoding=e, **k)

    across = lambda x, a="UTF-8", b="UTF-16-BE", **k: s.unicode_transcode(x, a, b, **k)  # noqa: E731

    def packed(points, splits, **k):
        return raw.UnicodeEncode(
            input_values=u(np.array(points, "i")),
            input_splits=u(np.array(splits, "i8")),
            **{"output_encoding": "UTF-8", **k},
        )

    stage.each(
        {
            "split_both": lambda: tf.string_split(WORDS, ",", delimiter=",", sep=","),
            "shown": lambda: [
                tf.as_string(x, p, c, h, w, f)
                for x in ([0.5, -1e-7, 1e20, np.nan, np.inf],)
                for p, c, h, w, f in (
                    (-1, False, False, -1, ""),
                    (2, False, False, 8, ""),
                    (3, True, False, 12, " "),
                    (2, False, True, 9, "0"),
                    (0, False, False, -1, ""),
                    (2, False, False, 7, "-"),
                    (2, False, False, -1, "+"),
                )
            ],
            "shown_kinds": lambda: (
                [
                    tf.as_string(np.array([-3, 7], k), width=5, fill=f)
                    for k in ("i1", "i2", "i", "i8")
                    for f in ("", "0", "-")
                ]
                + [
                    tf.as_string([True, False]),
                    tf.as_string([1 + 2.5j]),
                    tf.as_string(np.array([0.1], "d")),
                    tf.as_string(np.array([0.1], "d"), 17),
                ]
            ),
            "raw": lambda: (
                [
                    raw_of(["\x01\x02\x03\x04"] * 2, k, little_endian=e)
                    for k in (tf.uint8, tf.int16, tf.float32, tf.int32, tf.bool)
                    for e in (True, False)
                ]
                + [
                    raw_of(np.zeros([0], object), tf.int16),
                    raw_of([""], tf.int32),
                    tf.decode_raw(out_type=tf.uint8, bytes="ab"),
                ]
            ),
            "raw_nothing": lambda: tf.decode_raw("ab"),
            "raw_padded": lambda: [
                padded(["a", ""], 4, tf.uint8),
                padded(["abcd"], 4, tf.int32, little_endian=False),
                padded(["ab"], 2, tf.uint8),
            ],
            "raw_padded_uneven": lambda: padded(["ab"], 3),
            "raw_padded_static": lambda: raw.DecodePaddedRaw(
                input_bytes=["a"], fixed_length=3, out_type=tf.int16
            ),
            "compressed": lambda: [
                raw.DecodeCompressed(bytes=["plain"], compression_type=""),
                tf.io.decode_compressed([b"x\x9cKL\x04\x00\x01\xa1\x00\xc3"], "ZLIB"),
            ],
            "compressed_kind": lambda: tf.io.decode_compressed(["a"], "LZ"),
            "compressed_not": lambda: tf.io.decode_compressed([b"x\x9c\xff"], "ZLIB"),
            "cut_shapes": lambda: cut(["abc", "d"], [0, 0, 0], [1, 1, 1]),
            "cases_other": lambda: s.lower(["A"], "latin-1"),
            "reduced_far": lambda: raw.ReduceJoin(inputs=u([["a"]]), reduction_indices=u([2])),
            "by_segment": lambda: [
                joined(["a", "b", "c"], [1, 0, 1], 3, separator=", "),
                joined([["a", "b"], ["c", "d"]], [1, 1], 2),
                joined([["a", "b"], ["c", "d"]], [[0, 1], [1, 0]], 2),
            ],
            "prints_method": lambda: raw.Fingerprint(data=u(["a"]), method=u("md5")),
            "matched": lambda: [
                s.regex_full_match(WORDS, x) for x in ("", ".*", "[a-c,]+", tf.constant(" *.*"))
            ],
            "replaced": lambda: [
                s.regex_replace(WORDS, *x, replace_global=g)
                for x in (("[a-c]", r"<\0>"), (tf.constant("(.),"), r"\1;"), (",*", "-"))
                for g in (True, False)
            ],
            "replaced_broken": lambda: s.regex_replace(["a"], "[", "b"),
            "decoded": lambda: (
                [decode(errors=m) for m in ("replace", "ignore")]
                + [
                    decode(replacement_char=ord("?"), replace_control_characters=True),
                    decode([b"\x00a\xd8\x00"], "UTF-16-BE"),
                ]
            ),
            "decoded_strict": lambda: decode(errors="strict"),
            "decoded_encoding": lambda: decode(e="none"),
            "across": lambda: (
                [across(BYTES, errors=m) for m in ("replace", "ignore")]
                + [
                    across(WORDS, b="UTF-32-BE"),
                    across(BYTES, b="UTF-8", replacement_char=65),
                    across(["a\nb"], b="UTF-8", replace_control_characters=True),
                    across([b"a\xe4"], "latin1", "UTF-8"),
                ]
            ),
            "across_encoding": lambda: across(["a"], "none"),
            "across_character": lambda: across(["a"], replacement_char=0x110000),
            "packed_strict": lambda: packed([0x110000], [0, 1], errors="strict"),
            "distances_truth": lambda: tf.edit_distance(tf.SparseTensor([[0]], [1], [1]), [1]),
        },
        graph=False,
    )
