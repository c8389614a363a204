"""Strings, records, tables and files: what does not fit, is malformed or is not there."""

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
    """A serialized SequenceExample with one list of integers a step."""
    made = [tf.train.Feature(int64_list=tf.train.Int64List(value=step)) for step in values]
    lists = tf.train.FeatureLists(feature_list={"x": tf.train.FeatureList(feature=made)})
    return tf.train.SequenceExample(feature_lists=lists).SerializeToString()


def join_of_other_shapes_when_run(tf):
    return tf.strings.join([fed(tf, [b"a", b"b"]), fed(tf, [b"a"])])


def join_into_a_segment_that_is_not_there(tf):
    return tf.strings.unsorted_segment_join(["a", "b"], [0, 5], 2)


def characters_that_are_none(tf):
    return tf.strings.unicode_transcode(b"a\xc3", "UTF-8", "UTF-8", errors="strict")


def record_that_is_none(tf):
    return tf.parse_example(["text"], {"x": tf.FixedLenFeature([], tf.int64)})["x"]


def record_with_another_dtype(tf):
    return tf.parse_example([example(tf, x=[1])], {"x": tf.FixedLenFeature([], tf.float32)})["x"]


def record_with_another_dtype_in_a_ragged_feature(tf):
    return tf.parse_example([example(tf, x=[1])], {"x": tf.VarLenFeature(tf.string)})["x"]


def record_with_too_many_values(tf):
    records = [example(tf, x=[1, 2]), example(tf, x=[1, 2, 3])]
    return tf.parse_example(records, {"x": tf.FixedLenFeature([2], tf.int64)})["x"]


def record_with_half_an_item(tf):
    feature = tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)
    return tf.parse_example([example(tf, x=[1, 2, 3])], {"x": feature})["x"]


def single_record_with_too_many_values(tf):
    return tf.parse_single_example(example(tf, x=[1, 2]), {"x": tf.FixedLenFeature([], tf.int64)})


def single_record_without_a_feature(tf):
    record = example(tf, y=[1])
    return tf.parse_single_example(record, {"x": tf.FixedLenFeature([2], tf.int64)})


def last_of_two_wrong_features(tf):
    features = {key: tf.FixedLenFeature([1], tf.int64) for key in "xy"}
    return tf.parse_example([example(tf, x=[1, 2]) + example(tf, y=[3, 4])], features)["x"]


def last_of_two_wrong_features_of_a_single_record(tf):
    features = {"x": tf.FixedLenFeature([1], tf.int64), "y": tf.VarLenFeature(tf.string)}
    return tf.parse_single_example(example(tf, x=[1, 2]) + example(tf, y=[3, 4]), features)["x"]


def sequence_record_without_a_feature(tf):
    return tf.parse_single_sequence_example(b"", {"x": tf.FixedLenFeature([], tf.int64)})


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


def batch_of_sequence_records_without_a_feature(tf):
    return tf.io.parse_sequence_example([b""], {"x": tf.FixedLenFeature([], tf.int64)})


def batch_of_sequence_records_with_half_an_item(tf):
    records = [steps(tf, [[1, 2]]), steps(tf, [[1, 2], [3]])]
    lists = {"x": tf.FixedLenSequenceFeature([2], tf.int64)}
    return tf.io.parse_sequence_example(records, None, lists)[1]["x"]


def batch_of_sequence_records_with_steps_of_other_lengths(tf):
    records = [steps(tf, [[1, 2]]), steps(tf, [[1], [2, 3, 4]])]
    lists = {"x": tf.FixedLenSequenceFeature([2], tf.int64)}
    return tf.io.parse_sequence_example(records, None, lists, ["a", "b"])[1]["x"]


def batch_of_sequence_records_that_are_none(tf):
    return tf.io.parse_sequence_example(["text"], {"x": tf.VarLenFeature(tf.int64)})


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


def file_in_a_folder_that_cannot_be_made(tf):
    return tf.write_file("/dev/null/no/such/file", "text")


def example_in_json_of_a_number_that_is_none(tf):
    lists = '{"int64List": {"value": [1, "one"]}}'
    return tf.decode_json_example('{"features": {"feature": {"a": ' + lists + "}}}")


def proto_of_too_few_numbers(tf):
    message = tf.make_tensor_proto([1, 2])
    message.tensor_shape.dim[0].size = 7
    return tf.parse_tensor(message.SerializeToString(), tf.int32)


CASES = {
    "join_of_other_shapes": lambda tf: tf.strings.join([["a", "b"], ["a", "b", "c"]]),
    "join_along_an_axis_twice": lambda tf: tf.reduce_join([["a", "b"]], [1, -1]),
    "join_of_fed_axis": lambda tf: tf.reduce_join([["a", "b"]], fed(tf, 5, np.int32)),
    "join_into_fewer_than_no_segments": lambda tf: tf.strings.unsorted_segment_join(
        ["a", "b"], [0, 1], -1
    ),
    "join_into_a_vector_of_segments": lambda tf: tf.strings.unsorted_segment_join(
        ["a", "b"], [0, 1], [2]
    ),
    "join_of_a_scalar_into_segments": lambda tf: tf.strings.unsorted_segment_join("a", 0, 1),
    "join_of_a_tensor": lambda tf: tf.strings.join(tf.constant(["a", "b"])),
    "split_of_a_scalar": lambda tf: tf.string_split("a b"),
    "split_of_a_fed_scalar": lambda tf: tf.string_split(fed(tf, b"a b")).values,
    "split_at_a_vector": lambda tf: tf.strings.split(["a b"], fed(tf, [b" "])).values,
    "split_to_what_is_not_known": lambda tf: tf.string_split(["a"], result_type="List"),
    "substring_of_other_shapes": lambda tf: tf.strings.substr(["hello"], [1, 2], [2]),
    "lower_in_ascii": lambda tf: tf.strings.lower(["A"], encoding="ascii"),
    "pattern_without_its_end": lambda tf: tf.strings.regex_replace(["a"], "(a", "b"),
    "pattern_that_looks_ahead": lambda tf: tf.strings.regex_full_match(["a"], "a(?=b)"),
    "pattern_that_repeats_nothing": lambda tf: tf.strings.regex_full_match(["a"], fed(tf, b"*a")),
    "pattern_that_is_a_vector": lambda tf: tf.strings.regex_replace(["a"], fed(tf, [b"a"]), "b"),
    "hash_into_too_many_buckets": lambda tf: tf.strings.to_hash_bucket_fast(["a"], 2**64),
    "hash_with_a_number_as_key": lambda tf: tf.strings.to_hash_bucket_strong(["a"], 5, 3),
    "number_that_is_none": lambda tf: tf.string_to_number(["1.5", "1.5x"]),
    "integer_that_is_too_large": lambda tf: tf.strings.to_number(["3000000000"], tf.int32),
    "filled_with_a_letter": lambda tf: tf.as_string([1.0], width=5, fill="x"),
    "base64_with_a_space": lambda tf: tf.decode_base64(["YW Jj"]),
    "base64_of_one_letter": lambda tf: tf.decode_base64("Y"),
    "bytes_of_other_lengths": lambda tf: tf.decode_raw(["ab", "abc"], tf.uint8),
    "line_with_text_for_a_number": lambda tf: tf.decode_csv(["1,x"], [[0], [0.0]]),
    "line_with_an_open_quote": lambda tf: tf.decode_csv(['"ab,1'], [[""], [0]]),
    "tensor_of_another_dtype": lambda tf: tf.parse_tensor(tf.serialize_tensor([1.0]), tf.int32),
    "tensor_that_is_none": lambda tf: tf.parse_tensor("text", tf.int32),
    "single_record_in_a_vector": lambda tf: tf.parse_single_example(
        [b""], {"x": tf.VarLenFeature(tf.int64)}
    ),
    "no_features": lambda tf: tf.parse_example([b""], {}),
    "feature_of_unknown_length": lambda tf: tf.parse_example(
        [b""], {"x": tf.FixedLenFeature([None], tf.int64)}
    ),
    "feature_that_is_a_number": lambda tf: tf.parse_example([b""], {"x": 3}),
    "feature_of_another_integer": lambda tf: tf.parse_example(
        [b""], {"x": tf.FixedLenFeature([2], tf.int32)}
    ),
    "sequence_that_must_not_be_missing": lambda tf: tf.parse_example(
        [b""], {"x": tf.FixedLenSequenceFeature([2], tf.int64)}
    ),
    "file_that_is_not_there": lambda tf: tf.read_file("/no/such/file"),
    "file_in_a_vector": lambda tf: tf.read_file(["/no/such/file"]),
    "files_of_a_folder_that_is_not_there": lambda tf: tf.matching_files("/no/such/*.txt"),
    "example_in_json_of_a_list": lambda tf: tf.decode_json_example(["{}", "[]"]),
}
