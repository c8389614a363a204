"""Invalid tf.contrib.layers columns, and features that they reject."""


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
