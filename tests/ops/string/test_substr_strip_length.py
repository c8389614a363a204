"""tf.strings.substr, length and lower, in UTF-8 characters."""

import numpy as np

import tfmini as tf
from tests.support.sessions import run


def strings(*values):
    return np.array(values, object)


def test_utf8_characters():
    text = "héllo wörld".encode()
    assert run(tf.strings.substr([text], [-4], [3], unit="UTF8_CHAR")).tolist() == ["örl".encode()]
    assert run(tf.strings.length(strings(b"\xff\x80a\xc3"), unit="UTF8_CHAR")).tolist() == [3]
    lowered = tf.strings.lower(strings("ABÉßİ".encode()), encoding="utf-8")
    assert run(lowered).tolist() == ["abéßi\u0307".encode()]
