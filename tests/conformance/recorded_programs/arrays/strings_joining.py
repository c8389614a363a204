"""Strings joined and split: element by element, along axes, by segments; SparseTensors of parts."""

import numpy as np


def build(tf):
    words = tf.constant([["to", "be"], ["or", "not"]], name="words")
    fed = tf.placeholder(tf.string, name="fed")
    axis = tf.placeholder(tf.int32, name="axis")
    rows = tf.placeholder(tf.string, [None], name="rows")
    joined = [
        tf.strings.join([words, words], name="pairs"),
        tf.string_join([words, "x", fed], separator="-"),
        tf.strings.join(["a", "b"], ", "),
    ]
    reduced = [
        tf.reduce_join(words, 0),
        tf.strings.reduce_join(words, [0, 1], separator=" "),
        tf.strings.reduce_join(words, [1, 0], separator=" ", name="columns"),
        tf.reduce_join(words, -1, keepdims=True),
        tf.reduce_join(words),
        tf.reduce_join(fed),
        tf.reduce_join(fed, reduction_indices=[0], keep_dims=True),
        tf.reduce_join(words, axis, keepdims=True),
        tf.reduce_join(words, axis),
        tf.strings.unsorted_segment_join(["a", "b", "c"], [1, 0, 1], 3, separator=","),
        tf.strings.unsorted_segment_join(words, [1, 1], 2),
    ]
    split = [
        tf.string_split(rows),
        tf.string_split(rows, ", ", name="several"),
        tf.string_split(rows, sep="", skip_empty=False),
        tf.string_split(rows, delimiter=",", skip_empty=False),
        tf.strings.split(rows),
        tf.strings.split(rows, ",", name="commas"),
        tf.strings.split(rows, ", ", maxsplit=1),
        tf.strings.split(source=rows, sep="", maxsplit=1),
        tf.strings.split(rows, maxsplit=0),
    ]
    fact = tf.user_ops.my_fact()
    lines = [b"a b, c", b"", b" x ,, y ", b"one"]
    return {
        "steps": [
            ("joined", joined, {fed: [["p", "q"], ["r", "s"]]}),
            ("reduced", reduced, {fed: [["p", "q"], ["r", "s"]], axis: 1}),
            ("reduced scalar", reduced[5], {fed: "z"}),
            ("split", split, {rows: lines}),
            ("split nothing", split, {rows: np.zeros(0, object)}),
            ("fact", fact),
        ]
    }
