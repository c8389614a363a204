"""Columns that cannot be, and features that they cannot take."""


def _layer(tf, features, *columns):
    return tf.feature_column.input_layer(features, list(columns))


def _number(tf, key="x", **options):
    return tf.feature_column.numeric_column(key, **options)


def _ids(tf, key="c", buckets=3, **options):
    return tf.feature_column.categorical_column_with_identity(key, buckets, **options)


def strings_for_hashed_integers(tf):
    column = tf.feature_column.categorical_column_with_hash_bucket("c", 3, tf.int64)
    _layer(tf, {"c": tf.constant(["a"])}, tf.feature_column.indicator_column(column))


def weights_of_another_dtype(tf):
    column = tf.feature_column.weighted_categorical_column(_ids(tf), "w")
    features = {"c": tf.constant([1]), "w": tf.constant([1])}
    tf.feature_column.linear_model(features, [column])


def sequences_in_a_plain_layer(tf):
    column = tf.feature_column.sequence_categorical_column_with_identity("c", 3)
    _layer(tf, {"c": tf.constant([[1]])}, tf.feature_column.embedding_column(column, 2))


def plain_ids_in_a_layer_of_sequences(tf):
    column = tf.feature_column.embedding_column(_ids(tf), 2)
    tf.contrib.feature_column.sequence_input_layer({"c": tf.constant([[1]])}, [column])


def newer_numbers_in_an_older_layer_of_sequences(tf):
    column = tf.feature_column.sequence_numeric_column("c")
    features = {"c": tf.SparseTensor([[0, 0]], [1.0], [1, 1])}
    tf.contrib.feature_column.sequence_input_layer(features, [column])


def a_negative_id(tf):
    column = tf.feature_column.indicator_column(_ids(tf))
    ids = tf.SparseTensor([[0, 0]], tf.constant([-2], tf.int64), [1, 1])
    tf.Session().run(_layer(tf, {"c": ids}, column))


def a_cross_of_weights(tf):
    weighted = tf.feature_column.weighted_categorical_column(_ids(tf), "w")
    cross = tf.feature_column.crossed_column(["a", weighted], 10)
    features = {"a": tf.constant(["q"]), "c": tf.constant([1]), "w": tf.constant([1.0])}
    tf.feature_column.linear_model(features, [cross])


def two_specs_of_one_feature(tf):
    columns = [_number(tf), _number(tf, shape=2)]
    tf.feature_column.make_parse_example_spec(columns)


CASES = {
    "a_scalar_feature": lambda tf: _layer(tf, {"x": tf.constant(1.0)}, _number(tf)),
    "a_string_for_a_column": lambda tf: _layer(tf, {"x": tf.ones([2])}, "x"),
    "numbers_that_are_sparse": lambda tf: _layer(
        tf, {"x": tf.SparseTensor([[0, 0]], [1.0], [2, 1])}, _number(tf)
    ),
    "floats_for_ids": lambda tf: _layer(
        tf, {"c": tf.constant([1.0])}, tf.feature_column.indicator_column(_ids(tf))
    ),
    "a_vocabulary_that_is_not_there": lambda tf: (
        tf.feature_column.categorical_column_with_vocabulary_file("c", "nowhere.txt")
    ),
    "a_vocabulary_twice": lambda tf: tf.feature_column.categorical_column_with_vocabulary_list(
        "c", ["a", "a"]
    ),
    "an_empty_vocabulary": lambda tf: tf.feature_column.categorical_column_with_vocabulary_list(
        "c", []
    ),
    "a_default_and_other_buckets": lambda tf: (
        tf.feature_column.categorical_column_with_vocabulary_list(
            "c", ["a"], default_value=0, num_oov_buckets=2
        )
    ),
    "a_vocabulary_of_another_dtype": lambda tf: (
        tf.feature_column.categorical_column_with_vocabulary_list("c", ["a"], dtype=tf.int64)
    ),
    "no_buckets": lambda tf: tf.feature_column.categorical_column_with_hash_bucket("c", 0),
    "a_default_that_is_no_id": lambda tf: _ids(tf, default_value=3),
    "a_key_that_is_no_string": lambda tf: _number(tf, 3),
}
