"""Columns of tf.contrib.layers that cannot be, and features that they cannot take."""


def _number(tf, name="x", **options):
    return tf.contrib.layers.real_valued_column(name, **options)


def _ids(tf, name="c", **options):
    return tf.contrib.layers.sparse_column_with_integerized_feature(name, 3, **options)


def _inputs(tf, features, *columns):
    return tf.contrib.layers.input_from_feature_columns(features, columns)


def ids_in_a_network(tf):
    _inputs(tf, {"c": tf.constant([[1]], tf.int64)}, _ids(tf))


def a_vector_in_a_linear_model(tf):
    column = tf.contrib.layers.embedding_column(_ids(tf), 2)
    tf.contrib.layers.weighted_sum_from_feature_columns(
        {"c": tf.constant([[1]], tf.int64)}, [column], 1
    )


def numbers_of_one_dimension_in_a_joint_sum(tf):
    tf.contrib.layers.joint_weighted_sum_from_feature_columns(
        {"x": tf.ones([2, 1])}, [_number(tf)], 1
    )


def a_column_twice(tf):
    _inputs(tf, {"x": tf.ones([2, 1])}, _number(tf), _number(tf))


def a_dict_of_columns(tf):
    tf.contrib.layers.input_from_feature_columns({}, {"x": _number(tf)})


def a_dimension_of_nothing(tf):
    _number(tf, dimension=0)


def a_dimension_of_words(tf):
    _number(tf, dimension="2")


def a_default_of_another_length(tf):
    _number(tf, dimension=2, default_value=[1.0])


def a_default_of_another_dtype(tf):
    _number(tf, dtype=tf.int32, default_value=1.5)


def numbers_that_are_strings(tf):
    _number(tf, dtype=tf.string)


def boundaries_that_do_not_ascend(tf):
    tf.contrib.layers.bucketized_column(_number(tf), [2, 1])


def no_boundaries(tf):
    tf.contrib.layers.bucketized_column(_number(tf), [])


def ids_of_floats(tf):
    _ids(tf, dtype=tf.float32)


def no_buckets(tf):
    tf.contrib.layers.sparse_column_with_hash_bucket("c", 0)


def keys_that_are_no_pairs(tf):
    tf.contrib.layers.sparse_column_with_hash_bucket("c", 3, hash_keys=[[1]])


def a_vocabulary_without_a_size(tf):
    tf.contrib.layers.sparse_column_with_vocabulary_file("c", "words.txt")


def an_initializer_that_is_a_number(tf):
    tf.contrib.layers.embedding_column(_ids(tf), 2, initializer=0.5)


def half_a_checkpoint(tf):
    tf.contrib.layers.embedding_column(_ids(tf), 2, ckpt_to_load_from="somewhere")


def shared_columns_of_two_sizes(tf):
    other = tf.contrib.layers.sparse_column_with_hash_bucket("d", 5)
    tf.contrib.layers.shared_embedding_columns([_ids(tf), other], 2)


def a_shared_column_of_numbers(tf):
    tf.contrib.layers.shared_embedding_columns([_number(tf)], 2)


def a_sequence_of_buckets(tf):
    column = tf.contrib.layers.bucketized_column(_number(tf), [1])
    tf.contrib.layers.sequence_input_from_feature_columns({"x": tf.ones([1, 2, 1])}, [column])


def a_spec_of_a_word(tf):
    tf.contrib.layers.create_feature_spec_for_parsing(["x"])
