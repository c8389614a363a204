"""N-grams of rows of which one is empty: between its pads TensorFlow writes the string before it."""

import tfmini as tf


def test_an_empty_row_with_pads():
    words = tf.ragged.constant([["a", "b"], [], ["c"]])
    made = tf.strings.ngrams(words, 3, "|", pad_values=("<", ">"))
    with tf.Session() as session:
        assert session.run(made).to_list()[1] == [b"<|<|b|>", b"<|b|>|>"]
