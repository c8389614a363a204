"""Columns of tf.contrib.layers that cannot be, and features that they cannot take."""


def _number(tf, name="x", **options):
    return tf.contrib.layers.real_valued_column(name, **options)


def _ids(tf, name="c", **options):
    return tf.contrib.layers.sparse_column_with_integerized_feature(name, 3, **options)


def _inputs(tf, features, *columns):
    return tf.contrib.layers.input_from_feature_columns(features, columns)


def a_vector_in_a_linear_model(tf):
    column = tf.contrib.layers.embedding_column(_ids(tf), 2)
    tf.contrib.layers.weighted_sum_from_feature_columns(
        {"c": tf.constant([[1]], tf.int64)}, [column], 1
    )


def shared_columns_of_two_sizes(tf):
    other = tf.contrib.layers.sparse_column_with_hash_bucket("d", 5)
    tf.contrib.layers.shared_embedding_columns([_ids(tf), other], 2)


def a_sequence_of_buckets(tf):
    column = tf.contrib.layers.bucketized_column(_number(tf), [1])
    tf.contrib.layers.sequence_input_from_feature_columns({"x": tf.ones([1, 2, 1])}, [column])


CASES = {
    "ids_in_a_network": lambda tf: _inputs(tf, {"c": tf.constant([[1]], tf.int64)}, _ids(tf)),
    "numbers_of_one_dimension_in_a_joint_sum": lambda tf: (
        tf.contrib.layers.joint_weighted_sum_from_feature_columns(
            {"x": tf.ones([2, 1])}, [_number(tf)], 1
        )
    ),
    "a_column_twice": lambda tf: _inputs(tf, {"x": tf.ones([2, 1])}, _number(tf), _number(tf)),
    "a_dict_of_columns": lambda tf: tf.contrib.layers.input_from_feature_columns(
        {}, {"x": _number(tf)}
    ),
    "a_dimension_of_nothing": lambda tf: _number(tf, dimension=0),
    "a_dimension_of_words": lambda tf: _number(tf, dimension="2"),
    "a_default_of_another_length": lambda tf: _number(tf, dimension=2, default_value=[1.0]),
    "a_default_of_another_dtype": lambda tf: _number(tf, dtype=tf.int32, default_value=1.5),
    "numbers_that_are_strings": lambda tf: _number(tf, dtype=tf.string),
    "no_boundaries": lambda tf: tf.contrib.layers.bucketized_column(_number(tf), []),
    "ids_of_floats": lambda tf: _ids(tf, dtype=tf.float32),
    "no_buckets": lambda tf: tf.contrib.layers.sparse_column_with_hash_bucket("c", 0),
    "a_vocabulary_without_a_size": lambda tf: tf.contrib.layers.sparse_column_with_vocabulary_file(
        "c", "words.txt"
    ),
    "an_initializer_that_is_a_number": lambda tf: tf.contrib.layers.embedding_column(
        _ids(tf), 2, initializer=0.5
    ),
    "a_shared_column_of_numbers": lambda tf: tf.contrib.layers.shared_embedding_columns(
        [_number(tf)], 2
    ),
    "a_spec_of_a_word": lambda tf: tf.contrib.layers.create_feature_spec_for_parsing(["x"]),
}
