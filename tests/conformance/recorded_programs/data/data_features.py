"""tf.data: batches of Examples parsed by a dataset, and files of Examples."""

import os

from tests.conformance.recorded_programs.data.data_basic import read_all

FOLDER = "/tmp/tfmini_data_features"  # as recorded


def examples(tf):
    made = []
    for number in range(7):
        example = tf.train.Example()
        feature = example.features.feature
        feature["x"].float_list.value.extend([number, number + 0.5])
        feature["ids"].int64_list.value.extend(range(number % 3))
        if number % 2:
            feature["word"].bytes_list.value.append(b"w%d" % number)
        feature["label"].int64_list.value.append(number * number)
        feature["at"].int64_list.value.extend([number % 5, 5])
        feature["values"].float_list.value.extend([1.0, number])
        made.append(example.SerializeToString(deterministic=True))
    return made


def build(tf):
    E = tf.data.experimental
    os.makedirs(FOLDER, exist_ok=True)
    records = examples(tf)
    for name, part in (("a", records[:3]), ("b", records[3:])):
        with tf.python_io.TFRecordWriter(os.path.join(FOLDER, name + ".tfrecord")) as writer:
            for record in part:
                writer.write(record)
    pattern = os.path.join(FOLDER, "*.tfrecord")
    features = {
        "x": tf.FixedLenFeature([2], tf.float32),
        "word": tf.FixedLenFeature([], tf.string, default_value="none"),
        "ids": tf.VarLenFeature(tf.int64),
        "label": tf.FixedLenFeature([], tf.int64),
    }
    sequences = {
        "ids": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True, default_value=-1)
    }
    at = {"sparse": tf.SparseFeature("at", "values", tf.float32, 6)}
    rows = tf.data.Dataset.from_tensor_slices(records)
    datasets = [
        rows.batch(3).apply(E.parse_example_dataset(features)),
        rows.batch(4).apply(E.parse_example_dataset(sequences, num_parallel_calls=2)),
        rows.batch(2, drop_remainder=True).apply(E.parse_example_dataset(at)),
        E.make_batched_features_dataset(pattern, 3, features, num_epochs=1, shuffle=False),
        E.make_batched_features_dataset(
            pattern, 3, features, label_key="label", num_epochs=1, shuffle=False
        ),
        E.make_batched_features_dataset(
            pattern, 2, features, shuffle_seed=5, num_epochs=2, reader_num_threads=2
        ).map(lambda f: f["label"]),
        E.make_batched_features_dataset(
            pattern,
            4,
            features,
            reader=tf.data.TFRecordDataset,
            reader_args=[""],
            shuffle_seed=5,
            shuffle_buffer_size=3,
            prefetch_buffer_size=1,
            parser_num_threads=1,
        )
        .map(lambda f: f["x"])
        .take(5),
    ]
    return {"steps": read_all(tf, datasets), "facts": {"reprs": [repr(d) for d in datasets]}}
