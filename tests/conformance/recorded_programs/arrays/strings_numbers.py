"""Numbers in strings: printed, read, in columns, as bytes in memory and in base64."""

import numpy as np


def build(tf):
    lines = tf.placeholder(tf.string, [None], name="lines")
    numbers = tf.constant([1.5, -0.1, 1e20, float("nan"), float("inf")], name="numbers")
    printed = [
        tf.as_string(numbers),
        tf.as_string(numbers, precision=2, name="short"),
        tf.strings.as_string(numbers, scientific=True, precision=3),
        tf.as_string(numbers, shortest=True, width=12),
        tf.as_string([7, -12], width=5, fill="0"),
        tf.as_string([7, -12], width=5, fill="-"),
        tf.as_string([True, False]),
        tf.as_string(tf.constant([1 + 2j]), precision=1),
        tf.as_string(tf.constant(5, tf.int64)),
    ]
    read = [
        tf.string_to_number(["1.5", " -2e3 ", "inf", "0x1F"]),
        tf.strings.to_number(["12", "-7"], tf.int32, name="integers"),
        tf.strings.to_number("9007199254740993", tf.int64),
        tf.string_to_number(input=["0.1"], out_type=tf.float64),
    ]
    columns = [
        *tf.decode_csv(lines, [[0], [1.5], [""]]),
        *tf.io.decode_csv(lines, [tf.constant([], tf.int64), "d"], select_cols=[0, 2], name="two"),
        *tf.decode_csv("a;b", [[""], [""]], field_delim=";"),
        *tf.decode_csv(['"x"'], [[""]], use_quote_delim=False, na_value="-"),
    ]
    raw = tf.decode_raw(["abcd", "efgh"], tf.uint8)
    in_memory = [
        raw,
        tf.decode_raw(["abcd"], tf.int16, little_endian=False),
        tf.io.decode_raw("abcdefgh", tf.float64),
        tf.reshape(tf.decode_raw(tf.constant([["ab"]]), tf.int8), [-1]),
        tf.encode_base64(["", "a", "ab", b"\xff\xfe?"]),
        tf.io.encode_base64(["a"], pad=True),
        tf.decode_base64(["YQ", "YWI=", "__4"]),
        tf.io.decode_compressed([b"x\x9cKLJ\x06\x00\x02M\x01'"], "ZLIB"),
    ]
    serialized = tf.serialize_tensor(tf.constant([[1.0, 2.0]]))
    messages = [
        serialized,
        tf.serialize_tensor(["ab", "c"]),
        tf.parse_tensor(serialized, tf.float32),
        tf.io.parse_tensor(tf.serialize_tensor(np.array([3, 4])), tf.int64, name="again"),
    ]
    return {
        "steps": [
            ("printed", printed),
            ("read", read),
            ("columns", columns, {lines: ['1,2.5,"a ""b"", c"', "-3,,"]}),
            ("in memory", in_memory),
            ("messages", messages),
        ]
    }
