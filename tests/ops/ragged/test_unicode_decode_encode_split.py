"""tf.strings.unicode_split."""

import tfmini as tf
from tests.support.sessions import run


def test_unicode_split_as_python_splits():
    texts = ["añb€", "", "\U0001f600aa\ud7ff", "€"]
    rows = run(tf.strings.unicode_split([text.encode() for text in texts], "UTF-8")).to_list()
    assert rows == [[char.encode() for char in text] for text in texts]
