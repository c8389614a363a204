"""Datasets in eager mode: Python loops, captures, transformations."""

import contextlib
import gc
import sqlite3
import weakref

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.data.experimental.matching_files import MatchingFilesDataset
from tfmini._src.data.experimental.tf_record_batches import make_tf_record_dataset
from tfmini._src.graph.default_graph import eager_function_library

pytestmark = pytest.mark.usefixtures("eager")

Dataset = tf.data.Dataset


def values(dataset):
    return [element.numpy().tolist() for element in dataset]


def test_iteration_returns_elements():
    assert values(Dataset.range(4)) == [0, 1, 2, 3]
    pairs = Dataset.zip((Dataset.range(3), Dataset.from_tensor_slices(["a", "b", "c"]))).batch(2)
    assert [(a.numpy().tolist(), b.numpy().tolist()) for a, b in pairs] == [
        ([0, 1], [b"a", b"b"]),
        ([2], [b"c"]),
    ]


def test_functions_capture_tensors_and_variables():
    factor, variable = tf.constant(3, tf.int64), tf.contrib.eager.Variable(5, dtype=tf.int64)
    dataset = Dataset.range(4).map(lambda x: x * factor + variable).filter(lambda x: x > factor + 3)
    assert values(dataset) == [8, 11, 14]
    variable.assign(0)
    assert values(dataset) == [9]


def inner(x):
    return Dataset.from_tensors(x).map(lambda y: y + x)


DROPPED = {
    "map": lambda add: Dataset.range(3).map(lambda x: add(x)),
    "random": lambda add: Dataset.range(3).map(
        lambda x: add(x) + tf.random_uniform([], 0, 9, x.dtype)
    ),
    "nested": lambda add: Dataset.range(3).interleave(lambda x: inner(add(x)), 2),
    "legacy": lambda add: Dataset.range(3).map_with_legacy_function(lambda x: add(x)),
    "python": lambda add: Dataset.range(3).map(lambda x: tf.numpy_function(add, [x], tf.int64)),
    "generator": lambda add: Dataset.from_generator(lambda: map(add, range(3)), tf.int64),
    "branches": lambda add: Dataset.range(3).map(
        lambda x: tf.cond(x > 1, lambda: add(x), lambda: x)
    ),
}


@pytest.mark.parametrize("name", DROPPED)
def test_dropped_dataset_frees_its_functions(name):
    class Add:
        def __call__(self, x):
            return x + 1

    library = eager_function_library()._functions

    def iterated():
        before, add = dict(library), Add()
        dataset = DROPPED[name](add)
        assert len(values(dataset)) == 3
        functions = [function for key, function in library.items() if key not in before]
        assert functions
        return [weakref.ref(each) for each in (add, *functions)]

    references = [each for _ in range(3) for each in iterated()]
    for _ in range(2):  # the first collection frees iterators, which reference their datasets
        gc.collect()
    assert [reference() for reference in references] == [None] * len(references)


def test_reduce_and_get_single_element():
    assert Dataset.range(5).reduce(np.int64(0), lambda a, b: a + b).numpy() == 10
    assert tf.data.experimental.get_single_element(Dataset.range(1)).numpy() == 0
    assert tf.data.experimental.cardinality(Dataset.range(7)).numpy() == 7


def test_composite_elements_show_values():
    ragged = next(iter(Dataset.from_tensors(tf.ragged.constant([[1], [2, 3]]))))
    assert repr(ragged) == "<tf.RaggedTensor [[1], [2, 3]]>"
    assert ragged.to_list() == [[1], [2, 3]]
    sparse = next(iter(Dataset.from_tensors(tf.SparseTensor([[0]], [1], [2]))))
    assert str(sparse) == (
        "SparseTensor(indices=tf.Tensor([[0]], shape=(1, 1), dtype=int64), values=tf.Tensor([1], "
        "shape=(1,), dtype=int32), dense_shape=tf.Tensor([2], shape=(1,), dtype=int64))"
    )


def test_lists_of_datasets_are_elements():
    multiple = [Dataset.range(2), Dataset.range(3)]
    assert values(Dataset.from_tensor_slices(multiple).flat_map(lambda x: x)) == [0, 1, 0, 1, 2]
    nested = Dataset.from_tensors(multiple).flat_map(Dataset.from_tensor_slices)
    assert values(nested.flat_map(lambda x: x)) == [0, 1, 0, 1, 2]


def test_errors_belong_to_their_window():
    checked = Dataset.from_tensor_slices([1.0, np.nan, 2.0, np.nan, 3.0]).map(
        lambda x: tf.debugging.check_numerics(x, "bad")
    )
    windows = checked.window(2, shift=2, stride=2, drop_remainder=True)
    assert values(windows.flat_map(lambda window: window.batch(2))) == [[1.0, 2.0], [2.0, 3.0]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="bad"):
        values(checked.window(2))


def test_matching_files(tmp_path):
    for name in "ba":
        (tmp_path / name).touch()
    result = [each.numpy() for each in MatchingFilesDataset(str(tmp_path / "*"))]
    assert result == [str(tmp_path / name).encode() for name in "ab"]
    with pytest.raises(tf.errors.NotFoundError, match="Don't find any matched files"):
        values(MatchingFilesDataset(str(tmp_path / "*.txt")))


def test_record_batches(tmp_path):
    path = str(tmp_path / "a.tfrecord")
    tf.data.experimental.TFRecordWriter(path).write(Dataset.from_tensor_slices(["x", "y", "z"]))
    batches = make_tf_record_dataset(path, 2, num_epochs=1, shuffle=False)
    assert values(batches) == [[b"x", b"y"], [b"z"]]
    parsed = make_tf_record_dataset(
        path, 2, tf.strings.length, num_epochs=1, shuffle=False, drop_final_batch=True
    )
    assert values(parsed) == [[1, 1]]
    assert tf.data.get_output_shapes(make_tf_record_dataset(path, 2)).as_list() == [2]


def test_failed_query_does_not_lock_database(tmp_path):
    path = str(tmp_path / "data.sqlite")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t (n INTEGER)")
        connection.execute("INSERT INTO t VALUES (4)")
        connection.commit()
        rows = tf.data.experimental.SqlDataset(
            "sqlite", path, "SELECT n FROM t", (tf.int32, tf.int32)
        )
        iterator = iter(rows)
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"columns in query \(1\) must match"
        ):
            next(iterator)
        connection.execute("DROP TABLE t")


def test_tables_created_in_functions_warn():
    def makes_one(x):
        tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1.0]), 0.0)
        return x

    with pytest.warns(
        UserWarning, match="Creating resources inside a function passed to Dataset.map"
    ):
        Dataset.range(2).map(makes_one)


@pytest.mark.parametrize("mode", ["eager", "graph"])
def test_partially_consumed_generator_is_freed(mode):
    freed = []

    class Endless:
        def __iter__(self):
            return self

        def __next__(self):
            return 42

        def __del__(self):
            freed.append(True)

    if mode == "eager":
        assert values(Dataset.from_generator(Endless, tf.int64).take(2)) == [42, 42]
        assert freed
        return
    with tf.Graph().as_default(), tf.Session() as session:
        numbers = Dataset.from_generator(Endless, tf.int64).take(2)
        following = numbers.make_one_shot_iterator().get_next()
        assert [session.run(following) for _ in range(2)] == [42, 42]
        with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
            session.run(following)
        assert freed


def test_generator_integers_wrap():
    assert values(Dataset.from_generator(lambda: iter([-1, 300]), tf.uint8)) == [255, 44]
    assert values(Dataset.from_generator(lambda: iter([["é"]]), tf.string)) == [["é".encode()]]


def test_oversized_row_ends_sparse_batch():
    rows = Dataset.range(1, 4).map(tf.range)
    batches = iter(rows.apply(tf.data.experimental.dense_to_sparse_batch(3, [1])))
    for size in (2, 3):
        with pytest.raises(tf.errors.DataLossError, match=rf"shape \(\[{size}\]\) that is larger"):
            next(batches)


@pytest.mark.parametrize("outputs", [0, 2])
def test_reduction_structure_mismatch_is_refused(outputs):
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=rf"does not match. \(initial_state=1, output={outputs}\). \[Op:ReduceDataset\]",
    ):
        Dataset.range(5).reduce(np.int64(0), lambda state, _: (state,) * outputs)
