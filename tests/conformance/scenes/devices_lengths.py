"""Strings of each length, and numbers in many spellings: hashes, buckets, parsed values."""

import numpy as np

_TEXTS = [bytes((n * 37 + i * i * 11 + 5) % 256 for i in range(n)) for n in range(0, 150)]
_DIGITS = ["0", "-0", "+7", "007", "123456789012345", "1234567890123456", "12345678901234567890"]
_DIGITS += ["999999999999999999", "-999999999999999999", "9223372036854775807", "2147483647"]
_DIGITS += ["9223372036854775808", "-9223372036854775808", "2147483648", "-2147483649", " 5", "5 "]
_DIGITS += ["", "-", "+", "--1", "+-1", "1-", "0x10", "1_0", "1,5", "\t8", "8\n", "5\0", "1e2"]
_FLOATS = ["1.5", "-.5", "5.", ".", "1e3", "1E-3", "1e+22", "1e23", "1e-22", "1e400", "-1e400"]
_FLOATS += [
    "1e-400",
    "0.1",
    "0.30000000000000004",
    "123456.789e-3",
    "000.000100",
    "1e",
    "1e+",
    "e5",
]
_FLOATS += ["1e+-2", "inf", "-Inf", "nan", "INFINITY", "1.2.3", "+1.25", "4.9e-324", "1.17e-38"]
_FLOATS += ["123456789012345.5", "0.123456789012345", "99999999999999999999", "1e0005", "1e00005"]
_FLOATS += [
    "3.4028235e38",
    "3.4028236e38",
    "16777217",
    "9007199254740993",
    "1" * 31,
    "1" * 40,
    "1f",
]


def hashes(tf, stage):
    texts = tf.placeholder(tf.string, [None])
    kinds = [
        lambda n: tf.strings.to_hash_bucket_fast(texts, n),
        lambda n: tf.strings.to_hash_bucket_strong(texts, n, [7, -9]),
        lambda n: tf.strings.to_hash_bucket(texts, n),
    ]
    with tf.Session() as session:
        for kind in kinds:
            for count in (1, 7, 1 << 31, (1 << 62) + 1):
                made = kind(count)
                stage.say(count, session.run(made, {texts: np.array(_TEXTS, object)}))
                alone = [session.run(made, {texts: np.array([t], object)})[0] for t in _TEXTS[::29]]
                stage.say(np.array(alone))
            for count in (0, -1):
                stage.attempt(kind, count)
        stage.attempts(
            lambda: tf.strings.to_hash_bucket_strong(texts, 5, [1]),
            lambda: tf.strings.to_hash_bucket_strong(texts, 5, [1, 2, 3]),
            lambda: session.run(tf.strings.length(texts), {texts: np.array(_TEXTS[:9], object)}),
        )


def spelled(tf, stage):
    text = tf.placeholder(tf.string, [None])
    with tf.Session() as session:
        for kind in (tf.int32, tf.int64, tf.float32, tf.float64):
            made = tf.strings.to_number(text, kind)
            stage.say(kind.name)
            for spelling in _DIGITS + _FLOATS:
                stage.attempt(session.run, made, {text: [spelling]})
            several = ["1", "22", "-3", "456"]
            stage.say(session.run(made, {text: several}), session.run(made, {text: several[:0]}))
            stage.attempt(session.run, made, {text: ["1", "2", "x", "y"]})
