"""Strings, records, tables and files: mismatched, malformed or missing."""

import numpy as np

NEEDS = "re2"


def fed(tf, value, dtype=object):
    """A tensor of unknown static shape."""
    return tf.placeholder_with_default(np.array(value, dtype), None)


def example(tf, **lists):
    """A serialized Example with lists of integers."""
    features = {
        key: tf.train.Feature(int64_list=tf.train.Int64List(value=values))
        for key, values in lists.items()
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


def steps(tf, values):
    """A serialized SequenceExample with one list of integers per step."""
    made = [tf.train.Feature(int64_list=tf.train.Int64List(value=step)) for step in values]
    lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=made)})
    return tf.train.SequenceExample(feature_lists=lists).SerializeToString()


def record_with_too_many_values(tf):
    records = [example(tf, x=[1, 2]), example(tf, x=[1, 2, 3])]
    return tf.parse_example(records, {"x": tf.FixedLenFeature([2], tf.int64)})["x"]


def record_with_half_an_item(tf):
    feature = tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)
    return tf.parse_example([example(tf, x=[1, 2, 3])], {"x": feature})["x"]


def single_record_without_a_feature(tf):
    record = example(tf, y=[1])
    return tf.parse_single_example(record, {"x": tf.FixedLenFeature([2], tf.int64)})


def last_of_two_wrong_features(tf):
    features = {key: tf.FixedLenFeature([1], tf.int64) for key in "xy"}
    return tf.parse_example([example(tf, x=[1, 2]) + example(tf, y=[3, 4])], features)["x"]


def last_of_two_wrong_features_of_a_single_record(tf):
    features = {"x": tf.FixedLenFeature([1], tf.int64), "y": tf.VarLenFeature(tf.string)}
    return tf.parse_single_example(example(tf, x=[1, 2]) + example(tf, y=[3, 4]), features)["x"]


def sequence_record_with_words_of_other_lengths(tf):
    record = tf.train.SequenceExample()
    record.feature_lists.feature_list["x"].feature.add().bytes_list.value.extend([b"a", b"b"])
    lists = {"x": tf.FixedLenSequenceFeature([], tf.string)}
    return tf.parse_single_sequence_example(record.SerializeToString(), None, lists)[1]["x"]


def sequence_record_with_too_much_before_another_dtype(tf):
    record = tf.train.SequenceExample.FromString(steps(tf, [[1, 2]]))
    record.feature_lists.feature_list["x"].feature.add().float_list.value.append(1.5)
    lists = {"x": tf.FixedLenSequenceFeature([], tf.int64)}
    return tf.parse_single_sequence_example(record.SerializeToString(), None, lists)[1]["x"]


def batch_of_sequence_records_without_a_list(tf):
    lists = {"x": tf.FixedLenSequenceFeature([], tf.int64)}
    return tf.io.parse_sequence_example([b""], sequence_features=lists)


def batch_of_sequence_records_with_half_an_item(tf):
    records = [steps(tf, [[1, 2]]), steps(tf, [[1, 2], [3]])]
    lists = {"x": tf.FixedLenSequenceFeature([2], tf.int64)}
    return tf.io.parse_sequence_example(records, None, lists)[1]["x"]


def batch_of_sequence_records_with_steps_of_other_lengths(tf):
    records = [steps(tf, [[1, 2]]), steps(tf, [[1], [2, 3, 4]])]
    lists = {"x": tf.FixedLenSequenceFeature([2], tf.int64)}
    return tf.io.parse_sequence_example(records, None, lists, ["a", "b"])[1]["x"]


def table_before_it_is_filled(tf):
    table = tf.contrib.lookup.index_table_from_tensor(["a"])
    return table.lookup(tf.constant(["a"]), name="early")


def table_of_other_lengths(tf):
    keys = tf.contrib.lookup.KeyValueTensorInitializer(["a", "b"], [1])
    return tf.contrib.lookup.HashTable(keys, -1)


def table_of_nothing(tf):
    table = tf.contrib.lookup.index_to_string_table_from_tensor([])
    return table.initializer


def table_with_another_default(tf):
    pairs = tf.contrib.lookup.KeyValueTensorInitializer(["a"], [1])
    return tf.contrib.lookup.HashTable(pairs, "none")


def example_in_json_of_a_number_that_is_none(tf):
    lists = '{"int64List": {"value": [1, "one"]}}'
    return tf.decode_json_example('{"features": {"feature": {"a": ' + lists + "}}}")


def proto_of_too_few_numbers(tf):
    message = tf.make_tensor_proto([1, 2])
    message.tensor_shape.dim[0].size = 7
    return tf.parse_tensor(message.SerializeToString(), tf.int32)
