"""tf.decode_base64, tf.decode_compressed and tf.decode_raw."""

import pytest

import tfmini as tf
from tests.support.sessions import run

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
def test_decode_base64_refuses_malformed_text(text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=BASE64[text]):
        run(tf.decode_base64(text))


def test_decode_base64_ignores_trailing_bits():
    assert run(tf.decode_base64(["YR", "YQ==", ""])).tolist() == [b"a", b"a", b""]


def test_decode_compressed():
    data = b"x\x9cKLJ\x06\x00\x02M\x01'"
    assert run(tf.decode_compressed([data[:6]], "ZLIB")).shape == (1,)
    with pytest.raises(tf.errors.DataLossError, match="inflate.. failed with error -3: incorrect"):
        run(tf.decode_compressed([data], "GZIP"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Only ZLIB, GZIP or NONE"):
        run(tf.decode_compressed([data], "BZ2"))


def test_decode_raw_of_empty_strings():
    assert run(tf.decode_raw([""], tf.uint8)).shape == (1, 0)
    assert run(tf.decode_raw(tf.zeros([0], tf.string), tf.int32)).shape == (0, 0)
