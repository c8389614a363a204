"""Strings: joined, split, cut, matched, hashed, encoded, and numbers in them."""

import base64

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.graph.opdef import raw

TEXT = np.array([[b"Hello, World", b"", b"h\xc3\xa9"], [b" a b ", b"x", b"12345"]], object)
ROW = np.array([b"a b", b"", b"c  d e"], object)


def fact(tf):
    return [tf.reshape(raw.Fact(), [1])]


def strings(*values):
    return np.array(values, object)


def each(function):
    """The results of `function` for each string, as strings."""

    def expect(array, *_):
        result = np.empty(array.shape, object)
        result.ravel()[:] = [function(value) for value in array.ravel()]
        return result

    return expect


def longs(*values):
    return np.array(values, np.int64)


pairs = longs


JOINED = [
    Sample("StringJoin", [[TEXT, TEXT]], expect=lambda v: v[0] + v[1]),
    Sample(
        "StringJoin",
        [[ROW, strings(b"1", b"2", b"3"), np.array(b"-", object)]],
        {"separator": "+"},
        strings(b"a b+1+-", b"+2+-", b"c  d e+3+-"),
        note="scalar",
    ),
    Sample(
        "ReduceJoin",
        [TEXT, np.int32(1)],
        {"separator": "|"},
        strings(b"Hello, World||h\xc3\xa9", b" a b |x|12345"),
        static=False,
    ),
    Sample(
        "ReduceJoin",
        [np.zeros((0, 3), object), np.int32(1)],
        expect=np.zeros(0, object),
        static=False,
        note="nothing",
    ),
    Sample(
        "ReduceJoin",
        [TEXT, np.array([0, 1], np.int32)],
        {"keep_dims": True},
        np.array([[b"Hello, World a b xh\xc3\xa912345"]], object),
        static=False,
        note="both axes",
    ),
    Sample(
        "UnsortedSegmentJoin",
        [strings(b"a", b"b", b"c"), np.array([1, 0, 1], np.int32), np.int32(3)],
        {"separator": ","},
        strings(b"b", b"a,c", b""),
        static=False,
    ),
]

SPLIT = [
    Sample(
        "StringSplit",
        [ROW, np.array(b" ", object)],
        expect=(
            pairs([0, 0], [0, 1], [2, 0], [2, 1], [2, 2]),
            strings(b"a", b"b", b"c", b"d", b"e"),
            longs(3, 3),
        ),
        static=False,
    ),
    Sample(
        "StringSplit",
        [ROW, np.array(b"db", object)],
        {"skip_empty": False},
        (pairs([0, 0], [0, 1], [2, 0], [2, 1]), strings(b"a ", b"", b"c  ", b" e"), longs(3, 2)),
        static=False,
        note="several",
    ),
    Sample(
        "StringSplit",
        [strings(b"ab", b"c"), np.array(b"", object)],
        expect=(pairs([0, 0], [0, 1], [1, 0]), strings(b"a", b"b", b"c"), longs(2, 2)),
        static=False,
        note="bytes",
    ),
    Sample(
        "StringSplitV2",
        [ROW, np.array(b"", object)],
        {"maxsplit": 1},
        (pairs([0, 0], [0, 1], [2, 0], [2, 1]), strings(b"a", b"b", b"c", b"d e"), longs(3, 2)),
        static=False,
    ),
    Sample(
        "StringSplitV2",
        [ROW, np.array(b" ", object)],
        expect=(
            pairs([0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2], [2, 3]),
            strings(b"a", b"b", b"", b"c", b"", b"d", b"e"),
            longs(3, 4),
        ),
        static=False,
        note="separator",
    ),
]

PIECES = [
    Sample("StringLength", [TEXT], expect=np.array([[12, 0, 3], [5, 1, 5]], "i4")),
    Sample(
        "StringLength",
        [TEXT],
        {"unit": "UTF8_CHAR"},
        np.array([[12, 0, 2], [5, 1, 5]], "i4"),
        note="characters",
    ),
    Sample("StringLower", [TEXT], expect=each(bytes.lower)),
    Sample(
        "StringLower",
        [strings("ÉA".encode())],
        {"encoding": "utf-8"},
        strings("éa".encode()),
        note="utf-8",
    ),
    Sample("StringUpper", [TEXT], expect=each(bytes.upper)),
    Sample(
        "StringUpper",
        [strings(b"a\0b", b"\0")],
        {"encoding": "utf-8"},
        strings(b"A", b""),
        note="up to a NUL, as TensorFlow",
    ),
    Sample("StringStrip", [TEXT], expect=each(bytes.strip)),
    Sample(
        "Substr",
        [strings(b"hello", b"world"), np.int32(-4), np.int32(2)],
        expect=strings(b"el", b"or"),
    ),
    Sample(
        "Substr",
        [strings("héllo".encode(), b"world"), longs(1, 2), longs(2, 9)],
        {"unit": "UTF8_CHAR"},
        strings("él".encode(), b"rld"),
        note="characters",
    ),
    Sample(
        "Substr",
        [strings(b"\xa9\x9fa\xc3", b"abc"), longs(0, 1), longs(2, -1)],
        {"unit": "UTF8_CHAR"},
        strings(b"\xa9\x9fa", b""),
        note="characters that are none",
    ),
]

PATTERN, REWRITE = np.array(b"([a-z])(o)", object), np.array(rb"<\2\1>", object)
MATCHED = [
    Sample(
        "RegexReplace",
        [strings(b"foo bog", b"x"), PATTERN, REWRITE],
        expect=strings(b"<of>o <ob>g", b"x"),
    ),
    Sample(
        "StaticRegexReplace",
        [strings(b"\xff\xe4\xbd!", "h\xe9".encode())],
        {"pattern": "[^h]", "rewrite": "-"},
        strings(b"\xff\xe4\xbd-", b"h-"),
        note="what is no UTF-8 is no character",
    ),
    Sample(
        "StaticRegexReplace",
        [strings(b"cb\nb", b"")],
        {"pattern": "|b|\n", "rewrite": r"<\0\1>"},
        strings(b"<>c<>b<>\n<>b<>", b"<>"),
        note="nothing comes first, and there is no group",
    ),
    Sample(
        "StaticRegexReplace",
        [strings(b"foo bog", b"x")],
        {"pattern": "([a-z])(o)", "rewrite": r"<\2\1>"},
        strings(b"<of>o <ob>g", b"x"),
    ),
    Sample(
        "StaticRegexReplace",
        [strings(b"aaa")],
        {"pattern": "a", "rewrite": "b", "replace_global": False},
        strings(b"baa"),
        note="first",
    ),
    Sample(
        "RegexFullMatch",
        [strings(b"ab", b"abb", b"xab"), np.array(b"ab+", object)],
        expect=np.array([True, True, False]),
    ),
    Sample(
        "StaticRegexFullMatch",
        [strings(b"2026", b"20 26")],
        {"pattern": "[[:digit:]]+"},
        np.array([True, False]),
    ),
]
# TensorFlow 1.15.5's results for these strings.
WORDS = strings(b"", b"a", b"word", b"longer text", b"x" * 30, b"y" * 50, b"z" * 200)
HASHED = [
    Sample(
        "Fingerprint",
        [np.array([[1, 2], [3, 4]], "i4"), np.array("farmhash64", object)],
        expect=np.array(
            [[76, 18, 253, 133, 168, 204, 240, 10], [254, 162, 60, 240, 103, 244, 53, 255]], "u1"
        ),
    ),
    Sample(
        "StringToHashBucketFast",
        [WORDS],
        {"num_buckets": 1_000_000},
        longs(397263, 363939, 554880, 789085, 686509, 487699, 24092),
    ),
    Sample(
        "StringToHashBucketStrong",
        [WORDS],
        {"num_buckets": 1_000_000, "key": [3, -5]},
        longs(27776, 585327, 219922, 155040, 510174, 585856, 559857),
    ),
    Sample(
        "StringToHashBucket",
        [WORDS],
        {"num_buckets": 1_000_000},
        longs(283899, 535868, 691722, 892150, 465012, 415913, 826454),
    ),
]

NUMBERS = [
    Sample(
        "AsString",
        [np.array([1.5, -0.25], "f")],
        {"precision": 2, "width": 7, "fill": "0"},
        strings(b"0001.50", b"-000.25"),
    ),
    Sample(
        "AsString",
        [np.array([7.0])],
        {"precision": 0, "width": 5, "fill": "#"},
        strings(b"   7."),
        note="with a point",
    ),
    Sample(
        "AsString", [np.array([7, -3])], {"fill": "+"}, strings(b"+7", b"-3"), note="with signs"
    ),
    Sample("AsString", [np.array([7, -3])], expect=strings(b"7", b"-3"), note="integers"),
    Sample("AsString", [np.array([True])], expect=strings(b"true"), note="bools"),
    Sample(
        "AsString", [np.array([1 - 2j])], expect=strings(b"(1.000000,-2.000000)"), note="complex"
    ),
    Sample("StringToNumber", [strings(b"1.5", b" -2e3 ")], expect=np.array([1.5, -2000], "f")),
    Sample("StringToNumber", [strings(b" ")], expect=np.zeros(1, "f"), note="a space is 0"),
    Sample(
        "StringToNumber",
        [strings(b"12", b"-7")],
        {"out_type": np.int64},
        longs(12, -7),
        note="integers",
    ),
]

ENCODED = [
    Sample("EncodeBase64", [TEXT], {"pad": True}, each(base64.urlsafe_b64encode), note="padded"),
    Sample("EncodeBase64", [strings(b"a", b"\xff\xfe")], expect=strings(b"YQ", b"__4")),
    Sample("DecodeBase64", [strings(b"YQ", b"__4=", b"")], expect=strings(b"a", b"\xff\xfe", b"")),
    Sample(
        "DecodeRaw",
        [strings(b"\1\0\2\0", b"\0\1\0\2")],
        {"out_type": np.int16},
        np.array([[1, 2], [256, 512]], "i2"),
        static=False,
    ),
    Sample(
        "DecodeRaw",
        [strings(b"\1\0\2\0")],
        {"out_type": np.int16, "little_endian": False},
        np.array([[256, 512]], "i2"),
        static=False,
        note="big endian",
    ),
    Sample(
        "DecodeRaw",
        [strings(np.array([1, 2], ">f4").tobytes())],
        {"out_type": np.complex64, "little_endian": False},
        np.array([[2 + 1j]], "c8"),  # reverses the bytes of the entire number, not of each part
        static=False,
        note="big endian, complex",
    ),
    Sample(
        "DecodePaddedRaw",
        [strings(b"a", b"bcd"), np.int32(2)],
        {"out_type": np.uint8},
        np.array([[97, 0], [98, 99]], "u1"),
        static=False,
        note="of other lengths",
    ),
    Sample(
        "DecodePaddedRaw",
        [strings(b"\1\2\3\4\5"), np.int32(4)],
        {"out_type": np.int16, "little_endian": False},
        np.array([[258, 772]], "i2"),
        static=False,
        note="big endian",
    ),
    Sample(
        "DecodeCompressed",
        [strings(b"x\x9cKLJ\x06\x00\x02M\x01'")],
        {"compression_type": "ZLIB"},
        strings(b"abc"),
    ),
]

CHARACTERS = [
    Sample(
        "UnicodeScript",
        [np.array([[97, 0x436, 32, 0x4E16], [-1, 0x110000, 0x10FFFF, 0x3042]], np.int32)],
        expect=np.array([[25, 8, 0, 17], [-1, -1, 103, 20]], np.int32),
        note="ICU's numbers",
    ),
    Sample(
        "UnicodeTranscode",
        [strings(b"\0a", b"\xff\xfea\0", b"\xfe\xff\0a")],
        {"input_encoding": "UTF-16", "output_encoding": "UTF-8"},
        strings(b"a", b"a", b"a"),
        note="orders of bytes",
    ),
    Sample(
        "UnicodeTranscode",
        [strings("a\u4e16".encode(), b"\xffb")],
        {"input_encoding": "UTF-8", "output_encoding": "UTF-16-BE"},
        strings(b"\0aN\x16", b"\xff\xfd\0b"),
    ),
    Sample(
        "UnicodeDecode",
        [strings("a\u4e16".encode(), b"\xffb", b"")],
        {"input_encoding": "UTF-8"},
        (longs(0, 2, 4, 4), np.array([97, 0x4E16, 65533, 98], "i4")),
        static=False,
    ),
    Sample(
        "UnicodeDecodeWithOffsets",
        [strings("é\u4e16a".encode())],
        {"input_encoding": "UTF-8"},
        (longs(0, 3), np.array([233, 0x4E16, 97], "i4"), longs(0, 2, 5)),
        static=False,
    ),
    Sample(
        "UnicodeEncode",
        [np.array([97, 233, 0x110000], "i4"), longs(0, 2, 2, 3)],
        {"output_encoding": "UTF-8"},
        strings("aé".encode(), b"", b"\xef\xbf\xbd"),
    ),
    Sample("Fact", build=fact, expect=strings(b"0! == 1")),
]

SAMPLES = JOINED + SPLIT + PIECES + MATCHED + HASHED + NUMBERS + ENCODED + CHARACTERS
