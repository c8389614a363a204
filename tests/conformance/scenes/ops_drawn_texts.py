"""Strings, CSV lines and records with random contents and options, as in ops_drawn_arrays."""

import numpy as np

from tests.conformance.scenes.ops_drawn_arrays import Draws

PIECES = [
    "",
    "a",
    "B",
    " ",
    ",",
    "\u00e4",
    "\u20ac",
    "1",
    "0",
    "-",
    ".",
    "e",
    '"',
    "\n",
    "x,y",
    "zz",
    "\t",
]


def _words(d, *shape, pieces=PIECES):
    """An array of strings of up to four pieces each."""
    count = int(np.prod(shape))
    words = ["".join(pieces[i] for i in d.random.randint(0, len(pieces), 4)) for _ in range(count)]
    words = [w[: 1 + d.random.randint(5)] for w in words]
    d.drawn.append(ascii(words))
    return np.array([w.encode() for w in words], object).reshape(shape)


def _split(d):
    s, words = d.tf.strings, d.t(_words(d, 3))
    if d.flip():
        return d.tf.string_split(words, d.one(" ", ",", "", "a,"), d.flip())
    return s.split(words, d.one(None, ",", "a", ", "), d.one(-1, 0, 1, 2)).values


def _cut(d):
    words = _words(d, *d.sizes(d.one(1, 2), 1, 3))
    shape = d.one((), words.shape)
    unit = d.one("BYTE", "UTF8_CHAR")
    kind = d.one("i", "i8")
    at = d.t(d.ints(-2, 2, shape), kind)
    return d.tf.strings.substr(d.t(words), at, d.t(d.ints(-1, 4, shape), kind), unit=unit)


def _measured(d):
    return d.tf.strings.length(d.t(_words(d, 3)), unit=d.one("BYTE", "UTF8_CHAR"))


def _joined(d):
    shape = tuple(d.sizes(d.one(0, 1, 2), 1, 3))
    parts = [d.t(_words(d, *d.one(shape, shape, ()))) for _ in range(d.one(1, 2, 3))]
    return d.tf.strings.join(parts, d.one("", "-", ", "))


def _reduced(d):
    rank = d.one(1, 2, 3)
    axis = d.one(None, d.axis(rank), [0, -1], list(range(rank))[::-1], [])
    return d.tf.reduce_join(
        d.t(_words(d, *d.sizes(rank))), axis, keepdims=d.flip(), separator=d.one("", "+")
    )


def _by_segment(d):
    words = _words(d, 3, d.one(1, 2))
    ids = d.ints(0, 3, d.one([3], list(words.shape)))
    return d.tf.strings.unsorted_segment_join(d.t(words), d.t(ids), 3, d.one("", ":"))


def _replaced(d):
    pattern = d.one("[a-z]+", "(.)(.)", r"\s", "^a?", ",|1", "(", "a*", ".$")
    words = d.t(_words(d, 3))
    if d.flip():
        return d.tf.strings.regex_full_match(
            words, d.one(pattern, d.t(np.array(pattern.encode(), object)))
        )
    rewrite = d.one("<\\0>", "", "\\1", "\\2\\1", "\\\\")
    return d.tf.strings.regex_replace(words, pattern, rewrite, d.flip())


def _cased(d):
    function = d.one(d.tf.strings.lower, d.tf.strings.upper)
    d.drawn[-1] = function.__name__
    return function(d.t(_words(d, 3)), d.one("", "utf-8"))


def _hashed(d):
    s, words, count = d.tf.strings, d.t(_words(d, 2)), d.one(1, 10, 2**40)
    way = d.one("fast", "strong", "plain")
    if way == "fast":
        return s.to_hash_bucket_fast(words, count)
    if way == "strong":
        return s.to_hash_bucket_strong(words, count, d.one([1, 2], [2**40, -1]))
    return s.to_hash_bucket(words, count)


def _written(d):
    kind = d.one("f", "d", "i", "i8", "i1", "?", "c8")
    value = np.array([0, -1.5, 3.25e-3, 7e4, 1.0], "d")
    value = value.astype(kind) if kind != "c8" else (value * (1 + 2j)).astype(kind)
    return d.tf.strings.as_string(
        d.t(value),
        d.one(-1, -1, 0, 3),
        d.one(False, False, True),
        d.one(False, False, True),
        d.one(-1, 0, 9),
        d.one("", "", "0", "-", "+", " "),
    )


def _numbers(d):
    texts = d.random.choice(
        [
            "1",
            " 2",
            "-3 ",
            "+4",
            "1e3",
            ".5",
            "5.",
            "",
            "0x1f",
            "inf",
            "nan",
            "007",
            "1_0",
            "2147483648",
            "-9e-2",
            "--1",
        ],
        2,
    )
    d.drawn.append(list(map(str, texts)))
    kind = d.one(d.tf.float32, d.tf.float64, d.tf.int32, d.tf.int64)
    return d.tf.strings.to_number(d.t(np.array([x.encode() for x in texts], object)), kind)


def _raw(d):
    texts = [bytes(d.random.randint(0, 256, 8).astype("u1").tolist()) for _ in range(2)]
    d.drawn.append(texts)
    kind = d.one("uint8", "int16", "int32", "float64", "int64", "uint16", "bool", "int8")
    return d.tf.io.decode_raw(
        d.t(np.array(texts, object)), getattr(d.tf, kind), little_endian=d.flip()
    )


def _coded(d):
    words = d.t(_words(d, 2))
    if d.flip():
        return d.tf.io.encode_base64(words, d.flip())
    texts = ["YQ==", "YQ", "YWI=", "YWJj", "Y", "Y===", "YW=I", "_-8=", "+/8=", ""]
    chosen = d.one(*texts), d.one(*texts)
    return d.tf.io.decode_base64(d.t(np.array([t.encode() for t in chosen], object)))


def _points(d):
    pieces = [b"a", b"\xe4", b"\xe2\x82\xac", b"\xe2\x82", b"\n", b"\xff", b"\xf0\x9f\x98\x80"]
    texts = [b"".join(pieces[i] for i in d.random.randint(0, 7, 3)) for _ in range(2)]
    d.drawn.append(texts)
    words = d.t(np.array(texts, object))
    options = {"errors": d.one("replace", "ignore", "replace", "strict")}
    options["replacement_char"] = d.one(65533, 63)
    options["replace_control_characters"] = d.flip()
    encoding = d.one("UTF-8", "UTF-8", "latin-1", "UTF-16-BE")
    if d.flip():
        target = d.one("UTF-8", "UTF-16-BE", "UTF-32-BE")
        return d.tf.strings.unicode_transcode(words, encoding, target, **options)
    made = d.tf.raw_ops.UnicodeDecodeWithOffsets(input=words, input_encoding=encoding, **options)
    return list(made)


def _lines(d):
    fields = ["1", "-2.5", "", "a", '"q"', '"x,y"', '"a""b"', " 7", "NA", '"', "3;4", "0x1"]
    texts = [",".join(fields[i] for i in d.random.randint(0, len(fields), 2)) for _ in range(2)]
    d.drawn.append(texts)
    kinds = [d.one("", 1.5, 7, [], ["d"]) for _ in range(2)]
    defaults = [d.tf.constant(k, "string") if k == [] else k for k in kinds]
    return d.tf.io.decode_csv(
        d.t(np.array([t.encode() for t in texts], object)),
        defaults,
        d.one(",", ",", ";"),
        d.one(True, True, False),
        na_value=d.one("", "NA"),
        select_cols=d.one(None, None, [0, 1], [1]),
    )


def _record(tf, random):
    """An Example, and its contents."""
    record, held = tf.train.Example(), []
    for key in "abc":
        kind = ("int64_list", "float_list", "bytes_list", None)[random.randint(4)]
        if kind is None:
            continue
        values = random.randint(0, 5, random.randint(0, 3)).tolist()
        values = [str(v).encode() for v in values] if kind == "bytes_list" else values
        getattr(record.features.feature[key], kind).value.extend(values)
        held.append((key, kind[:-5], values))
    return record.SerializeToString(deterministic=True), held


def _example(d):
    tf, found = d.tf, [_record(d.tf, d.random) for _ in range(2)]
    d.drawn.append([held for _, held in found])
    features = {}
    for key in "abc":
        kind = d.one(tf.int64, tf.float32, tf.string)
        way = d.one("var", "fixed", "default", "many", "none")
        default = b"?" if kind == tf.string else 9
        if way == "var":
            features[key] = tf.VarLenFeature(kind)
        elif way == "fixed":
            features[key] = tf.FixedLenFeature(d.one([], [1], [2]), kind)
        elif way == "default":
            features[key] = tf.FixedLenFeature([1], kind, [default])
        elif way == "many":
            features[key] = tf.FixedLenSequenceFeature([], kind, True, d.one(None, default))
    if not features:
        features["a"] = tf.VarLenFeature(tf.int64)
    records = np.array([record for record, _ in found], object)
    if d.flip():
        made = tf.io.parse_single_example(d.t(records[0]), features)
    else:
        made = tf.io.parse_example(d.t(records), features)
    parts = [made[key] for key in sorted(made)]
    parts = [
        [p.indices, p.values, p.dense_shape] if isinstance(p, tf.SparseTensor) else p for p in parts
    ]
    return parts


def _sequence(d):
    tf, records = d.tf, []
    for _ in range(2):
        record = tf.train.SequenceExample()
        record.context.feature["c"].int64_list.value.extend(
            d.random.randint(0, 9, d.random.randint(1, 3)).tolist()
        )
        steps = d.random.randint(0, 3, d.random.randint(0, 3)).tolist()
        for n in steps:
            record.feature_lists.feature_list["s"].feature.add().float_list.value.extend([0.5] * n)
        d.drawn.append([list(record.context.feature["c"].int64_list.value), steps])
        records.append(record.SerializeToString())
    context = {
        "c": d.one(
            tf.VarLenFeature(tf.int64),
            tf.FixedLenFeature([1], tf.int64),
            tf.FixedLenFeature([], tf.int64, 3),
        )
    }
    lists = d.one(
        {"s": tf.VarLenFeature(tf.float32)},
        {"s": tf.FixedLenSequenceFeature([], tf.float32)},
        {"s": tf.FixedLenSequenceFeature([2], tf.float32, True)},
        {"t": tf.FixedLenSequenceFeature([2], tf.float32, True)},
        {"t": tf.FixedLenSequenceFeature([2], tf.float32)},
        {"s": tf.VarLenFeature(tf.int64)},
    )
    if d.flip():
        found = tf.io.parse_single_sequence_example(
            d.t(np.array(records[0], object)), context, lists
        )
    else:
        found = tf.io.parse_sequence_example(d.t(np.array(records, object)), context, lists)
    parts = [made[key] for made in found for key in sorted(made)]
    return [
        [p.indices, p.values, p.dense_shape] if isinstance(p, tf.SparseTensor) else p for p in parts
    ]


def words(tf, stage):
    Draws(tf, stage, 21).calls([_split, _cut, _measured, _joined], 8)


def words_together(tf, stage):
    Draws(tf, stage, 22).calls([_reduced, _by_segment, _replaced, _cased], 8)


def codes(tf, stage):
    Draws(tf, stage, 23).calls([_hashed, _raw, _coded, _points], 8)


def numbers(tf, stage):
    Draws(tf, stage, 24).calls([_written, _numbers], 16)


def lines(tf, stage):
    Draws(tf, stage, 26).calls([_lines], 24)


def examples(tf, stage):
    Draws(tf, stage, 27).calls([_example], 24)


def sequences(tf, stage):
    Draws(tf, stage, 103).calls([_sequence], 24)
