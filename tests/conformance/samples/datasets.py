"""Datasets: each is read by an iterator, whose next element is compared; public classes build the functions."""

import inspect
import os
import tempfile

import numpy as np

from tests.conformance.samples import Sample
from tfmini._src.functions.defun import Defun
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.opdef import raw

ROWS = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], np.float32)


def read(make, steps=1):
    """A dataset's element after some steps."""

    def build(tf):
        iterator = tf.data.make_initializable_iterator(make(tf))
        following = iterator.get_next()
        return [iterator.initializer, *[following] * steps]

    return build


def rows(tf):
    return tf.data.Dataset.from_tensor_slices(ROWS)


def row(name, expect, make, steps=1):
    return Sample(name, expect=expect, build=read(make, steps))


def of(op, source, *args, shape=(2,), **attrs):
    """A dataset as a separate node."""

    def make(tf):
        handle = getattr(raw, op)(
            source(tf)._variant_tensor,
            *args,
            output_types=[tf.float32],
            output_shapes=[shape],
            **attrs,
        )
        return tf.data.DatasetSpec(tf.TensorSpec(shape, tf.float32))._from_components(handle)

    return make


def handle(op):
    """A handle, and its results."""

    def build(tf):
        iterator = tf.data.Dataset.range(5, 7).make_one_shot_iterator()
        name = iterator.string_handle()
        found = getattr(raw, op)(name, output_types=[tf.int64], output_shapes=[()])
        return [name, raw.IteratorGetNextSync(found, [tf.int64], [()])]

    return build


def plain_iterator(tf):
    shapes = {"output_types": [tf.int64], "output_shapes": [()]}
    made = raw.Iterator(shared_name="", container="", **shapes)
    start = raw.MakeIterator(tf.data.Dataset.range(5, 7)._variant_tensor, made)
    return [start, raw.IteratorGetNext(made, **shapes)]


def as_optional(tf):
    iterator = tf.data.Dataset.range(5, 7).make_one_shot_iterator()
    shapes = {"output_types": [tf.int64], "output_shapes": [()]}
    given = raw.IteratorGetNextAsOptional(iterator._iterator_resource, **shapes)
    return [raw.OptionalGetValue(given, **shapes)]


def written(name, data):
    """The path of a file with this content."""
    path = os.path.join(tempfile.mkdtemp(), name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def fixed(tf):
    path = np.array([written("data", b"HabcdF").encode()], object)
    made = raw.FixedLengthRecordDataset(path, 1, 2, 1, 0)
    return tf.data.DatasetSpec(tf.TensorSpec([], tf.string))._from_components(made)


def records(tf):
    path = written("records", b"")
    with tf.python_io.TFRecordWriter(path) as writer:
        writer.write(b"one")
        writer.write(b"two")
    return tf.data.TFRecordDataset(path, num_parallel_reads=2)


def interleaved(calls):
    def make(tf):
        inner = tf.data.Dataset.from_tensor_slices
        return rows(tf).interleave(inner, 2, num_parallel_calls=calls)

    return make


def applied(tf, name, *args):
    return rows(tf).apply(inspect.unwrap(getattr(tf.data.experimental, name))(*args))


def summed(tf):
    return [tf.data.Dataset.range(5).reduce(np.int64(1), lambda total, x: total + x)]


def padded(op):
    def make(tf):
        source = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], 7))
        if op == "PaddedBatchDatasetV2":
            return source.padded_batch(2, [3], 9)
        made = raw.PaddedBatchDataset(
            source._variant_tensor, 2, [np.array([3])], [np.int32(9)], [(None, 3)]
        )
        return tf.data.DatasetSpec(tf.TensorSpec([None, 3], tf.int32))._from_components(made)

    return make


def scanned(tf):
    function = Defun(tf.float32, tf.float32)(lambda state, x: (state + x, state * x))
    function.add_to_graph(tf.get_default_graph())
    return of("ScanDataset", rows, [ROWS[0]], [], f=NameAttrList(function.name))(tf)


SAMPLES = [
    row("TensorDataset", ROWS, lambda tf: tf.data.Dataset.from_tensors(ROWS)),
    row("TensorSliceDataset", ROWS[1], rows, 2),
    row(
        "SparseTensorSliceDataset",
        (np.array([[1]]), np.array([5.0], np.float32), np.array([2])),
        lambda tf: tf.data.Dataset.from_sparse_tensor_slices(
            tf.SparseTensor([[0, 1]], np.array([5.0], np.float32), [1, 2])
        ),
    ),
    row("RangeDataset", np.int64(7), lambda tf: tf.data.Dataset.range(3, 9, 2), 3),
    row(
        "ZipDataset",
        (ROWS[1], np.int64(1)),
        lambda tf: tf.data.Dataset.zip((rows(tf), tf.data.Dataset.range(3))),
        2,
    ),
    row("ConcatenateDataset", ROWS[0], lambda tf: rows(tf).concatenate(rows(tf)), 4),
    row("RepeatDataset", ROWS[1], lambda tf: rows(tf).repeat(2), 5),
    row("TakeDataset", ROWS[0], lambda tf: rows(tf).take(1).repeat(), 2),
    row("SkipDataset", ROWS[2], lambda tf: rows(tf).skip(2)),
    row("ShardDataset", ROWS[2], lambda tf: rows(tf).shard(2, 0), 2),
    row("ShuffleDataset", ROWS[1], lambda tf: rows(tf).shuffle(2, seed=3).take(3).repeat(), 2),
    row("ShuffleAndRepeatDataset", ROWS[0], of("ShuffleAndRepeatDataset", rows, 1, 3, 5, -1), 4),
    row("BatchDataset", ROWS[:2], of("BatchDataset", rows, 2, shape=(None, 2))),
    row("BatchDatasetV2", ROWS[:2], lambda tf: rows(tf).batch(2)),
    row(
        "PaddedBatchDataset",
        np.array([[7, 9, 9], [7, 7, 9]], np.int32),
        padded("PaddedBatchDataset"),
    ),
    row(
        "PaddedBatchDatasetV2",
        np.array([[7, 9, 9], [7, 7, 9]], np.int32),
        padded("PaddedBatchDatasetV2"),
    ),
    row(
        "WindowDataset",
        ROWS[1:],
        lambda tf: rows(tf).window(2, 1).flat_map(lambda w: w.batch(2)),
        2,
    ),
    row(
        "UnbatchDataset",
        ROWS[1],
        lambda tf: tf.data.Dataset.zip((rows(tf).batch(2).unbatch(),)).map(lambda x: x),
        2,
    ),
    row("MapDataset", ROWS[1] * 2, lambda tf: rows(tf).map(lambda x: x * 2.0), 2),
    row(
        "MapAndBatchDataset",
        ROWS[:2] * 2,
        lambda tf: applied(tf, "map_and_batch", lambda x: x * 2.0, 2, 2),
    ),
    row("ParallelMapDataset", ROWS[1] * 2, lambda tf: rows(tf).map(lambda x: x * 2.0, 2), 2),
    row("FilterDataset", ROWS[1], lambda tf: rows(tf).filter(lambda x: x[0] > 2.0)),
    row(
        "FlatMapDataset",
        ROWS[1, 1],
        lambda tf: rows(tf).flat_map(tf.data.Dataset.from_tensor_slices),
        4,
    ),
    row("PrefetchDataset", ROWS[1], lambda tf: rows(tf).prefetch(2), 2),
    row("OptimizeDataset", ROWS[0], of("OptimizeDataset", rows, np.array([b""], object))),
    row("ModelDataset", ROWS[0], of("ModelDataset", rows)),
    row("MaxIntraOpParallelismDataset", ROWS[0], of("MaxIntraOpParallelismDataset", rows, 1)),
    row("PrivateThreadPoolDataset", ROWS[0], of("PrivateThreadPoolDataset", rows, 1)),
    row("IteratorV2", ROWS[0], rows),
    row("MakeIterator", ROWS[0], rows),
    row("IteratorGetNext", ROWS[0], rows),
    row("InterleaveDataset", ROWS[0, 1], interleaved(None), 3),
    row("ParallelInterleaveDatasetV2", ROWS[1, 1], interleaved(2), 4),
    row("ParallelInterleaveDataset", np.array(b"two", object), records, 2),
    row("TFRecordDataset", np.array(b"one", object), records),
    row(
        "TextLineDataset",
        np.array(b"b", object),
        lambda tf: tf.data.TextLineDataset(written("text", b"a\r\nb")),
        2,
    ),
    row("FixedLengthRecordDataset", np.array(b"cd", object), fixed, 2),
    row(
        "FixedLengthRecordDatasetV2",
        np.array(b"cd", object),
        lambda tf: tf.data.FixedLengthRecordDataset(written("data", b"HabcdF"), 2, 1, 1),
        2,
    ),
    row("CacheDataset", ROWS[1], lambda tf: rows(tf).cache().repeat(), 5),
    row(
        "GeneratorDataset",
        ROWS[1],
        lambda tf: tf.data.Dataset.from_generator(lambda: iter(ROWS), tf.float32, [2]).repeat(),
        5,
    ),
    row("ScanDataset", ROWS[0] * 2 * ROWS[1], scanned, 2),
    Sample("Iterator", expect=np.int64(5), build=plain_iterator),
    Sample("ReduceDataset", expect=np.int64(11), build=summed),
    Sample("OneShotIterator", expect=np.int64(5), build=handle("IteratorFromStringHandleV2")),
    Sample("IteratorGetNextSync", expect=np.int64(5), build=handle("IteratorFromStringHandleV2")),
    Sample(
        "IteratorToStringHandle", expect=np.int64(5), build=handle("IteratorFromStringHandleV2")
    ),
    Sample(
        "IteratorFromStringHandle", expect=np.int64(5), build=handle("IteratorFromStringHandle")
    ),
    Sample(
        "IteratorFromStringHandleV2", expect=np.int64(5), build=handle("IteratorFromStringHandleV2")
    ),
    Sample("IteratorGetNextAsOptional", expect=np.int64(5), build=as_optional),
]
