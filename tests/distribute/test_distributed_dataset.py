"""Distributed datasets in eager mode: uneven ends, iterators, numpy input."""

import numpy as np
import pytest

import tfmini as tf
from tests.distribute.conftest import copies

pytestmark = pytest.mark.usefixtures("eager")


def batches_of_two(size):
    return lambda context: tf.data.Dataset.range(size).batch(2)


def test_uneven_last_batch(strategy):
    uneven = strategy.experimental_distribute_datasets_from_function(batches_of_two(6))
    result = [copies(strategy, element) for element in uneven]
    assert result == [[[0, 1], [2, 3]], [[4, 5], []]]
    iterator = iter(uneven)
    for _ in range(2):
        iterator.get_next()
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        iterator.get_next()
    assert next(iterator, "end") == "end"
    assert list(iter(iterator.next, None)) == []  # StopIteration ends it


def test_static_shapes_drop_empty_replicas(strategy):
    known = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(6).batch(2, drop_remainder=True)
    )
    assert [copies(strategy, element) for element in known] == [[[0, 1], [2, 3]]]


@pytest.mark.parametrize("is_static", [False, True])
@pytest.mark.parametrize(("most", "expected"), [(10, 15), (0, 6)])
def test_dataset_loop_inside_function(strategy, most, expected, is_static):
    uneven = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.range(6).batch(2, drop_remainder=is_static)
    )
    traced = []

    @tf.function
    def total(batches):
        result = tf.constant(0, tf.int64)
        for batch in batches:
            traced.append(batch)
            sums = strategy.experimental_run_v2(tf.reduce_sum, args=(batch,))
            result += strategy.reduce("SUM", sums, axis=None)
            if result > most:
                break
        return result

    assert total(uneven).numpy() == expected
    assert len(traced) == 1


def test_uneven_sparse_batch(strategy):
    rows = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])
    sparse = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.from_tensor_slices(rows).batch(1)
    )

    @tf.function
    def dense(batch):
        return strategy.experimental_run_v2(tf.sparse.to_dense, args=(batch,))

    result = [copies(strategy, dense(batch)) for batch in sparse]
    assert result == [[[[0.0, 1.0]], [[0.0, 0.0]]], [[[2.0, 0.0]], []]]


def test_uneven_ragged_batch(strategy):
    rows = tf.ragged.constant([[[1], [2, 3]], [[4]], [], [[5, 6]], [], [[7], []]])
    ragged = strategy.experimental_distribute_datasets_from_function(
        lambda context: tf.data.Dataset.from_tensor_slices(rows).batch(2)
    )
    result = [
        [each.to_list() for each in strategy.experimental_local_results(batch)] for batch in ragged
    ]
    assert result == [
        [[[[1], [2, 3]], [[4]]], [[], [[5, 6]]]],
        [[[], [[7], []]], []],
    ]


def test_iterators_are_initialized(strategy):
    dataset = tf.data.Dataset.range(8).batch(4)
    iterator = strategy.make_dataset_iterator(dataset)
    iterator.initialize()
    assert copies(strategy, iterator.get_next()) == [[0, 1], [2, 3]]
    iterator.initialize()
    assert copies(strategy, iterator.next()) == [[0, 1], [2, 3]]
    assert copies(strategy, next(iterator)) == [[4, 5], [6, 7]]
    distributed = strategy.experimental_distribute_dataset(dataset)
    assert copies(strategy, distributed.make_one_shot_iterator().get_next()) == [[0, 1], [2, 3]]
    with pytest.raises(ValueError, match=r"in Eager mode\. Please use `iter\(\)` instead\.$"):
        distributed.make_initializable_iterator()


def test_default_strategy_iterators():
    default = tf.distribute.get_strategy()
    dataset = tf.data.Dataset.range(4).batch(2)
    for iterator in (
        default.make_dataset_iterator(dataset),
        default.make_input_fn_iterator(lambda context: dataset),
    ):
        assert iterator.get_next().numpy().tolist() == [0, 1]
        assert iterator.get_next().numpy().tolist() == [2, 3]
        assert iterator.initialize() == []
        assert iterator.get_next().numpy().tolist() == [0, 1]


def test_numpy_dataset(strategy):
    dataset = strategy.experimental_make_numpy_dataset(np.arange(4, dtype=np.int32)).batch(2)
    distributed = strategy.experimental_distribute_dataset(dataset)
    assert [copies(strategy, element) for element in distributed] == [[[0], [1]], [[2], [3]]]


def test_workers_end_independently(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    extended = tf.distribute.experimental.MultiWorkerMirroredStrategy().extended
    assert not extended.experimental_enable_get_next_as_optional
    assert tf.distribute.MirroredStrategy().extended.experimental_enable_get_next_as_optional
