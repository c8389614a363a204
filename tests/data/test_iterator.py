"""Iterators in eager mode and in graphs."""

import gc

import pytest

import tfmini as tf
from tfmini._src.data.experimental.multi_device_iterator import MultiDeviceIterator
from tfmini._src.session.eager.context import context

pytestmark = pytest.mark.usefixtures("eager")

Dataset = tf.data.Dataset


def values(dataset):
    return [element.numpy().tolist() for element in dataset]


def test_end_of_sequence():
    iterator = iter(Dataset.range(1))
    assert next(iterator).numpy() == 0
    with pytest.raises(tf.errors.OutOfRangeError) as caught:
        iterator.get_next()
    assert str(caught.value) == "End of sequence [Op:IteratorGetNextSync]"
    assert next(iterator, "end") == "end"
    assert Dataset.range(1).make_one_shot_iterator().get_next().numpy() == 0
    assert values(tf.contrib.eager.Iterator(Dataset.range(2))) == [0, 1]


def test_graph_mode_iterators():
    with pytest.raises(RuntimeError, match="make_initializable_iterator is not supported when"):
        Dataset.range(1).make_initializable_iterator()
    with (
        tf.Graph().as_default(),
        pytest.raises(RuntimeError, match="can only be used when eager execution is enabled"),
    ):
        tf.contrib.eager.Iterator(Dataset.range(1))


def test_iterator_frees_its_resources():
    gc.collect()
    named = context().session._resources._named
    before = set(named)  # the collector may free some of them concurrently
    iterator = iter(Dataset.range(3))
    next(iterator)
    (own,) = set(named) - before
    del iterator
    gc.collect()
    assert own not in named


def test_iterator_in_function():
    @tf.function
    def following(iterator):
        return next(iterator) + 1

    iterator = iter(Dataset.range(3))
    assert [following(iterator).numpy() for _ in range(3)] == [1, 2, 3]


def test_errors_name_function_node():
    dataset = Dataset.from_tensors(0.0).map(lambda x: tf.debugging.check_numerics(1 / x, "bad"))
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        next(iter(dataset))
    result = str(caught.value)
    assert result.startswith("{{function_node __inference_Dataset_map_")
    assert result.endswith(
        "}} bad : Tensor had Inf values\n\t [[{{node CheckNumerics}}]] [Op:IteratorGetNextSync]"
    )


def test_multi_device_iterator():
    iterator = MultiDeviceIterator(Dataset.range(5), ["/cpu:0", "/cpu:0"])
    assert iterator.initializer is None
    assert [part.numpy() for part in iterator.get_next()] == [0, 1]
    assert [part.get_value().numpy() for part in iterator.get_next_as_optional()] == [2, 3]
    assert iterator.get_next("/cpu:0").numpy() == 4
    assert [part.has_value().numpy() for part in iterator.get_next_as_optional()] == [False, False]
