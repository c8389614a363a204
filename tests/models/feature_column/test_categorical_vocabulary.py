"""Columns with vocabulary files."""

import numpy as np
import pytest

import tfmini as tf

COLUMNS = tf.feature_column


def one_hot(column, words, session):
    layer = COLUMNS.input_layer({"word": tf.constant(words)}, [COLUMNS.indicator_column(column)])
    session.run(tf.tables_initializer())
    return session.run(layer)


@pytest.fixture
def vocabulary(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("a\nb\nc\n")
    return str(path)


def test_vocabulary_size_is_counted(vocabulary):
    column = COLUMNS.categorical_column_with_vocabulary_file("word", vocabulary)
    assert column.vocabulary_size == 3
    with tf.Graph().as_default(), tf.Session() as session:
        result = one_hot(column, [["c", "a"], ["other", ""]], session)
    np.testing.assert_array_equal(result, [[1, 0, 1], [0, 0, 0]])


def test_oov_buckets_and_default_value(vocabulary):
    bucket = COLUMNS.categorical_column_with_vocabulary_file(
        "word", vocabulary, 2, num_oov_buckets=1
    )
    default = COLUMNS.categorical_column_with_vocabulary_file("word", vocabulary, default_value=1)
    with tf.Graph().as_default(), tf.Session() as session:
        np.testing.assert_array_equal(one_hot(bucket, [["c", "b"]], session), [[0, 1, 1]])
        np.testing.assert_array_equal(one_hot(default, [["x"]], session), [[0, 1, 0]])


@pytest.mark.parametrize("count", [0, 3])
def test_short_vocabulary_file_is_named(vocabulary, count):
    with open(vocabulary, "r+") as file:
        file.truncate(2 * count)
    column = COLUMNS.categorical_column_with_vocabulary_file("word", vocabulary, 5)
    with tf.Graph().as_default(), tf.Session() as session:
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            one_hot(column, ["a"], session)
    assert f"Invalid vocab_size in {vocabulary}: expected 5 but got {count}" in error.value.message
