"""Datasets by raw ops that no public function creates, and errors."""

import numpy as np

from tests.conformance.scenes import unknown


def _handle(tf, data):
    return data._variant_tensor


def _read(tf, stage, session, variant, types, shapes=None, most=9):
    """Records the elements of a dataset handle, and the final error."""
    shapes = [None] * len(types) if shapes is None else shapes
    given = {"output_types": types, "output_shapes": shapes}
    raw = tf.raw_ops
    iterator = raw.IteratorV2(shared_name="", container="", **given)
    start = raw.MakeIterator(dataset=variant, iterator=iterator)
    value = raw.IteratorGetNext(iterator=iterator, **given)
    with stage.failing():
        session.run(start)
        for _ in range(most):
            stage.say(session.run(value))


def _each(tf, stage, cases):
    """Records the elements of each dataset; functions return a handle, dtypes and optionally shapes."""
    for name, function in cases.items():
        with tf.Graph().as_default() as graph, tf.Session() as session, stage.failing():
            tf.set_random_seed(1)
            graph.seed = 1
            stage.say(name)
            _read(tf, stage, session, *function())


def made(tf, stage):
    raw, fed = tf.raw_ops, unknown(tf)
    D, i8 = tf.data.Dataset, [tf.int64]
    n = lambda *x: np.array(x, "i8") if len(x) > 1 else np.int64(x[0])  # noqa: E731
    five = lambda: _handle(tf, D.range(5))  # noqa: E731
    rows = lambda: _handle(tf, D.from_tensor_slices([[1, 2, 3], [4, 5, 6]]))  # noqa: E731
    shaped = {"output_types": i8, "output_shapes": [[]]}
    batched = {"output_types": i8, "output_shapes": [[None]]}
    text = lambda x: np.array(x, object)  # noqa: E731

    def padded(size=2, shapes=(-1,), value=0, kind=raw.PaddedBatchDataset, **k):
        varied = D.range(1, 4).map(lambda x: tf.fill([x], x))
        return kind(
            input_dataset=_handle(tf, varied),
            batch_size=n(size),
            padded_shapes=[np.array(shapes, "i8")],
            padding_values=[np.int64(value)],
            output_shapes=[[None, None]],
            **k,
        ), i8

    def window(size=2, shift=1, stride=1, drop=False):
        handle = raw.WindowDataset(
            input_dataset=five(),
            size=fed(n(size)),
            shift=fed(n(shift)),
            stride=fed(n(stride)),
            drop_remainder=drop,
            output_types=[tf.variant],
            output_shapes=[[]],
        )
        return raw.TakeDataset(
            input_dataset=handle, count=n(0), output_types=[tf.variant], output_shapes=[[]]
        ), [tf.variant]

    _each(
        tf,
        stage,
        {
            "batch": lambda: (
                raw.BatchDataset(input_dataset=five(), batch_size=n(2), **batched),
                i8,
            ),
            "batch_vector": lambda: (
                raw.BatchDataset(input_dataset=five(), batch_size=fed(n(1, 2)), **batched),
                i8,
            ),
            "batch_drops": lambda: (
                raw.BatchDatasetV2(
                    input_dataset=five(),
                    batch_size=n(2),
                    drop_remainder=fed(np.array([True])),
                    **batched,
                ),
                i8,
            ),
            "batch_static": lambda: (
                raw.BatchDataset(input_dataset=five(), batch_size=n(1, 2), **batched),
                i8,
            ),
            "padded": padded,
            "padded_fixed": lambda: padded(shapes=(4,), value=7),
            "padded_rank": lambda: padded(shapes=(2, 2)),
            "padded_drop": lambda: padded(kind=raw.PaddedBatchDatasetV2, drop_remainder=True),
            "window": window,
            "window_stride": lambda: window(1, 1, -1),
            "range_no_step": lambda: (
                raw.RangeDataset(start=n(5), stop=n(0), step=fed(n(0)), **shaped),
                i8,
            ),
            "repeat_vector": lambda: (
                raw.RepeatDataset(input_dataset=five(), count=fed(n(1, 2)), **shaped),
                i8,
            ),
            "take": lambda: (raw.TakeDataset(input_dataset=five(), count=n(-1), **shaped), i8),
            "skip": lambda: (raw.SkipDataset(input_dataset=five(), count=n(-1), **shaped), i8),
            **{
                f"shard_needed_{shards}_{index}": lambda s=shards, i=index: (
                    raw.ShardDataset(
                        input_dataset=five(),
                        num_shards=n(s),
                        index=n(i),
                        require_non_empty=True,
                        **shaped,
                    ),
                    i8,
                    None,
                    3,
                )
                for shards, index in ((9, 7), (9, 1), (3, 1), (5, 4), (6, 4))
            },
            "shard_count": lambda: (
                raw.ShardDataset(input_dataset=five(), num_shards=fed(n(0)), index=n(0), **shaped),
                i8,
            ),
            "shard_index": lambda: (
                raw.ShardDataset(input_dataset=five(), num_shards=n(2), index=fed(n(2)), **shaped),
                i8,
            ),
            "prefetch": lambda: (
                raw.PrefetchDataset(input_dataset=five(), buffer_size=fed(n(-2)), **shaped),
                i8,
            ),
            "shuffle_once": lambda: (
                raw.RepeatDataset(
                    input_dataset=raw.ShuffleDataset(
                        input_dataset=five(),
                        buffer_size=n(3),
                        seed=n(1),
                        seed2=n(2),
                        reshuffle_each_iteration=False,
                        **shaped,
                    ),
                    count=n(2),
                    **shaped,
                ),
                i8,
                None,
                11,
            ),
            "shuffle_none": lambda: (
                raw.ShuffleDataset(
                    input_dataset=five(), buffer_size=fed(n(0)), seed=n(1), seed2=n(2), **shaped
                ),
                i8,
            ),
            "shuffle_and_repeat_none": lambda: (
                raw.ShuffleAndRepeatDataset(
                    input_dataset=five(),
                    buffer_size=n(3),
                    seed=n(1),
                    seed2=n(2),
                    count=fed(n(0)),
                    **shaped,
                ),
                i8,
            ),
            "unbatch": lambda: (
                raw.UnbatchDataset(
                    input_dataset=rows(), output_types=[tf.int32], output_shapes=[[]]
                ),
                [tf.int32],
            ),
            "unbatch_scalars": lambda: (raw.UnbatchDataset(input_dataset=five(), **shaped), i8),
            "sampled": lambda: (
                raw.SamplingDataset(
                    input_dataset=five(), rate=0.5, seed=n(1), seed2=n(2), **shaped
                ),
                i8,
            ),
            "unique": lambda: (
                raw.UniqueDataset(
                    input_dataset=_handle(tf, D.range(5).map(lambda x: x % 3)), **shaped
                ),
                i8,
            ),
            "ignored": lambda: (
                raw.IgnoreErrorsDataset(
                    input_dataset=_handle(tf, D.range(-2, 3).map(lambda x: 6 // x)), **shaped
                ),
                i8,
            ),
            "fastest": lambda: (
                raw.ChooseFastestDataset(
                    input_datasets=[five(), five()], num_experiments=3, **shaped
                ),
                i8,
            ),
            "sliding_size": lambda: (
                raw.SlidingWindowDataset(
                    input_dataset=five(),
                    window_size=fed(n(0)),
                    window_shift=n(2),
                    window_stride=n(1),
                    **batched,
                ),
                i8,
            ),
            "sliding_shift": lambda: (
                raw.SlidingWindowDataset(
                    input_dataset=five(),
                    window_size=n(2),
                    window_shift=fed(n(0)),
                    window_stride=n(1),
                    **batched,
                ),
                i8,
            ),
            "random": lambda: (raw.RandomDataset(seed=n(1), seed2=n(2), **shaped), i8, None, 3),
            "files": lambda: (
                raw.ExperimentalMatchingFilesDataset(patterns=[stage.folder + "/*"]),
                [tf.string],
            ),
            "lines_kind": lambda: (
                raw.TextLineDataset(
                    filenames=["a"], compression_type=fed(text("BZ")), buffer_size=n(9)
                ),
                [tf.string],
            ),
            "records_kind": lambda: (
                raw.TFRecordDataset(
                    filenames=["a"], compression_type=fed(text("BZ")), buffer_size=n(9)
                ),
                [tf.string],
            ),
            "records_buffer": lambda: (
                raw.TFRecordDataset(filenames=["a"], compression_type="", buffer_size=fed(n(-1))),
                [tf.string],
            ),
            "fixed_header": lambda: (
                raw.FixedLengthRecordDataset(
                    filenames=["a"],
                    header_bytes=fed(n(-1)),
                    record_bytes=n(1),
                    footer_bytes=n(0),
                    buffer_size=n(0),
                ),
                [tf.string],
            ),
            "zipped": lambda: (
                raw.ZipDataset(
                    input_datasets=[five(), rows()],
                    output_types=[tf.int64, tf.int32],
                    output_shapes=[[], [3]],
                ),
                [tf.int64, tf.int32],
            ),
            "two_components": lambda: (five(), [tf.int64, tf.int64]),
        },
    )


def auto_shards(tf, stage):
    """The elements that the fourth of five workers reads: of two of ten files, or every fifth element."""
    files = [f"{stage.folder}/{i}" for i in range(10)]
    for i, file in enumerate(files):
        with tf.io.TFRecordWriter(file) as writer:
            for row in range(4):
                writer.write(b"%d of %d" % (row, i))
    data, read, e = tf.data, tf.data.TFRecordDataset, tf.data.experimental
    names = lambda: data.Dataset.from_tensor_slices(files)  # noqa: E731
    shuffled = lambda: names().shuffle(10, seed=3).map(lambda x: x).shuffle(7, seed=5)  # noqa: E731
    cases = {
        "files": lambda: read(files).batch(3).cache(),
        "interleaved": lambda: shuffled().interleave(read, 2).skip(1).shuffle(9, seed=1),
        "fused": lambda: read(files).apply(e.map_and_batch(lambda x: x, 2)).repeat(2),
        "both": lambda: read(files).concatenate(names().flat_map(lambda x: read(x).take(1))),
        "fixed": lambda: data.FixedLengthRecordDataset(files, 8, footer_bytes=2),
        "numbers": lambda: data.Dataset.range(12).map(lambda x: x * 2),
        "few_numbers": lambda: data.Dataset.range(4),
        "few_files": lambda: read(files[:4]),
        "not_of_all": lambda: read(files).batch(2).apply(e.unbatch()),
    }

    def shard(dataset):
        types = [tf.compat.v1.data.get_output_types(dataset)]
        kinds = {
            "output_types": types,
            "output_shapes": [tf.compat.v1.data.get_output_shapes(dataset)],
        }
        return tf.raw_ops.AutoShardDataset(
            input_dataset=_handle(tf, dataset), num_workers=np.int64(5), index=np.int64(3), **kinds
        ), types

    _each(tf, stage, {name: lambda f=function: shard(f()) for name, function in cases.items()})
