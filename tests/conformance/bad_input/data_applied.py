"""tf.data.experimental: invalid groups, choices, records and files, at construction or when read."""

import os
import sqlite3
import tempfile

import numpy as np

FOLDER = os.path.join(tempfile.gettempdir(), "tfmini_bad_data")


def following(tf, dataset):
    return tf.data.make_one_shot_iterator(dataset).get_next()


def start(tf, dataset):
    return tf.data.make_initializable_iterator(dataset).initializer


def written(name, text):
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, name)
    with open(path, "w", newline="") as file:
        file.write(text)
    return path


def csv(tf, text, defaults, **settings):
    path = written("data.csv", text)
    return following(tf, tf.data.experimental.CsvDataset(path, defaults, **settings))


def database():
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.join(FOLDER, "data.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS t (n INTEGER, m INTEGER)")
        connection.execute("INSERT INTO t VALUES (1, 2)")
    connection.close()
    return path


def numbers(tf, count=5):
    return tf.data.Dataset.range(count)


def window_of_negative_size(tf):
    group = tf.data.experimental.group_by_window(
        lambda x: x, lambda k, d: d, window_size_func=lambda k: k - 3
    )
    return following(tf, numbers(tf).apply(group))


def key_of_floats(tf):
    group = tf.data.experimental.group_by_window(
        lambda x: tf.cast(x, tf.float32), lambda k, d: d, 2
    )
    numbers(tf).apply(group)


def window_sizes_of_vectors(tf):
    group = tf.data.experimental.group_by_window(
        lambda x: x, lambda k, d: d, window_size_func=lambda k: [2, 2]
    )
    numbers(tf).apply(group)


def windows_of_other_shapes(tf):
    ragged = numbers(tf).map(lambda n: tf.fill([n], n))
    group = tf.data.experimental.group_by_window(lambda x: np.int64(0), lambda k, d: d.batch(5), 5)
    return following(tf, ragged.apply(group))


def reducer_of_another_key(tf):
    E = tf.data.experimental
    reducer = E.Reducer(lambda k: np.int64(0), lambda s, x: s, lambda s: s)
    numbers(tf).apply(E.group_by_reducer(lambda x: tf.as_string(x), reducer))


def reducer_of_another_dtype(tf):
    E = tf.data.experimental
    reducer = E.Reducer(lambda k: 0.0, lambda s, x: x, lambda s: s)
    numbers(tf).apply(E.group_by_reducer(lambda x: x, reducer))


def reducer_that_fails(tf):
    E = tf.data.experimental
    reducer = E.Reducer(
        lambda k: np.int64(1),
        lambda s, x: s // x,
        lambda s: s,
    )
    return following(tf, numbers(tf).apply(E.group_by_reducer(lambda x: x * 0, reducer)))


def buckets_that_are_too_small(tf):
    bucket = tf.data.experimental.bucket_by_sequence_length(
        lambda x: tf.size(x), [2], [1, 1], pad_to_bucket_boundary=True
    )
    return following(tf, numbers(tf).map(lambda n: tf.fill([n + 2], n)).apply(bucket))


def take_while_that_fails(tf):
    limit = tf.data.experimental.take_while(lambda x: tf.equal(10 // x, 3))
    return following(tf, numbers(tf).apply(limit))


def sparse_batch_of_larger_rows(tf):
    ragged = numbers(tf).map(lambda n: tf.fill([n + 1], n))
    return following(tf, ragged.apply(tf.data.experimental.dense_to_sparse_batch(3, [2])))


def records_in_no_folder(tf):
    path = os.path.join(FOLDER, "not", "there", "records")
    return tf.data.experimental.TFRecordWriter(path).write(numbers(tf).map(tf.as_string))


def csv_files_of_other_columns(tf):
    paths = [written("one.csv", "a,b\n1,2\n"), written("two.csv", "a,c\n1,2\n")]
    tf.data.experimental.make_csv_dataset(paths, 2)


def csv_files_column_beyond(tf):
    path = written("one.csv", "a,b\n1,2\n")
    tf.data.experimental.make_csv_dataset(path, 2, select_columns=[2])


def sql_of_another_driver(tf):
    sql = tf.data.experimental.SqlDataset("mysql", database(), "SELECT n FROM t", (tf.int32,))
    return start(tf, sql)


def sql_of_halves(tf):
    sql = tf.data.experimental.SqlDataset("sqlite", database(), "SELECT n FROM t", (tf.float16,))
    return start(tf, sql)


def examples_that_lack_a_feature(tf):
    features = {"x": tf.FixedLenFeature([], tf.int64)}
    texts = tf.data.Dataset.from_tensors([tf.train.Example().SerializeToString()])
    return following(tf, texts.apply(tf.data.experimental.parse_example_dataset(features)))


def shapes_that_cannot_be(tf):
    check = tf.contrib.data.assert_element_shape(tf.TensorShape([4]))
    numbers(tf).batch(3, drop_remainder=True).apply(check)


def saved_before_it_is_started(tf):
    iterator = tf.data.make_initializable_iterator(numbers(tf))
    return tf.data.experimental.make_saveable_from_iterator(iterator).specs[0].tensor.op


def saved(tf, dataset):
    """A saver of an iterator."""
    iterator = tf.data.make_one_shot_iterator(dataset)
    return tf.data.experimental.make_saveable_from_iterator(iterator).specs[0].tensor.op


def drawn(tf, x):
    return tf.random_uniform([], seed=1)


def saved_python_function(tf):
    D = tf.data.Dataset
    called = D.range(3).map(lambda x: tf.py_func(lambda v: v, [x], tf.int64))
    return saved(tf, D.zip((D.range(3), called)))


def more_calls_than_interleaved(tf):
    D = tf.data.Dataset
    return start(tf, D.range(3).interleave(lambda x: D.range(2), 2, num_parallel_calls=3))


def parallel_interleave_of_no_cycle(tf):
    D = tf.data.Dataset
    return start(tf, D.range(3).interleave(lambda x: D.range(2), 0, num_parallel_calls=1))


def experimental_interleave_of_no_blocks(tf):
    apart = tf.data.experimental.parallel_interleave(lambda x: tf.data.Dataset.range(2), 1, 0)
    return start(tf, tf.data.Dataset.range(3).apply(apart))


def not_a_number_in_a_branch(tf):
    def function(x):
        return tf.cond(x < 9, lambda: tf.check_numerics(tf.log(-1.0), "bad"), lambda: 0.0)

    return following(tf, tf.data.Dataset.range(3).map(function))
