"""tf.data.experimental datasets, under their current and former names."""

import os
import sqlite3
import tempfile

import numpy as np

from tests.conformance.samples import Sample
from tests.conformance.samples.datasets import ROWS, read, rows, written
from tfmini._src.functions.defun import Defun
from tfmini._src.graph.attributes import NameAttrList
from tfmini._src.graph.opdef import raw
from tfmini._src.ops.datasets.experimental_aliases import NAMES, PREFIX


def function(tf, python, *types):
    made = Defun(*types)(python)
    made.add_to_graph(tf.get_default_graph())
    return NameAttrList(made.name)


def of(op, inputs, shape=(2,), dtype="float32", **attrs):
    """A dataset as a separate node, created from `inputs(tf)` and `attrs(tf)`."""

    def make(tf):
        given = inputs(tf)
        more = {name: value(tf) if callable(value) else value for name, value in attrs.items()}
        kinds = {"output_types": [getattr(tf, dtype)], "output_shapes": [shape]}
        if op.endswith("CSVDataset"):
            del kinds["output_types"]
        if op.endswith("MatchingFilesDataset"):
            kinds = {}
        handle = getattr(raw, op)(*given, **kinds, **more)
        return tf.data.DatasetSpec(tf.TensorSpec(shape, getattr(tf, dtype)))._from_components(
            handle
        )

    return make


def handle_of(tf):
    return rows(tf)._variant_tensor


def numbers(tf):
    return tf.data.Dataset.range(5)._variant_tensor


def texts(tf):
    return tf.data.Dataset.from_tensor_slices(["a", "b"])


def plain(tf):
    return [handle_of(tf)]


def with_tag(tf):
    return [handle_of(tf), "tag"]


def database(tf):
    path = os.path.join(tempfile.mkdtemp(), "data.sqlite")
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (n INTEGER)")
        connection.executemany("INSERT INTO t VALUES (?)", [(4,), (7,)])
    connection.close()
    return ["sqlite", path, "SELECT n FROM t ORDER BY n"]


def csv_file(tf):
    path = written("data.csv", b"n,m\n1,2\n3,4\n")
    settings = ["", 100, True, ",", True, "", np.array([1])]
    return [path, *settings, [np.array([], np.float32)]]


def parsed(tf):
    example = tf.train.Example()
    example.features.feature["x"].float_list.value.extend([1.0, 2.0])
    records = tf.data.Dataset.from_tensors([example.SerializeToString()])
    return [records._variant_tensor, 1, [np.array([], np.float32)]]


def double(tf):
    return function(tf, lambda x: x * 2.0, tf.float32)


def below(tf):
    return function(tf, lambda x: x[0] < 2.0, tf.float32)


def parity(tf):
    return function(tf, lambda x: x % 2, tf.int64)


def zero(tf):
    return function(tf, lambda key: tf.zeros([], tf.int64) + 0 * key, tf.int64)


def total(tf):
    return function(tf, lambda state, x: state + x, tf.int64, tf.int64)


def same(tf):
    return function(tf, lambda state: state * 1, tf.int64)


def batched(tf):
    def window(key, dataset):
        kinds = {"output_types": [tf.int64], "output_shapes": [(None,)]}
        return raw.BatchDatasetV2(dataset, 2, False, **kinds)

    return function(tf, window, tf.int64, tf.variant)


def two(tf):
    return function(tf, lambda key: key * 0 + 2, tf.int64)


def datasets(tf):
    return rows(tf).flat_map, tf.data.Dataset.from_tensor_slices


def slices(tf):
    def of_rows(row):
        kinds = {"output_shapes": [()]}
        return raw.TensorSliceDataset([row], **kinds)

    return function(tf, of_rows, tf.float32)


GROUPS = {"key_func": parity, "init_func": zero, "reduce_func": total, "finalize_func": same}
WINDOWS = {"key_func": parity, "reduce_func": batched, "window_size_func": two}
AGGREGATOR = {"shared_name": "", "container": ""}
SUM = np.float32(3)


def pooled(tf):
    return [handle_of(tf), raw.ThreadPoolHandle(num_threads=1, display_name="pool")]


def watched(tf):
    return [handle_of(tf), raw.StatsAggregatorHandle(), "", ""]


def scanned(tf):
    return function(tf, lambda state, x: (state + x, state * x), tf.float32, tf.float32)


# By op: its dataset's elements, the number of steps, and the construction.
MADE = {
    "AssertNextDataset": (ROWS[0], 1, of, lambda tf: [handle_of(tf), ["Model"]], {}),
    "ChooseFastestDataset": (
        ROWS[0],
        1,
        of,
        lambda tf: [[handle_of(tf), handle_of(tf)]],
        {"num_experiments": 2},
    ),
    "BytesProducedStatsDataset": (ROWS[0], 1, of, with_tag, {}),
    "CSVDataset": (np.float32(4), 2, of, csv_file, {"shape": ()}),
    "DenseToSparseBatchDataset": None,
    "DirectedInterleaveDataset": (
        ROWS[0],
        2,
        of,
        lambda tf: [numbers(tf), [rows(tf).skip(1)._variant_tensor, handle_of(tf)]],
        {},
    ),
    "GroupByReducerDataset": (
        np.int64(4),
        2,
        of,
        lambda tf: [numbers(tf), [], [], [], []],
        {"shape": (), "dtype": "int64", **GROUPS},
    ),
    "GroupByWindowDataset": (
        np.array([1, 3]),
        2,
        of,
        lambda tf: [numbers(tf), [], [], []],
        {"shape": (None,), "dtype": "int64", **WINDOWS},
    ),
    "IgnoreErrorsDataset": (ROWS[0], 1, of, plain, {}),
    "LatencyStatsDataset": (ROWS[0], 1, of, with_tag, {}),
    "MapAndBatchDataset": (
        ROWS[:2] * 2,
        1,
        of,
        lambda tf: [handle_of(tf), [], 2, 2, False],
        {"shape": (None, 2), "f": double},
    ),
    "MapDataset": (ROWS[1] * 2, 2, of, lambda tf: [handle_of(tf), []], {"f": double}),
    "MaxIntraOpParallelismDataset": (ROWS[0], 1, of, lambda tf: [handle_of(tf), 1], {}),
    "NonSerializableDataset": (ROWS[0], 1, of, plain, {}),
    "ParallelInterleaveDataset": (
        np.float32(3),
        2,
        of,
        lambda tf: [handle_of(tf), [], 2, 1, False, 1, 0],
        {"shape": (), "f": slices},
    ),
    "ParseExampleDataset": (
        np.array([[1.0, 2.0]], np.float32),
        1,
        of,
        parsed,
        {
            "shape": (None, 2),
            "sparse_keys": [],
            "dense_keys": ["x"],
            "sparse_types": [],
            "dense_shapes": [(2,)],
        },
    ),
    "PrivateThreadPoolDataset": (ROWS[0], 1, of, lambda tf: [handle_of(tf), 1], {}),
    "RandomDataset": (
        np.int64(1313830135),
        2,
        of,
        lambda tf: [np.int64(5), np.int64(7)],
        {"shape": (), "dtype": "int64"},
    ),
    "ScanDataset": (
        ROWS[0] * 2 * ROWS[1],
        2,
        of,
        lambda tf: [handle_of(tf), [ROWS[0]], []],
        {"f": scanned},
    ),
    "SetStatsAggregatorDataset": (ROWS[0], 1, of, watched, {}),
    "SleepDataset": (ROWS[0], 1, of, lambda tf: [handle_of(tf), 10], {}),
    "SlidingWindowDataset": (
        ROWS[1:],
        2,
        of,
        lambda tf: [handle_of(tf), 2, 1, 1],
        {"shape": (None, 2)},
    ),
    "SqlDataset": (np.int64(7), 2, of, database, {"shape": (), "dtype": "int64"}),
    "TakeWhileDataset": (ROWS[0], 1, of, lambda tf: [handle_of(tf), []], {"predicate": below}),
    "ThreadPoolDataset": (ROWS[0], 1, of, pooled, {}),
    "UnbatchDataset": (np.float32(2), 2, of, plain, {"shape": ()}),
    "UniqueDataset": (
        np.int64(2),
        3,
        of,
        lambda tf: [numbers(tf)],
        {"shape": (), "dtype": "int64"},
    ),
}
MADE = {name: row for name, row in MADE.items() if row is not None}


def dataset_row(name, row):
    expect, steps, make, inputs, settings = row
    return Sample(name, expect=expect, build=read(make(name, inputs, **settings), steps))


def matching(op):
    def make(tf):
        path = written("some.txt", b"")
        handle = getattr(raw, op)(os.path.dirname(path) + "/*.txt")
        found = tf.data.DatasetSpec(tf.TensorSpec([], tf.string))._from_components(handle)
        return found.map(lambda path: tf.strings.substr(path, -8, 8))

    return read(make)


def sparse(op):
    def make(tf):
        source = tf.data.Dataset.range(1, 3).map(lambda n: tf.fill([n], 7))._variant_tensor
        kinds = {"output_types": [tf.variant], "output_shapes": [(3,)]}
        handle = getattr(raw, op)(source, 2, np.array([2]), **kinds)
        spec = tf.TensorSpec((3,), tf.variant)
        made = tf.data.DatasetSpec(spec)._from_components(handle)
        return made.map(lambda parts: raw.DeserializeSparse(parts, tf.int32)[1])

    return read(make)


def counted(op):
    return lambda tf: [getattr(raw, op)(handle_of(tf))]


def to_records(op):
    def build(tf):
        path = written("records", b"")
        write = getattr(raw, op)(texts(tf)._variant_tensor, path, "")
        iterator = tf.data.make_initializable_iterator(tf.data.TFRecordDataset(path))
        return [write, iterator.initializer, iterator.get_next()]

    return build


def one_element(tf):
    kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
    return [raw.DatasetToSingleElement(rows(tf).take(1)._variant_tensor, **kinds)]


def wrapped(tf):
    return read(
        lambda tf: tf.data.DatasetSpec(tf.TensorSpec((2,), tf.float32))._from_components(
            raw.UnwrapDatasetVariant(raw.WrapDatasetVariant(handle_of(tf)))
        )
    )(tf)


def anonymous(op):
    def build(tf):
        kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
        made = getattr(raw, op)(**kinds)
        handle = made[0] if op.endswith("V2") else made
        with tf.control_dependencies([raw.MakeIterator(handle_of(tf), handle)]):
            first = raw.IteratorGetNext(handle, **kinds)[0]
        if not op.endswith("V2"):
            return [first]
        with tf.control_dependencies([first]):
            return [raw.DeleteIterator(*made), first]

    return build


def cached(tf):
    kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
    cache, deleter = raw.AnonymousMemoryCache()
    handle = raw.CacheDatasetV2(handle_of(tf), "", cache, **kinds)
    element = raw.DatasetToSingleElement(raw.TakeDataset(handle, 1, **kinds), **kinds)
    with tf.control_dependencies(element):
        return [raw.DeleteMemoryCache(cache, deleter), *element]


def shuffled(tf):
    kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
    seeds, deleter = raw.AnonymousRandomSeedGenerator(np.int64(3), np.int64(4))
    handle = raw.ShuffleDatasetV2(handle_of(tf), 1, seeds, **kinds)
    element = raw.DatasetToSingleElement(raw.TakeDataset(handle, 1, **kinds), **kinds)
    with tf.control_dependencies(element):
        return [raw.DeleteRandomSeedGenerator(seeds, deleter), *element]


def last_says(tf):
    source = tf.data.Dataset.zip((rows(tf), tf.data.Dataset.range(3).map(lambda n: n > 0)))
    kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
    handle = raw.FilterByLastComponentDataset(source._variant_tensor, **kinds)
    return tf.data.DatasetSpec(tf.TensorSpec((2,), tf.float32))._from_components(handle)


def where(op):
    def build(tf):
        iterator = tf.data.make_initializable_iterator(rows(tf))
        return [getattr(raw, op)(iterator._iterator_resource)]

    return build


def saved(tf):
    iterator = tf.data.make_initializable_iterator(tf.data.Dataset.range(5))
    handle = iterator._iterator_resource
    kinds = {"output_types": [tf.int64], "output_shapes": [()]}
    with tf.control_dependencies([iterator.initializer]):
        first = raw.IteratorGetNext(handle, **kinds)[0]
    with tf.control_dependencies([first]):
        state = tf.io.parse_tensor(
            tf.io.serialize_tensor(raw.SerializeIterator(handle)), tf.variant
        )
    with tf.control_dependencies([state]):
        second = raw.IteratorGetNext(handle, **kinds)[0]
    with tf.control_dependencies([second]):
        back = raw.DeserializeIterator(handle, state)
    with tf.control_dependencies([back]):
        again = raw.IteratorGetNext(handle, **kinds)[0]
    return [back, again]


def statistics(op):
    def build(tf):
        handle = getattr(raw, op)()
        return [raw.StatsAggregatorSummary(handle)]

    return build


def pool(op):
    def build(tf):
        handle = getattr(raw, op)(num_threads=1, display_name="pool")
        kinds = {"output_types": [tf.float32], "output_shapes": [(2,)]}
        made = raw.ThreadPoolDataset(handle_of(tf), handle, **kinds)
        return [raw.DatasetToSingleElement(raw.TakeDataset(made, 1, **kinds), **kinds)]

    return build


def summary(op):
    return lambda tf: [getattr(raw, op)(raw.StatsAggregatorHandle())]


def written_summaries(tf):
    handle = raw.StatsAggregatorHandleV2()
    writer = raw.SummaryWriter(shared_name="", container="")
    return [raw.StatsAggregatorSetSummaryWriter(handle, writer), tf.constant(1)]


def refused(op):
    def build(tf):
        text = {"output_types": [tf.string] * 2, "output_shapes": [()] * 2}
        handle = getattr(raw, op)("data.mdb", **text)

        def run(session):
            try:
                session.run(raw.DatasetCardinality(handle))
            except tf.errors.UnimplementedError as error:
                return error.message.split(":")[0]

        return [run]

    return build


HOST = np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object)
BOTH = {
    "DatasetCardinality": (np.int64(3), counted),
    "DatasetToTFRecord": (np.array(b"a", object), to_records),
    "DenseToSparseBatchDataset": (np.array([7, 7, 7], np.int32), sparse),
    "IteratorGetDevice": (HOST, where),
    "MatchingFilesDataset": (np.array(b"some.txt", object), matching),
    "StatsAggregatorHandle": (np.array(b"", object), statistics),
    "StatsAggregatorSummary": (np.array(b"", object), summary),
    "ThreadPoolHandle": (ROWS[0], pool),
}

SAMPLES = [
    *(dataset_row(name, row) for name, row in MADE.items() if name in NAMES),
    *(dataset_row(PREFIX + name, row) for name, row in MADE.items()),
    *(Sample(name, expect=expect, build=make(name)) for name, (expect, make) in BOTH.items()),
    *(
        Sample(PREFIX + name, expect=expect, build=make(PREFIX + name))
        for name, (expect, make) in BOTH.items()
    ),
    dataset_row(
        "SamplingDataset",
        (ROWS[1], 2, of, lambda tf: [handle_of(tf), np.float32(1), np.int64(3), np.int64(4)], {}),
    ),
    Sample("FilterByLastComponentDataset", expect=ROWS[1], build=read(last_says)),
    Sample("DatasetToSingleElement", expect=ROWS[0], build=one_element),
    Sample("WrapDatasetVariant", expect=ROWS[0], build=wrapped),
    Sample("UnwrapDatasetVariant", expect=ROWS[0], build=wrapped),
    Sample("AnonymousIterator", expect=ROWS[0], build=anonymous("AnonymousIterator")),
    Sample("AnonymousIteratorV2", expect=ROWS[0], build=anonymous("AnonymousIteratorV2")),
    Sample("DeleteIterator", expect=ROWS[0], build=anonymous("AnonymousIteratorV2")),
    *(
        Sample(name, expect=ROWS[0], build=cached)
        for name in ("AnonymousMemoryCache", "CacheDatasetV2", "DeleteMemoryCache")
    ),
    *(
        Sample(name, expect=ROWS[0], build=shuffled)
        for name in (
            "AnonymousRandomSeedGenerator",
            "DeleteRandomSeedGenerator",
            "ShuffleDatasetV2",
        )
    ),
    *(
        Sample(name, expect=np.array("tfmini does not read LMDB databases"), build=refused(name))
        for name in ("LMDBDataset", "ExperimentalLMDBDataset")
    ),
    Sample("StatsAggregatorSetSummaryWriter", expect=np.int32(1), build=written_summaries),
    Sample("SerializeIterator", expect=np.int64(1), build=saved),
    Sample("DeserializeIterator", expect=np.int64(1), build=saved),
    Sample(
        "StatsAggregatorHandleV2",
        expect=np.array(b"", object),
        build=statistics("StatsAggregatorHandleV2"),
    ),
]
