"""Iterator state: each kind of dataset saved halfway and resumed, and datasets that cannot be saved."""

import sqlite3

import numpy as np

from tests.conformance.scenes.data_edges import _all


def _files(tf, folder):
    paths = [f"{folder}/{name}" for name in ("a", "b", "none", "c")]
    for path, text in ((paths[0], "one\ntwo\n\n"), (paths[1], ""), (paths[3], "six\nseven")):
        with open(path, "w") as out:
            out.write(text)
    with tf.io.TFRecordWriter(folder + "/r1") as out:
        for word in (b"x", b"y"):
            out.write(word)
    with tf.io.TFRecordWriter(folder + "/r2") as out:
        out.write(b"z")
    base = sqlite3.connect(folder + "/base")
    base.execute("create table t (n integer, s text, f real)")
    base.executemany(
        "insert into t values (?, ?, ?)", [(1, "a", 0.5), (2, "b", 1.5), (3, "c", 2.5)]
    )
    base.commit()
    base.close()
    with open(folder + "/rows.csv", "w") as out:
        out.write("n,s\n1,a\n2,b\n3,c\n")


def _datasets(tf, folder):
    D, e = tf.data.Dataset, tf.data.experimental
    six = lambda: D.range(6)  # noqa: E731
    texts = [folder + "/a", folder + "/b", folder + "/c"]
    records = [folder + "/r1", folder + "/r2"]
    fill = lambda x: tf.fill([x], x)  # noqa: E731
    return {
        "lines": lambda: tf.data.TextLineDataset(texts),
        "records": lambda: tf.data.TFRecordDataset(records),
        "fixed": lambda: tf.data.FixedLengthRecordDataset(texts[2:], 2, 1, 1),
        "sql": lambda: e.SqlDataset(
            "sqlite", folder + "/base", "select n, s, f from t", (tf.int32, tf.string, tf.float64)
        ),
        "slices": lambda: D.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "z"]}),
        "tensors": lambda: D.from_tensors([1, 2]),
        "sparse_slices": lambda: D.from_sparse_tensor_slices(
            tf.SparseTensor([[0, 0], [2, 1]], [1, 2], [4, 2])
        ),
        "shuffled": lambda: six().shuffle(3, seed=1),
        "repeated": lambda: D.range(2).repeat(3),
        "taken_after_skipped": lambda: D.range(9).skip(2).take(4),
        "joined": lambda: D.range(2).concatenate(D.range(7, 9)),
        "zipped": lambda: D.zip((six(), D.range(10, 15))),
        "filtered": lambda: six().filter(lambda x: tf.equal(x % 2, 1)),
        "mapped": lambda: six().map(lambda x: x * 3),
        "flat": lambda: D.range(4).flat_map(lambda x: D.range(x)),
        "interleaved": lambda: D.range(1, 4).interleave(lambda x: D.range(x), 2, 2),
        "batched": lambda: D.range(5).batch(2),
        "padded": lambda: D.range(5).map(fill).padded_batch(2, [None]),
        "sparse_batches": lambda: (
            D.range(4).map(fill).apply(e.dense_to_sparse_batch(2, [4])).map(tf.sparse.to_dense)
        ),
        "unbatched": lambda: D.range(6).batch(4).apply(e.unbatch()),
        "groups": lambda: six().apply(
            e.group_by_window(lambda x: x % 2, lambda k, d: d.batch(2), window_size=2)
        ),
        "reduced": lambda: six().apply(
            e.group_by_reducer(
                lambda x: x % 3, e.Reducer(lambda k: k, lambda s, x: s + x, lambda s: s)
            )
        ),
        "scanned": lambda: six().apply(e.scan(np.int64(0), lambda s, x: (s + x, s * x))),
        "unique": lambda: six().map(lambda x: x // 2).apply(e.unique()),
        "while": lambda: six().apply(e.take_while(lambda x: x < 4)),
        "chosen": lambda: e.choose_from_datasets(
            [D.range(3), D.range(10, 13)], D.from_tensor_slices(np.int64([0, 1, 1, 0, 0, 1]))
        ),
        "ignoring": lambda: (
            six()
            .map(lambda x: tf.check_numerics(1.0 / tf.to_float(x % 3), "m"))
            .apply(e.ignore_errors())
        ),
        "random": lambda: e.RandomDataset(seed=3).take(4).map(lambda x: x >= 0),
        "stepping": lambda: tf.data.Dataset.range(10, 0, -3),
        "enumerated": lambda: D.range(3).apply(e.enumerate_dataset(5)),
    }


def _gone_on_with(tf, stage, make, name, first):
    with tf.Graph().as_default():
        tf.set_random_seed(1)
        iterator = tf.data.make_initializable_iterator(make())
        value = iterator.get_next()
        keep = tf.data.experimental.make_saveable_from_iterator(iterator)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, keep)
        saver = tf.train.Saver()
        path = f"{stage.folder}/it_{name}"
        with tf.Session() as session, stage.failing():
            session.run(iterator.initializer)
            for _ in range(first):
                stage.say(session.run(value))
            saver.save(session, path)
            stage.say("then", session.run(value))
        with tf.Session() as session, stage.failing():
            session.run(iterator.initializer)
            saver.restore(session, path)
            for _ in range(7):
                stage.say(session.run(value))


def in_the_middle(tf, stage):
    _files(tf, stage.folder)
    for name, make in _datasets(tf, stage.folder).items():
        stage.say(name)
        _gone_on_with(tf, stage, make, name, 2)


def sql(tf, stage):
    _files(tf, stage.folder)
    e = tf.data.experimental
    base = stage.folder + "/base"

    def make(query, types, kind="sqlite"):
        return lambda: e.SqlDataset(kind, base, query, types)

    cases = {
        "types": make(
            "select n, n, n, n, n, n, f, f, s from t limit 1",
            (
                tf.int8,
                tf.int16,
                tf.int32,
                tf.int64,
                tf.uint8,
                tf.uint16,
                tf.float64,
                tf.int32,
                tf.string,
            ),
        ),
        "bool": make("select n from t", (tf.bool,)),
        "text_as_number": make("select s from t limit 1", (tf.int32,)),
        "number_as_text": make("select n, f from t limit 1", (tf.string, tf.string)),
        "null": make("select null, null", (tf.int32, tf.string)),
        "none": make("select n from t where n > 7", (tf.int32,)),
        "columns": make("select n, s from t", (tf.int32,)),
        "table": make("select n from u", (tf.int32,)),
        "syntax": make("selec n", (tf.int32,)),
        "driver": make("select n from t", (tf.int32,), kind="mysql"),
        "float": make("select f from t", (tf.float32,)),
    }
    _all(tf, stage, cases, 5)
