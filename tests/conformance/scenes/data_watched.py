"""Datasets with statistics; distant windows, raw ops without public functions, failing readers."""

import numpy as np

from tests.conformance.scenes import unknown
from tests.conformance.scenes.data_edges import _all
from tests.conformance.scenes.ops_datasets_raw import _each, _handle


def _told(tf, stage, data):
    """Records a summary's histograms: counts, and values of byte counts."""
    found = tf.Summary.FromString(data)
    for value in sorted(found.value, key=lambda value: value.tag):
        histogram = value.histo
        numbers = [histogram.num]
        if "bytes" in value.tag:
            numbers += [histogram.min, histogram.max, histogram.sum, histogram.sum_squares]
            numbers += [list(histogram.bucket_limit)[:5], list(histogram.bucket)[:5]]
        if value.tag.startswith(("own", "ms", "bytes")):
            stage.say(value.tag, value.WhichOneof("value"), numbers)


def statistics(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental

    def watched(data, **settings):
        options = tf.data.Options()
        options.experimental_stats.aggregator = settings.pop("aggregator", None) or (
            e.StatsAggregator()
        )
        for name, value in settings.items():
            setattr(options.experimental_stats, name, value)
        return data.with_options(options), options.experimental_stats.aggregator

    words = lambda: D.from_tensor_slices({"a": ["x", "yy", ""], "b": np.zeros([3, 2])})  # noqa: E731
    cases = {"bytes_of_words": lambda: watched(words().apply(e.bytes_produced_stats("bytes")))}
    for name, make in cases.items():
        with tf.Graph().as_default(), tf.Session() as session:
            stage.say(name)
            data, aggregator = make()
            iterator = tf.data.make_initializable_iterator(data)
            value, summary = iterator.get_next(), aggregator.get_summary()
            stage.say(summary.shape, summary.dtype.name)
            for _ in range(2):
                session.run(iterator.initializer)
                with stage.failing():
                    while True:
                        session.run(value)
                _told(tf, stage, session.run(summary))
            stage.brief_graph(names=False)
    stage.attempts(
        lambda: D.range(2).apply(e.bytes_produced_stats(3)),
        lambda: D.range(2).apply(e.latency_stats(["a", "b"])).output_shapes,
    )


def windows_and_failures(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    fed = unknown(tf)
    nine = lambda: D.range(9)  # noqa: E731
    rows = lambda d: d.flat_map(lambda w: w.batch(3))  # noqa: E731
    bad = lambda x: tf.check_numerics(6.0 / tf.to_float(x - 3), "bad")  # noqa: E731
    path = stage.folder + "/f"
    with open(path, "w") as out:
        out.write("1,a\n,b\n3,c\n")

    cases = {
        "farthest": lambda: rows(nine().window(2, 20)),
        "of_failures_overlapping": lambda: rows(nine().map(bad).window(3, 1)),
        "padded_of_failures": lambda: nine().map(bad).padded_batch(2, []),
        "shuffled_failures": lambda: nine().map(bad).shuffle(2, seed=1),
        "skipped_failures": lambda: nine().map(bad).skip(4).take(2),
        "zipped_failures": lambda: D.zip((nine().map(bad), nine())),
        "joined_failures": lambda: D.range(3, 5).map(bad).concatenate(D.range(1).map(bad)),
        "scanned_failures": lambda: nine().apply(e.scan(0.0, lambda s, x: (s + bad(x), s))),
        "unbatched_failures": lambda: nine().map(bad).batch(2).apply(e.unbatch()),
        "grouped_failures": lambda: nine().apply(
            e.group_by_window(lambda x: tf.to_int64(bad(x)) % 2, lambda k, d: d.batch(2), 2)
        ),
        "key_of_two": lambda: nine().apply(
            e.group_by_window(
                lambda x: tf.placeholder_with_default(tf.stack([x, x]), None),
                lambda k, d: d.batch(2),
                2,
            )
        ),
        "filtered_by_two": lambda: nine().filter(
            lambda x: tf.placeholder_with_default(tf.stack([x > 1, True]), None)
        ),
        "while_two": lambda: nine().apply(
            e.take_while(lambda x: tf.placeholder_with_default(tf.stack([x > 1, True]), None))
        ),
        "required": lambda: e.CsvDataset(path, [tf.int32, tf.string]),
        "defaults_of_rank": lambda: e.CsvDataset(path, [fed(np.int32([[1]])), tf.string]),
        "defaults_of_two": lambda: e.CsvDataset(path, [fed(np.int32([1, 2])), tf.string]),
        "columns_of_rank": lambda: e.CsvDataset(path, [[1]], select_cols=fed(np.int64([[0]]))),
    }
    _all(tf, stage, cases, 6)


def by_raw_ops(tf, stage):
    raw, fed, i8 = tf.raw_ops, unknown(tf), np.int64
    D, kinds = tf.data.Dataset, [tf.int64]
    shaped = {"output_types": kinds, "output_shapes": [[]]}
    batched = {"output_types": kinds, "output_shapes": [[None]]}
    nine = lambda: _handle(tf, D.range(9))  # noqa: E731

    def sliding(size, shift, stride):
        return raw.SlidingWindowDataset(
            input_dataset=nine(),
            window_size=fed(i8(size)),
            window_shift=fed(i8(shift)),
            window_stride=fed(i8(stride)),
            **batched,
        ), kinds

    def threads(kind, **given):
        return kind(input_dataset=nine(), **given, **shaped), kinds, None, 2

    cases = {
        "sliding_farther": lambda: sliding(3, 9, 2),
        "next": lambda: threads(raw.ExperimentalAssertNextDataset, transformations=["Range"]),
    }
    _each(tf, stage, cases)
