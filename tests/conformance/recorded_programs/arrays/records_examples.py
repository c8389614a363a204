"""Parsing of tf.train.Example records: dense, padded and sparse features, defaults, single or batched."""

import numpy as np


def example(tf, **lists):
    """A serialized Example of lists of ints, floats or bytes, one key."""
    made = []
    for key in sorted(lists):
        values = lists[key]
        kinds = {int: tf.train.Int64List, float: tf.train.FloatList, bytes: tf.train.BytesList}
        fields = {int: "int64_list", float: "float_list", bytes: "bytes_list"}
        kind = type(values[0])
        made.append((key, tf.train.Feature(**{fields[kind]: kinds[kind](value=values)})))
    return tf.train.Example(features=tf.train.Features(feature=dict(made))).SerializeToString()


def in_order(parsed):
    return [parsed[key] for key in sorted(parsed)]


def build(tf):
    records = tf.placeholder(tf.string, [None], name="records")
    record = tf.placeholder(tf.string, [], name="record")
    fixed, ragged = tf.FixedLenFeature, tf.VarLenFeature
    sequence = tf.FixedLenSequenceFeature
    features = {
        "ints": fixed([2], tf.int64),
        "floats": fixed([2, 1], tf.float32),
        "word": fixed([], tf.string, default_value="none"),
        "ids": ragged(tf.int64),
        "missing": ragged(tf.string),
        "pair": fixed([2], tf.int64, default_value=[7, 8]),
    }
    padded = {
        "ids": sequence([], tf.int64, allow_missing=True),
        "floats": sequence([1], tf.float32, allow_missing=True, default_value=-1.0),
        "missing": sequence([2], tf.string, True),
    }
    batch = in_order(tf.parse_example(records, features))
    rows = in_order(tf.io.parse_example(records, padded, name="padded"))
    named = in_order(tf.parse_example(records, {"ids": ragged(tf.int64)}, example_names=records))
    single = in_order(tf.parse_single_example(record, features))
    items = in_order(tf.parse_single_example(record, padded, name="items"))
    one = in_order(tf.parse_single_example(record, features, example_names="the name"))
    default = tf.parse_example(records, {"x": fixed([2], tf.float32, tf.constant([1.0, 2.0]))})
    word = tf.decode_raw(
        tf.parse_single_example(record, {"word": fixed([], tf.string)})["word"], tf.uint8
    )
    first = example(tf, ints=[1, 300], floats=[1.5, 2.5], word=[b"x"], ids=[5, 6, 7], pair=[-1, -2])
    second = example(tf, ints=[-3, 2**40], floats=[0.5, -2.5], ids=[8])
    two = [first, second]
    return {
        "steps": [
            ("batch", batch, {records: two}),
            ("batch of one", batch, {records: [second]}),
            ("batch of none", batch, {records: np.zeros(0, object)}),
            ("padded", rows, {records: two}),
            ("named", named, {records: two}),
            ("single", single, {record: first}),
            ("items", items, {record: second}),
            ("one with a name", one, {record: second}),
            ("tensor as default", [default["x"]], {records: two}),
            ("bytes", word, {record: first}),
        ]
    }
