"""generator_input_fn: batches of a generator's elements."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.contrib.learn.generator_input_fn import generator_input_fn

pytestmark = pytest.mark.filterwarnings("ignore")


def rows():
    for i in range(4):
        yield {"a": np.float32([i]), "b": np.arange(1 + i % 2), "label": np.float32([-i])}


def batches(input_fn):
    with tf.Graph().as_default(), tf.Session() as session:
        created = input_fn()
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        result = []
        try:
            while True:
                result.append(session.run(created))
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
        return result


def test_rows_stay_in_order_and_are_padded():
    # As in TensorFlow, the last feed extends beyond the end of the epoch, and pads separately.
    result = batches(generator_input_fn(rows, "label", 6, shuffle=False, pad_value=7))
    ((features, labels),) = result
    assert features["a"].ravel().tolist() == [0, 1, 2, 3, 0, 1]
    assert labels.ravel().tolist() == [0, -1, -2, -3, 0, -1]
    assert features["b"].tolist() == [[0, 7], [0, 1]] * 3
