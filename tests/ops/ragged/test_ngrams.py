"""N-grams of empty rows: TensorFlow writes the preceding string between their pads."""

import tfmini as tf


def test_an_empty_row_with_pads():
    words = tf.ragged.constant([["a", "b"], [], ["c"]])
    made = tf.strings.ngrams(words, 3, "|", pad_values=("<", ">"))
    with tf.Session() as session:
        assert session.run(made).to_list()[1] == [b"<|<|b|>", b"<|b|>|>"]
