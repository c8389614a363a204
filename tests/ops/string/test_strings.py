"""String ops at their corners: what TensorFlow 1.15.5 gave for the same calls."""

import numpy as np
import pytest

import tfmini as tf


def strings(*values):
    return np.array(values, object)


def run(fetches, feed=None):
    with tf.Session() as session:
        return session.run(fetches, feed)


TEXTS = ["a b, c", "", " x ,, y ", "one", "a  ", "a b ", " ", "  a"]
# What whitespace parts, once and twice: after the last split stands what is left, even nothing.
SPLIT = {
    1: [["a", "b, c"], [], ["x", ",, y "], ["one", ""], ["a", ""], ["a", "b "], [], ["a", ""]],
    2: [["a", "b,", "c"], [], ["x", ",,", "y "], ["one"], ["a"], ["a", "b", ""], [], ["a"]],
}


@pytest.mark.parametrize("maxsplit", SPLIT)
def test_split_at_most(maxsplit):
    indices, values, shape = run(tf.strings.split(TEXTS, maxsplit=maxsplit))
    wanted = SPLIT[maxsplit]
    assert values.tolist() == [part.encode() for parts in wanted for part in parts]
    assert indices[:, 0].tolist() == [i for i, parts in enumerate(wanted) for _ in parts]
    assert shape.tolist() == [len(TEXTS), maxsplit + 1]


@pytest.mark.parametrize("separator", ["", " ", ",", ", ", "ab"])
@pytest.mark.parametrize("skip_empty", [True, False])
def test_split_is_that_of_each_string(separator, skip_empty):
    """Against a plain loop over the strings."""
    texts = [*TEXTS, "b,ab a", ",", "\n", "äb"]
    wanted = []
    for text in (text.encode() for text in texts):
        parts = [text[i : i + 1] for i in range(len(text))]
        if separator:
            for other in separator.encode():
                text = text.replace(bytes([other]), separator[:1].encode())
            parts = text.split(separator[:1].encode()) if text else []
            parts = [part for part in parts if part or not skip_empty]
        wanted.append(parts)
    got = run(tf.string_split(tf.constant(texts), separator, skip_empty))
    assert got.values.tolist() == [part for parts in wanted for part in parts]
    places = [[i, j] for i, parts in enumerate(wanted) for j in range(len(parts))]
    assert got.indices.tolist() == places
    assert got.dense_shape.tolist() == [len(texts), max(map(len, wanted))]


@pytest.mark.parametrize("separator", ["", " ", ","])
def test_split_everywhere_is_pythons(separator):
    texts = [*TEXTS, "\t\n", "x\x0by\x0cz\r", ","]
    wanted = [text.encode().split(separator.encode() or None) for text in texts]
    got = run(tf.strings.split(texts, separator))
    assert got.values.tolist() == [part for parts in wanted for part in parts]
    assert got.indices.tolist() == [[i, j] for i, p in enumerate(wanted) for j in range(len(p))]


def test_joined_axes_are_in_their_order():
    words = tf.constant([["a", "b"], ["c", "d"]])
    assert run(tf.reduce_join(words, [0, 1])) == b"acbd"
    assert run(tf.reduce_join(words, [1, 0], separator=",")) == b"a,b,c,d"
    assert run(tf.reduce_join(words, tf.constant([], tf.int32))).tolist() == [
        [b"a", b"b"],
        [b"c", b"d"],
    ]
    assert run(tf.reduce_join(tf.zeros([2, 0], tf.string), 1)).tolist() == [b"", b""]


def test_segments_of_no_strings_are_empty():
    none = np.array([], object)
    joined = tf.strings.unsorted_segment_join(none, np.array([], np.int32), 3, ":")
    assert run(joined).tolist() == [b"", b"", b""]


def test_static_shapes_of_joins():
    unknown = tf.placeholder(tf.string)
    assert tf.strings.join([unknown, tf.zeros([2, 3], tf.string)]).shape == [2, 3]
    assert tf.strings.join([unknown, "x"]).shape.ndims is None
    assert tf.strings.join(["y", "x"]).shape == []
    assert tf.reduce_join(tf.zeros([2, 3], tf.string), 0, keepdims=True).shape == [1, 3]


def test_replaces_once_per_place():
    """No empty match right behind another match; a group that is not there is empty, and what is no
    reference at all ends the rewrite.
    """
    replace = tf.strings.regex_replace
    fetches = [
        replace("abaac", "a*", "-"),
        replace("abc", "x*", "-"),
        replace("aaa", "a", "b", replace_global=False),
        replace("a", "a", "x\\1"),
        replace("a", "a", "\\1", replace_global=False),
        replace("a\\b", "b", "\\\\"),
        replace("bab", "b", r"<\q>"),
        replace("bab", "b", r"<\q>", replace_global=False),
    ]
    some = [b"-b-c-", b"-a-b-c-", b"baa", b"x", b"", b"a\\\\"]
    assert run(fetches) == [*some, b"<a<", b"bab"]


def test_characters_are_those_of_utf8():
    text = "héllo wörld".encode()
    assert run(tf.strings.substr([text], [-4], [3], unit="UTF8_CHAR")).tolist() == ["örl".encode()]
    assert run(tf.strings.length(strings(b"\xff\x80a\xc3"), unit="UTF8_CHAR")).tolist() == [3]
    lowered = tf.strings.lower(strings("ABÉßİ".encode()), encoding="utf-8")
    assert run(lowered).tolist() == ["abéßi\u0307".encode()]


@pytest.mark.parametrize("value", ["+5", "1_0", "0x10", "1.5", "", "-", "99999999999"])
def test_integers_are_digits_with_a_minus(value):
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string"):
        run(tf.strings.to_number([value], tf.int32))


@pytest.mark.parametrize("value", ["1_0", "infi", "nan(x)", "1e", "0b1", "1.5f", "", "-Infinity"])
def test_floats_are_no_more_than_that(value):
    with pytest.raises(tf.errors.InvalidArgumentError, match="could not correctly convert string"):
        run(tf.strings.to_number([value], tf.float32))


def test_the_least_and_the_greatest_integer_between_spaces():
    texts = [" -2147483648", "2147483647 "]
    assert run(tf.strings.to_number(texts, tf.int32)).tolist() == [-(2**31), 2**31 - 1]
    for text in (" -2147483649", "2147483648 "):
        with pytest.raises(tf.errors.InvalidArgumentError, match=f"convert string: {text}"):
            run(tf.strings.to_number([text], tf.int32))


def test_floats_of_every_form():
    values = run(tf.strings.to_number(["+5", ".5", "5.", "1e-50", "+inf", "NaN", "0x10", " 2 "]))
    np.testing.assert_array_equal(values, np.float32([5, 0.5, 5, 0, np.inf, np.nan, 16, 2]))


def test_fill_is_cs():
    nan = float("nan")
    fetches = [
        tf.as_string([1.5, nan], width=8, fill="0"),
        tf.as_string([1.5, -1.5], width=10, fill="-"),
        tf.as_string([1.5], width=10, fill="+"),
        tf.as_string([True], width=6),
        tf.as_string([1.0], fill="0"),
        tf.as_string(tf.constant([-nan]), precision=1),
    ]
    assert [value.tolist() for value in run(fetches)][:5] == [
        [b"1.500000", b"     nan"],
        [b"1.500000  ", b"-1.500000 "],
        [b" +1.500000"],
        [b"true"],
        [b"1.000000"],
    ]


BASE64 = {
    "Y": "length cannot be 1 modulo 4",
    "YWJj=": "length cannot be 1 modulo 4",
    "YQ=": "Invalid character found",
    "YQ===": "Invalid character found",
    "====": "Invalid character found",
    "YW==I": "Invalid character found",
    "Y+==": "Invalid character found",
}


@pytest.mark.parametrize("text", BASE64)
def test_base64_that_is_none(text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=BASE64[text]):
        run(tf.decode_base64(text))


def test_base64_ignores_bits_behind_the_end():
    assert run(tf.decode_base64(["YR", "YQ==", ""])).tolist() == [b"a", b"a", b""]


def test_compressed_data():
    data = b"x\x9cKLJ\x06\x00\x02M\x01'"
    assert run(tf.decode_compressed([data[:6]], "ZLIB")).shape == (1,)
    with pytest.raises(tf.errors.DataLossError, match="inflate.. failed with error -3: incorrect"):
        run(tf.decode_compressed([data], "GZIP"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Only ZLIB, GZIP or NONE"):
        run(tf.decode_compressed([data], "BZ2"))


def test_raw_bytes_of_nothing():
    assert run(tf.decode_raw([""], tf.uint8)).shape == (1, 0)
    assert run(tf.decode_raw(tf.zeros([0], tf.string), tf.int32)).shape == (0, 0)


def test_unicode_of_other_encodings():
    transcode = tf.strings.unicode_transcode
    fetches = [
        transcode(b"a\x01b", "UTF-8", "UTF-8", replace_control_characters=True),
        transcode(b"a\xf0\x9f\x98b\xe4\xb8", "UTF-8", "UTF-8", replacement_char=63),
        transcode("a\U0001f600".encode(), "UTF-8", "UTF-32-BE"),
    ]
    assert run(fetches) == [b"a\xef\xbf\xbdb", b"a?b?", b"\0\0\0a\0\x01\xf6\0"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="converter for input encoding: XX"):
        run(transcode("a", "XX", "UTF-8"))


NUMBERS = [
    (b"0" * 5000 + b"7", tf.int32, 7),
    (b"-" + b"0" * 5000 + b"7", tf.int64, -7),
    (b" " * 5000 + b"7", tf.int64, 7),
    (b"1" * 5000, tf.int32, None),
    (b"-" + b"9" * 5000, tf.int64, None),
    (b"0" * 100_000 + b"x", tf.int64, None),
    (b"0." + b"1" * 29, tf.float64, 0.11111111111111111),
    (b"0." + b"1" * 30, tf.float64, None),
    (b"0x" + b"f" * 5000, tf.float32, None),
    (b"1" * 5000, tf.float32, None),
    (b" " * 31, tf.float32, 0.0),
    (b" " * 32, tf.float32, None),
]


@pytest.mark.parametrize("text, dtype, expected", NUMBERS)
def test_numbers_of_many_digits(text, dtype, expected):
    """TensorFlow reads integers of any length, and floats of less than 32 characters."""
    fed = tf.placeholder(tf.string, [1])
    read = [tf.string_to_number(fed, dtype), tf.decode_csv(fed, [tf.constant([], dtype)])[0]]
    problems = ["StringToNumberOp could not correctly convert string: ", "Field 0 in record 0 is"]
    with tf.Session() as session:
        for number, problem in zip(read, problems):
            if expected is None:
                with pytest.raises(tf.errors.InvalidArgumentError, match=problem):
                    session.run(number, {fed: [text]})
            else:
                assert session.run(number, {fed: [text]}) == [expected]


def test_integers_with_spaces_and_the_limits():
    texts = tf.placeholder(tf.string, [None])
    with tf.Session() as session:
        for dtype, values, beyond in [
            (tf.int32, ["12", " -3 ", "2147483647", "-2147483648"], "2147483648"),
            (tf.int64, [" 9223372036854775807", "-9223372036854775808"], "-9223372036854775809"),
        ]:
            read = tf.string_to_number(texts, dtype)
            assert session.run(read, {texts: values}).tolist() == [int(v) for v in values]
            with pytest.raises(tf.errors.InvalidArgumentError, match=f"convert string: {beyond}"):
                session.run(read, {texts: [*values, beyond]})


@pytest.mark.parametrize(
    "settings, texts",
    [
        ({}, ["nan", "-nan", "inf", "1.500000"]),
        ({"width": 6}, ["   nan", "  -nan", "   inf", "1.500000"]),
        ({"width": 6, "fill": "0", "precision": 2}, ["   nan", "  -nan", "   inf", "001.50"]),
        ({"width": 6, "fill": "-", "precision": 2}, ["nan   ", "-nan  ", "inf   ", "1.50  "]),
    ],
)
def test_what_is_no_number_has_its_sign_within_the_width(settings, texts):
    values = tf.constant([np.nan, -np.nan, np.inf, 1.5])
    assert run(tf.as_string(values, **settings)).tolist() == [text.encode() for text in texts]


@pytest.mark.parametrize("cut", [False, True])
def test_code_points_of_many_strings(cut):
    texts = ["", "a", "é", "日本", "", "a\U0001f600z", ""]
    given = [text.encode() for text in texts]
    if cut:  # one character in two strings: invalid in each
        given += ["é".encode()[:1], "é".encode()[1:]]
        texts += ["\ufffd"] * 2
    points, starts = tf.strings.unicode_decode_with_offsets(given, "UTF-8")
    with tf.Session() as session:
        points, starts = session.run([points, starts])
    assert points.to_list() == [[*map(ord, text)] for text in texts]
    assert starts.to_list() == [
        [len(text[:i].encode()) for i in range(len(text))] for text in texts
    ]


def test_control_characters_of_unicode():
    text = b"a\t\x00\x7f\xc2\x85\xff"  # those below a space are meant, neither 127 nor 133
    options = {
        "input_encoding": "UTF-8",
        "replacement_char": 63,
        "replace_control_characters": True,
    }
    transcoded = [
        tf.strings.unicode_transcode(text, output_encoding="UTF-8", errors=errors, **options)
        for errors in ("replace", "ignore")
    ]
    decoded = [
        tf.strings.unicode_decode_with_offsets(text, errors=errors, **options)
        for errors in ("replace", "ignore")
    ]
    assert run(transcoded) == [b"a??\x7f\xc2\x85?", b"a\x7f\xc2\x85"]
    found = [[part.tolist() for part in parts] for parts in run(decoded)]
    assert found[0] == [[97, 63, 63, 127, 133, 63], [0, 1, 2, 3, 4, 6]]
    assert found[1] == [[97, 127, 133], [0, 3, 4]]
    strict = {**options, "errors": "strict"}
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Invalid formatting on input"):
        run(tf.strings.unicode_transcode(b"a\x01", output_encoding="UTF-8", **strict))
    assert run(tf.strings.unicode_decode(b"a\x01", **strict)).tolist() == [97, 63]


def test_code_points_that_are_no_characters():
    def encoded(encoding, errors="strict"):
        return tf.strings.unicode_encode([0xD800, 65], encoding, errors)

    found = run([encoded("UTF-8"), encoded("UTF-8", "ignore"), encoded("UTF-16-BE")])
    assert found == [b"\xef\xbf\xbdA", b"\xef\xbf\xbdA", b"\xd8\x00\x00A"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Code point value out of valid"):
        run(tf.strings.unicode_encode([0x110000], "UTF-8", "strict"))


def test_characters_of_strings_are_those_of_python():
    texts = ["añb€", "", "\U0001f600aa\ud7ff", "€"]
    rows = run(tf.strings.unicode_split([text.encode() for text in texts], "UTF-8")).to_list()
    assert rows == [[char.encode() for char in text] for text in texts]
