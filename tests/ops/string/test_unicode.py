"""tf.strings.unicode_transcode, unicode_decode and unicode_encode."""

import pytest

import tfmini as tf
from tests.support.sessions import run


def test_transcode_between_encodings():
    transcode = tf.strings.unicode_transcode
    fetches = [
        transcode(b"a\x01b", "UTF-8", "UTF-8", replace_control_characters=True),
        transcode(b"a\xf0\x9f\x98b\xe4\xb8", "UTF-8", "UTF-8", replacement_char=63),
        transcode("a\U0001f600".encode(), "UTF-8", "UTF-32-BE"),
    ]
    assert run(fetches) == [b"a\xef\xbf\xbdb", b"a?b?", b"\0\0\0a\0\x01\xf6\0"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="converter for input encoding: XX"):
        run(transcode("a", "XX", "UTF-8"))


@pytest.mark.parametrize("cut", [False, True])
def test_decode_many_strings(cut):
    texts = ["", "a", "é", "日本", "", "a\U0001f600z", ""]
    inputs = [text.encode() for text in texts]
    if cut:  # one character in two strings: invalid in each
        inputs += ["é".encode()[:1], "é".encode()[1:]]
        texts += ["\ufffd"] * 2
    points, starts = tf.strings.unicode_decode_with_offsets(inputs, "UTF-8")
    with tf.Session() as session:
        points, starts = session.run([points, starts])
    assert points.to_list() == [[*map(ord, text)] for text in texts]
    assert starts.to_list() == [
        [len(text[:i].encode()) for i in range(len(text))] for text in texts
    ]


def test_control_characters():
    text = b"a\t\x00\x7f\xc2\x85\xff"  # means those below a space, neither 127 nor 133
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
    result = [[part.tolist() for part in parts] for parts in run(decoded)]
    assert result[0] == [[97, 63, 63, 127, 133, 63], [0, 1, 2, 3, 4, 6]]
    assert result[1] == [[97, 127, 133], [0, 3, 4]]
    strict = {**options, "errors": "strict"}
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Invalid formatting on input"):
        run(tf.strings.unicode_transcode(b"a\x01", output_encoding="UTF-8", **strict))
    assert run(tf.strings.unicode_decode(b"a\x01", **strict)).tolist() == [97, 63]


def test_encode_surrogates():
    def encoded(encoding, errors="strict"):
        return tf.strings.unicode_encode([0xD800, 65], encoding, errors)

    result = run([encoded("UTF-8"), encoded("UTF-8", "ignore"), encoded("UTF-16-BE")])
    assert result == [b"\xef\xbf\xbdA", b"\xef\xbf\xbdA", b"\xd8\x00\x00A"]
    with pytest.raises(tf.errors.InvalidArgumentError, match="^Code point value out of valid"):
        run(tf.strings.unicode_encode([0x110000], "UTF-8", "strict"))
