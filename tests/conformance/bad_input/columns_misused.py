"""Feature columns with mismatches at run time: shapes, dtypes, boundaries, vocabularies, layers."""

import os
import tempfile


def _words(tf, **options):
    return tf.feature_column.categorical_column_with_vocabulary_list("kind", ["a", "b"], **options)


def _file(text):
    path = os.path.join(tempfile.mkdtemp(), "words.txt")
    with open(path, "w") as file:
        file.write(text)
    return path


def a_vocabulary_file_of_words_for_ids(tf):
    column = tf.feature_column.categorical_column_with_vocabulary_file(
        "kind", _file("a\nb\n"), 2, dtype=tf.int64
    )
    features = {"kind": tf.constant([[1], [2]], tf.int64)}
    layer = tf.feature_column.input_layer(features, [tf.feature_column.indicator_column(column)])

    def run(session):
        session.run(tf.tables_initializer())
        session.run(layer)

    return run


def identities_of_words(tf):
    column = tf.feature_column.categorical_column_with_identity("kind", 3)
    features = {"kind": tf.constant([["a"]])}
    tf.feature_column.input_layer(features, [tf.feature_column.indicator_column(column)])


def a_cross_of_what_is_missing(tf):
    cross = tf.feature_column.crossed_column(["a", "b"], 10)
    tf.feature_column.linear_model({"a": tf.constant([["x"]])}, [cross])


def weights_that_are_missing(tf):
    column = tf.feature_column.weighted_categorical_column(_words(tf), "weight")
    tf.feature_column.linear_model({"kind": tf.constant([["a"]])}, [column])


def an_embedding_by_another_combiner(tf):
    column = tf.feature_column.embedding_column(_words(tf), 2, combiner="most")
    tf.feature_column.input_layer({"kind": tf.constant([["a"]])}, [column])


def examples_without_a_feature(tf):
    spec = tf.feature_column.make_parse_example_spec([tf.feature_column.numeric_column("x")])
    example = tf.train.Example().SerializeToString()
    return tf.parse_example([example], spec)


def examples_with_another_kind_of_feature(tf):
    spec = tf.feature_column.make_parse_example_spec([tf.feature_column.numeric_column("x")])
    words = tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a"]))
    example = tf.train.Example(features=tf.train.Features(feature={"x": words}))
    return tf.parse_example([example.SerializeToString()], spec)
