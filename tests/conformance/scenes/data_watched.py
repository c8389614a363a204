"""Datasets that report what they do; windows far apart, datasets by raw ops that no function makes, failing readers."""

import numpy as np

from tests.conformance.scenes import unknown
from tests.conformance.scenes.data_refused import _all
from tests.conformance.scenes.ops_datasets_raw import _each, _handle


def _told(tf, stage, data):
    """Says the histograms of a summary: counts and, of bytes, the numbers."""
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
    cases = {
        "bytes": lambda: watched(D.range(5).apply(e.bytes_produced_stats("bytes"))),
        "bytes_of_words": lambda: watched(words().apply(e.bytes_produced_stats("bytes"))),
        "times": lambda: watched(D.range(5).apply(e.latency_stats("ms"))),
        "prefix": lambda: watched(
            D.range(2).apply(e.bytes_produced_stats("bytes")), prefix="own", counter_prefix="c"
        ),
        "two": lambda: watched(
            D.range(6)
            .apply(e.bytes_produced_stats("bytes_one"))
            .batch(2)
            .apply(e.bytes_produced_stats("bytes_two"))
            .apply(e.latency_stats("ms"))
        ),
        "inside": lambda: watched(
            D.range(3).flat_map(lambda x: D.range(x).apply(e.bytes_produced_stats("bytes")))
        ),
        "none": lambda: watched(D.range(0).apply(e.bytes_produced_stats("bytes"))),
        "nobody": lambda: watched(D.range(2)),
    }
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
        lambda: watched(D.range(2), prefix="a")[0].options().experimental_stats.prefix,
        lambda: sorted(n for n in dir(e.StatsAggregator()) if n[0] != "_"),
    )


def windows_and_failures(tf, stage):
    D, e = tf.data.Dataset, tf.data.experimental
    fed = unknown(tf)
    nine = lambda: D.range(9)  # noqa: E731
    rows = lambda d: d.flat_map(lambda w: w.batch(3))  # noqa: E731
    bad = lambda x: tf.check_numerics(6.0 / tf.to_float(x - 3), "bad")  # noqa: E731
    shapes = lambda x: tf.fill([x // 2 + 1], x)  # noqa: E731
    path = stage.folder + "/f"
    with open(path, "w") as out:
        out.write("1,a\n,b\n3,c\n")

    cases = {
        "far_apart": lambda: rows(nine().window(2, 4)),
        "far_apart_whole": lambda: rows(nine().window(2, 4, drop_remainder=True)),
        "farther": lambda: rows(nine().window(1, 8)),
        "farthest": lambda: rows(nine().window(2, 20)),
        "strided_far_apart": lambda: rows(nine().window(2, 5, 2)),
        "strided_whole": lambda: rows(nine().window(3, 4, 3, True)),
        "overlapping": lambda: rows(nine().window(3, 2, 2)),
        "of_failures": lambda: rows(nine().map(bad).window(2, 3)),
        "of_failures_overlapping": lambda: rows(nine().map(bad).window(3, 1)),
        "batch_of_shapes": lambda: D.range(4).map(shapes).batch(3),
        "batch_of_shapes_of_pairs": lambda: D.range(4).map(lambda x: (x, shapes(x))).batch(3),
        "batch_of_failures": lambda: nine().map(bad).batch(2, drop_remainder=True),
        "padded_of_failures": lambda: nine().map(bad).padded_batch(2, []),
        "shuffled_failures": lambda: nine().map(bad).shuffle(2, seed=1),
        "skipped_failures": lambda: nine().map(bad).skip(4).take(2),
        "skipped_into_failures": lambda: nine().map(bad).skip(3).take(2),
        "zipped_failures": lambda: D.zip((nine().map(bad), nine())),
        "repeated_failures": lambda: D.range(2, 5).map(bad).repeat(2),
        "joined_failures": lambda: D.range(3, 5).map(bad).concatenate(D.range(1).map(bad)),
        "cached_failures": lambda: D.range(2, 5).map(bad).cache().repeat(2),
        "scanned_failures": lambda: nine().apply(e.scan(0.0, lambda s, x: (s + bad(x), s))),
        "unbatched_failures": lambda: nine().map(bad).batch(2).apply(e.unbatch()),
        "failures_at_once": lambda: nine().map(bad, 3),
        "failures_at_once_ignored": lambda: nine().map(bad, 3).apply(e.ignore_errors()),
        "grouped_failures": lambda: nine().apply(
            e.group_by_window(lambda x: tf.to_int64(bad(x)) % 2, lambda k, d: d.batch(2), 2)
        ),
        "group_of_no_size": lambda: nine().apply(
            e.group_by_window(
                lambda x: x % 2, lambda k, d: d.batch(2), window_size_func=lambda k: k - 1
            )
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
        "patterns_of_rank": lambda: D.list_files(fed(np.array([[path]], object)), shuffle=False),
        "lines_of_a_folder": lambda: tf.data.TextLineDataset(stage.folder),
        "sparse_rows_of_none": lambda: nine().apply(e.dense_to_sparse_batch(fed(np.int64(0)), [3])),
        "seeds_of_nobody": lambda: e.RandomDataset(5).batch(2).take(1),
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

    def watched_as(kind, tag):
        return kind(input_dataset=nine(), tag=fed(np.array(tag, object)), **shaped), kinds, None, 2

    def threads(kind, **given):
        return kind(input_dataset=nine(), **given, **shaped), kinds, None, 2

    cases = {
        "sliding_far": lambda: sliding(2, 4, 1),
        "sliding_strided": lambda: sliding(2, 1, 3),
        "sliding_farther": lambda: sliding(3, 9, 2),
        "sliding_overlapping": lambda: sliding(3, 1, 2),
        "sliding_stride": lambda: sliding(2, 1, 0),
        "sleeping": lambda: (
            raw.ExperimentalSleepDataset(input_dataset=nine(), sleep_microseconds=i8(1), **shaped),
            kinds,
            None,
            3,
        ),
        "bytes": lambda: watched_as(raw.ExperimentalBytesProducedStatsDataset, "t"),
        "times": lambda: watched_as(raw.ExperimentalLatencyStatsDataset, "t"),
        "threads": lambda: threads(raw.ExperimentalPrivateThreadPoolDataset, num_threads=i8(2)),
        "threads_none": lambda: threads(
            raw.ExperimentalPrivateThreadPoolDataset, num_threads=fed(i8(0))
        ),
        "threads_of_ops": lambda: threads(
            raw.ExperimentalMaxIntraOpParallelismDataset, max_intra_op_parallelism=i8(2)
        ),
        "threads_of_ops_none": lambda: threads(
            raw.ExperimentalMaxIntraOpParallelismDataset, max_intra_op_parallelism=fed(i8(-1))
        ),
        "not_kept": lambda: threads(raw.ExperimentalNonSerializableDataset),
        "next": lambda: threads(raw.ExperimentalAssertNextDataset, transformations=["Range"]),
    }
    _each(tf, stage, cases)
