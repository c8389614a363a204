"""Windows and fused batches: their number and shapes."""

import contextlib

import numpy as np
import pytest

import tfmini as tf


@pytest.mark.parametrize("count", range(8))
@pytest.mark.parametrize("shift, stride, drops", [(1, 2, True), (2, 3, True), (2, 2, False)])
def test_window_count_matches_cardinality(count, shift, stride, drops):
    windows = tf.data.Dataset.range(count).window(2, shift, stride, drops)
    element = tf.compat.v1.data.make_one_shot_iterator(windows.map(lambda _: 1)).get_next()
    result = 0
    with tf.Session() as session:
        announced = session.run(tf.data.experimental.cardinality(windows))
        with contextlib.suppress(tf.errors.OutOfRangeError):
            while session.run(element):
                result += 1
    assert announced == result


def test_map_and_batch_uses_first_element_shape():
    dataset = tf.data.Dataset.range(2).apply(
        tf.data.experimental.map_and_batch(
            lambda n: tf.reshape(tf.range(6), [2 + tf.cast(n, tf.int32), -1]), 2
        )
    )
    element = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session:
        result = session.run(element)
    assert result.tolist() == [np.arange(6).reshape(2, 3).tolist()] * 2  # TensorFlow 1.15.5's


@pytest.mark.parametrize("drops", [False, True])
@pytest.mark.parametrize("sizes", [(7, 5), (5, 7), (6, 6), (0, 3), (7, 5, 4)])
def test_zipped_batches_end_with_shortest(sizes, drops):
    columns = [np.arange(size) * 10.0 for size in sizes]
    sources = [tf.data.Dataset.from_tensor_slices(column) for column in columns]
    inner = tf.data.Dataset.zip(tuple(sources[1:]))
    batches = tf.data.Dataset.zip((sources[0], inner)).repeat(2).batch(4, drops)
    element = tf.compat.v1.data.make_one_shot_iterator(batches).get_next()
    expected, result = [*zip(*columns)] * 2, []
    with tf.Session() as session, contextlib.suppress(tf.errors.OutOfRangeError):
        while True:
            result.append(np.stack([*tf.nest.flatten(session.run(element))], 1).tolist())
    split = [[*map(list, expected[i : i + 4])] for i in range(0, len(expected), 4)]
    assert result == [batch for batch in split if len(batch) == 4 or not drops]


@pytest.mark.parametrize("drops", [False, True])
def test_choose_from_datasets_skips_exhausted_datasets(drops):
    sources = [tf.data.Dataset.range(start, start + size) for start, size in ((0, 3), (10, 9))]
    choices = tf.data.Dataset.from_tensor_slices(np.array([0, 1, 0, 0, 0, 1] * 3))
    chosen = tf.data.experimental.choose_from_datasets(sources, choices).repeat(2).batch(4, drops)
    element = tf.compat.v1.data.make_one_shot_iterator(chosen).get_next()
    expected, result = [0, 10, 1, 2, 11, 12, 13, 14, 15] * 2, []
    with tf.Session() as session, contextlib.suppress(tf.errors.OutOfRangeError):
        while True:
            result.append(session.run(element).tolist())
    batches = [expected[i : i + 4] for i in range(0, len(expected), 4)]
    assert result == [batch for batch in batches if len(batch) == 4 or not drops]
