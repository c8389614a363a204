"""Datasets: errors, and effects of their options."""

import gzip
import zlib

from tests.conformance.short_programs import FILE, rows, table_of


def programs(tf):
    D = tf.data.Dataset
    more = tf.data.experimental

    def sparse():
        return tf.SparseTensor([[0, 0]], [1.0], [2, 2])

    def r(count=4):
        return D.range(count)

    def two():
        a, b = tf.data.Options(), tf.data.Options()
        a.experimental_deterministic, b.experimental_deterministic = True, False
        return r().with_options(a).with_options(b).options()

    def elements(dataset, count=3):
        following = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
        with tf.Session() as session:
            found = []
            for _ in range(count):
                try:
                    found.append(session.run(following))
                except tf.errors.OutOfRangeError:
                    break
        return found

    def lines(**options):
        return elements(more.make_csv_dataset(FILE, 2, num_epochs=1, shuffle=False, **options))

    def quoted(**options):
        with open("q.csv", "w") as file:
            file.write('a,b\n1,"2 3"\n"4","x,y"\n')
        given = {"num_epochs": 1, "shuffle": False, **options}
        return elements(more.make_csv_dataset("q.csv", 2, **given))

    def featured(**options):
        example = tf.train.Example()
        with tf.io.TFRecordWriter("r") as writer:
            for value in range(5):
                example.features.feature["x"].int64_list.value[:] = [value]
                writer.write(example.SerializeToString())
        given = {
            "batch_size": 2,
            "num_epochs": 1,
            "shuffle": False,
            "features": {"x": tf.io.FixedLenFeature([], tf.int64)},
        }
        return elements(more.make_batched_features_dataset("r", **{**given, **options}), 8)

    def fixed(*args, **options):
        with open("b", "wb") as file:
            text = b"abcdefghijkl"
            kind = options.get("compression_type")
            file.write({"GZIP": gzip.compress, "ZLIB": zlib.compress}.get(kind, bytes)(text))
        return elements(tf.data.FixedLengthRecordDataset("b", *args, **options), 8)

    return rows(
        table_of(__file__),
        tf=tf, D=D, FILE=FILE, elements=elements, lines=lines, more=more, r=r, sparse=sparse, two=two,
        quoted=quoted, featured=featured, fixed=fixed,
    )  # fmt: skip
