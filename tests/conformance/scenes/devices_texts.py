"""Kernels on strings and Examples: bytes and characters, empty strings, hashes, damaged records."""

import numpy as np

WORDS = [
    "",
    "a",
    "Wörter",
    "a  b c",
    "ab,cd,,e",
    "\u20acuro \U0001f600",
    "TAB\tand\nline",
    "x" * 40,
]


def words(tf, stage):
    s, ph = tf.strings, tf.placeholder_with_default
    cases = {
        "length": lambda: [s.length(WORDS), s.length(WORDS, unit="UTF8_CHAR")],
        "lower": lambda: [
            s.lower(WORDS),
            s.upper(WORDS),
            s.lower(WORDS, encoding="utf-8"),
            s.upper(WORDS, "utf-8"),
        ],
        "strip": lambda: s.strip(["  a ", "\t\n", "b", ""]),
        "substr": lambda: [
            s.substr(["hello", "wörld"], 1, 3),
            s.substr(["hello", "wörld"], [-3, 0], [2, 99]),
            s.substr(["hello", "wörld"], [-2, 1], [5, 2], unit="UTF8_CHAR"),
            s.substr("abc", [0, 1], [1, 1]),
            s.substr([["abcd"], ["efgh"]], 3, 0),
        ],
        "substr_far": lambda: s.substr(["hello", ""], ph(1, []), 1),
        "substr_below": lambda: s.substr(["hello"], ph(-6, []), 1),
        "join": lambda: [
            s.join([["a", "b"], "-", ["c", "d"]]),
            s.join(["a", "b"], separator=", "),
            s.join([["a"], [""]], "+"),
        ],
        "reduce_join": lambda: [
            s.reduce_join([["a", "b"], ["c", "d"]], 0),
            s.reduce_join([["a", "b"], ["c", "d"]], [-1, 0], separator="-"),
            s.reduce_join([["a", "b"], ["c", "d"]], 1, keep_dims=True),
            s.reduce_join([["a", "b"], ["c", "d"]]),
            s.reduce_join(ph([["a", "b"], ["c", "d"]], None)),
            s.reduce_join(np.zeros([2, 0], "S1"), 1),
        ],
        "split": lambda: [
            tf.string_split(["a  b c", "", " d "]),
            tf.string_split(["a,b;c", ",,"], ",;"),
            tf.string_split(["a,b,,c", ",,"], ",", skip_empty=False),
            tf.string_split(["abc", ""], ""),
        ],
        "split_v2": lambda: [
            s.split(["a  b c", " d "]).values,
            s.split(["a<>b<>", "<>"], "<>").values,
            s.split(["a b c d"], maxsplit=2).values,
            s.split(["a-b-c"], "-", maxsplit=1).values,
        ],
        "regex": lambda: [
            s.regex_replace(WORDS, "[aeiou]", "<\\0>"),
            s.regex_replace(WORDS, "(.)(.)", "\\2\\1", replace_global=False),
            s.regex_replace(["aaa", ""], "a*", "b"),
            s.regex_replace(["a.b"], "\\.", "\\\\"),
            s.regex_full_match(WORDS, ".*a.*"),
            s.regex_full_match(["ab", "a\nb"], "a.?b"),
        ],
        "regex_wrong": lambda: s.regex_replace(["a"], ph("(", []), "b"),
        "regex_back": lambda: s.regex_replace(["abc"], ph("b", []), "\\3"),
        "numbers": lambda: [
            s.to_number(["1", "-2.5e3", " 4", "inf"]),
            s.to_number(["7", "-8"], tf.int64),
        ],
        "numbers_wrong": lambda: s.to_number(ph(["1", "x"], [2])),
        "numbers_far": lambda: s.to_number(ph(["1", "3000000000"], [2]), tf.int32),
        "shown": lambda: [
            tf.as_string([1.0, -2.5, 1e10], precision=2),
            tf.as_string([1.0, -2.5, 1e10], scientific=True),
            tf.as_string([1.5, 1e-7], shortest=True),
            tf.as_string([7, -8], width=5, fill="0"),
            tf.as_string([7, -8], width=4),
            tf.as_string(np.array([1 + 2j], "D")),
            tf.as_string(np.array([200], "u1").astype("i8")),
        ],
        "format": lambda: [
            s.format("a {} b {}", ([1, 2, 3], "x")),
            s.format("{}", tf.range(10)),
            s.format("<%>", [tf.constant(1.5)], placeholder="%"),
            s.format("{}", tf.range(5), summarize=1),
        ],
        "hashes": lambda: [
            s.to_hash_bucket(WORDS, 1000),
            s.to_hash_bucket_fast(WORDS, 1000),
            s.to_hash_bucket_strong(WORDS, 1000, [1, 2]),
            s.to_hash_bucket_fast(
                ["b" * n for n in (1, 3, 4, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 200)], 2**31
            ),
            s.to_hash_bucket_strong(["b" * n for n in (0, 1, 7, 8, 9, 16)], 2**31, [7, 2**40]),
            tf.raw_ops.StringToHashBucket(
                string_tensor=["b" * n for n in (1, 8, 9, 40)], num_buckets=2**31
            ),
        ],
        "fingerprints": lambda: tf.fingerprint([["ab", "c"], ["abc", ""]]),
        "characters": lambda: [
            s.bytes_split(["ab", ""]).values,
            s.unicode_decode(["aö\u20ac", ""], "UTF-8").values,
            s.unicode_encode([[97, 246]], "UTF-16-BE"),
            s.unicode_transcode(["aö", "b"], "UTF-8", "UTF-16-BE"),
            s.unicode_script([97, 1072, 0x1F600, -1]),
            s.unicode_split(["aö\u20ac"], "UTF-8").values,
        ],
        "characters_wrong": lambda: [
            s.unicode_transcode([b"a\xff\xfeb"], "UTF-8", "UTF-8", errors=e)
            for e in ("replace", "ignore")
        ],
        "characters_strict": lambda: s.unicode_transcode(
            [b"a\xff"], "UTF-8", "UTF-8", errors="strict"
        ),
        "ngrams": lambda: s.ngrams([["a", "b", "c", "d"]], [2, 3], "-").values,
        "base64": lambda: [
            tf.encode_base64(["", "a", "ab", b"\xff\xfe"]),
            tf.encode_base64(["a"], pad=True),
            tf.decode_base64(["YQ", "YWI=", ""]),
        ],
        "base64_wrong": lambda: tf.decode_base64(ph(["a+b"], [1])),
        "raw": lambda: [
            tf.decode_raw(["abcd", "efgh"], tf.int16),
            tf.decode_raw(["abcd"], tf.int16, little_endian=False),
            tf.decode_raw([["a"], ["b"]], tf.uint8),
            tf.decode_raw(["", ""], tf.float32),
        ],
        "raw_odd": lambda: tf.decode_raw(ph(["abc"], [1]), tf.int16),
        "raw_uneven": lambda: tf.decode_raw(ph(["ab", "abcd"], [2]), tf.int16),
        "distance": lambda: tf.edit_distance(
            tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "b", "c"], [2, 2]),
            tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "c", "d"], [2, 2]),
            normalize=False,
        ),
        "csv": lambda: tf.decode_csv(["1,2.5,x", '-3,,"y,z"'], [[0], [1.5], [""]]),
        "csv_other": lambda: tf.decode_csv(
            ["1|NA|3"], [[0], [9], [0]], "|", na_value="NA", select_cols=[0, 1, 2]
        ),
        "csv_few": lambda: tf.decode_csv(ph(["1,2"], [1]), [[0], [0], [0]]),
        "csv_empty": lambda: tf.decode_csv(ph([",2"], [1]), [tf.constant([], tf.int32), [0]]),
        "csv_wrong": lambda: tf.decode_csv(ph(["x,2"], [1]), [[0], [0]]),
        "csv_quotes": lambda: tf.decode_csv(ph(['a"b,2'], [1]), [[""], [0]]),
    }
    stage.each(cases, graph=False)


def _example(tf, **features):
    kinds = {
        "i": lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v)),
        "f": lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v)),
        "s": lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v)),
        "n": lambda v: tf.train.Feature(),
    }
    made = {name: kinds[name[0]](value) for name, value in features.items()}
    return tf.train.Example(features=tf.train.Features(feature=made)).SerializeToString(
        deterministic=True
    )


def examples(tf, stage):
    first = _example(tf, i=[7], f=[0.5, 1.5], s=[b"a"], i2=[1, 2, 3])
    second = _example(tf, i=[-1], f=[2.5, 3.5], s=[b"b"], i2=[], f2=[9.0])
    odd = _example(tf, f=[1.0], i=[1], s=[b""])
    fixed, var = tf.FixedLenFeature, tf.VarLenFeature
    data = tf.placeholder(tf.string, None)
    given = {
        "both": [first, second],
        "none": [],
        "empty": [b""],
        "short": [odd],
        "merged": [first + _example(tf, i=[9], s=[b"c"])],
    }
    specs = {
        "fixed": {
            "i": fixed([], tf.int64),
            "f": fixed([2], tf.float32),
            "s": fixed([1], tf.string),
        },
        "defaults": {
            "i": fixed([], tf.int64, 5),
            "f": fixed([2], tf.float32, [8.0, 9.0]),
            "f2": fixed([], tf.float32, -1.0),
        },
        "listed": {"i2": var(tf.int64), "f2": var(tf.float32), "s": var(tf.string)},
        "sequence": {
            "i2": tf.FixedLenSequenceFeature([], tf.int64, True),
            "f": tf.FixedLenSequenceFeature([2], tf.float32, True, default_value=3.0),
        },
        "wrong_type": {"i": fixed([], tf.float32)},
        "wrong_shape": {"f": fixed([3], tf.float32)},
    }
    with tf.Session() as session:
        for name, spec in specs.items():
            parsed = tf.parse_example(data, spec, name=name)
            for kind, records in given.items():
                stage.say(name, kind)
                stage.attempt(lambda p=parsed, r=records: sorted(session.run(p, {data: r}).items()))
        one = tf.parse_single_example(data, specs["fixed"], name="one")
        json = tf.decode_json_example(data, name="json")
        stage.attempts(
            lambda: sorted(session.run(one, {data: first}).items()),
            lambda: tf.parse_example(["x"], {}),
            lambda: tf.parse_example(["x"], {"a": 3}),
            lambda: tf.parse_example(["x"], {"a": fixed([], tf.int32)}),
            lambda: tf.parse_example(["x"], {"a": fixed([None], tf.int64)}),
            lambda: tf.parse_single_example(["x"], specs["fixed"]),
            *[
                lambda t=t: session.run(json, {data: t}).tolist()
                for t in (
                    ["{}"],
                    ['{"features": {"feature": {"a": {"int64List": {"value": ["7", 8]}}}}}'],
                    [
                        '{"features": {"feature": {"a": {"floatList": {"value": [0.5, "NaN", "-Infinity"]}}}}}'
                    ],
                    ['{"features": {"feature": {"a": {"bytesList": {"value": ["YWI=", ""]}}}}}'],
                    ['{"features": {"feature": {"a": {"int64List": {"value": [1.5]}}}}}'],
                    ['{"features": {"feature": {"a": {"int64List": {"value": ["x"]}}}}}'],
                    ['{"features": {"feature": {"a": {"bytesList": {"value": ["a"]}}}}}'],
                    ['{"features": {"feature": {"a": {"floatList": {"value": [true]}}}}}'],
                    ['{"other": 1}'],
                    ["[]"],
                    ["{}", "{}"],
                    [],
                )
            ],
        )


def sequences(tf, stage):
    feature = lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))  # noqa: E731
    lists = {
        "a": tf.train.FeatureList(feature=[feature([1]), feature([2, 3]), feature([])]),
        "b": tf.train.FeatureList(feature=[feature([4]), feature([5])]),
        "e": tf.train.FeatureList(),
    }
    record = tf.train.SequenceExample(
        context=tf.train.Features(feature={"c": feature([9])}),
        feature_lists=tf.train.FeatureLists(feature_list=lists),
    ).SerializeToString(deterministic=True)
    data = tf.placeholder(tf.string, None)
    fixed, sequence, var = tf.FixedLenFeature, tf.FixedLenSequenceFeature, tf.VarLenFeature
    specs = {
        "fixed": ({"c": fixed([], tf.int64)}, {"b": sequence([], tf.int64)}),
        "listed": ({"c": var(tf.int64)}, {"a": var(tf.int64), "none": var(tf.int64)}),
        "missing": (
            {"d": fixed([], tf.int64, 3)},
            {"none": sequence([], tf.int64, allow_missing=True)},
        ),
        "required": ({"d": fixed([], tf.int64)}, None),
        "required_list": (None, {"none": sequence([], tf.int64)}),
        "uneven": (None, {"a": sequence([], tf.int64)}),
        "empty": (None, {"e": sequence([2], tf.int64)}),
        "type": (None, {"b": sequence([], tf.float32)}),
    }
    with tf.Session() as session:

        def shown(parsed, given):
            return [sorted(part.items()) for part in session.run(parsed, {data: given})]

        for name, (context, features) in specs.items():
            with stage.failing():
                one = tf.parse_single_sequence_example(data, context, features, name=name)
                stage.say(name, [sorted(part) for part in one])
                for given in (record, b""):
                    stage.attempt(shown, one, given)
            with stage.failing():
                many = tf.io.parse_sequence_example(data, context, features, name=name)
                stage.say(name, [sorted(part) for part in many])
                stage.attempt(shown, many, [record, record])
