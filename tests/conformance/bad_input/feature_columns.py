"""Invalid feature columns, and features that they reject."""


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
