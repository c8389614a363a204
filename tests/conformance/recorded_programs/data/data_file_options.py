"""Rarely used options of file readers: compression, small buffers, parallel reads, columns."""

import gzip
import os
import tempfile


def write(tf, folder):
    for name in "ab":
        path = os.path.join(folder, name)
        with gzip.open(path + ".gz", "wb") as file:
            file.write(b"\n".join(b"%s %d" % (name.encode(), n) for n in range(4)) + b"\n")
        with open(path + ".csv", "w") as file:
            file.write("x;y;z\n" + "".join(f"{n};'{name} {n}';{n / 2}\n" for n in range(4)))
        with gzip.open(path + ".csv.gz", "wb") as file:
            file.write(b"1,2\n3,4\n")
        with open(path + ".bin", "wb") as file:
            file.write(b"HH" + bytes(range(9)) + b"F")
        with tf.python_io.TFRecordWriter(path + ".tfr") as writer:
            for number in range(4):
                values = tf.train.Int64List(value=[number])
                features = tf.train.Features(feature={"a": tf.train.Feature(int64_list=values)})
                writer.write(tf.train.Example(features=features).SerializeToString())


def rows(tf, make):
    """All elements of a dataset, in a separate graph."""
    with tf.Graph().as_default():
        tf.set_random_seed(3)
        iterator = tf.compat.v1.data.make_initializable_iterator(make())
        element, found = iterator.get_next(), []
        with tf.Session() as session:
            session.run(tf.tables_initializer())
            session.run(iterator.initializer)
            while True:
                try:
                    found.append(session.run(element))
                except tf.errors.OutOfRangeError:
                    return [tf.nest.flatten(each) for each in found]


def build(tf):
    data, experimental = tf.data, tf.data.experimental
    csv, features = experimental.make_csv_dataset, experimental.make_batched_features_dataset
    once = {"num_epochs": 1, "shuffle": False}
    a = {"a": tf.FixedLenFeature([], tf.int64)}
    with tempfile.TemporaryDirectory() as folder:
        write(tf, folder)

        def files(kind):
            return [os.path.join(folder, name + kind) for name in "ab"]

        def semicolons(**options):
            return csv(files(".csv"), 3, field_delim=";", **options)

        made = {
            "text": lambda: data.TextLineDataset(files(".gz"), compression_type="GZIP", buffer_size=3),
            "parallel text": lambda: data.TextLineDataset(files(".gz"), "GZIP", num_parallel_reads=2),
            "fixed": lambda: data.FixedLengthRecordDataset(
                files(".bin"), 3, 2, 1, buffer_size=4, num_parallel_reads=2
            ),
            "labels": lambda: semicolons(label_name="z", sloppy=False, **once),
            "columns": lambda: semicolons(
                column_names=["p", "q", "r"], select_columns=["p", "r"], use_quote_delim=False,
                num_rows_for_inference=2, **once
            ),  # fmt: skip
            "no header": lambda: csv(
                files(".csv.gz"), 2, column_names=["p", "q"], header=False, compression_type="GZIP", **once
            ),
            "shuffled": lambda: semicolons(
                num_epochs=2, shuffle_seed=4, shuffle_buffer_size=3, num_rows_for_inference=None
            ),
            "whole batches": lambda: features(files(".tfr"), 3, a, drop_final_batch=True, **once),
            "label of features": lambda: features(files(".tfr"), 3, a, label_key="a", **once),
            "shuffled features": lambda: features(
                files(".tfr"), 3, a, num_epochs=1, shuffle_seed=2, shuffle_buffer_size=3
            ),
            "parallel features": lambda: features(
                files(".tfr"), 3, a, reader_num_threads=2, parser_num_threads=3, sloppy_ordering=False, **once
            ),
            "arguments of readers": lambda: features(
                files(".tfr"), 3, a, reader=data.TFRecordDataset, reader_args=["", 100, 1], **once
            ),
            "interleaved": lambda: data.Dataset.range(3).apply(
                experimental.parallel_interleave(
                    lambda x: data.Dataset.from_tensors(x).repeat(3), 2, block_length=2, buffer_output_elements=2
                )
            ),
            "blocks": lambda: data.Dataset.range(4).interleave(
                lambda x: data.Dataset.from_tensors(x).repeat(3), 3, 2, num_parallel_calls=2
            ),
        }  # fmt: skip
        found = {name: rows(tf, make) for name, make in made.items()}
    return {"steps": [(name, lambda session, name=name: found[name]) for name in found]}
