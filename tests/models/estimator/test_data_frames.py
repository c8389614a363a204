import numpy as np
import pytest

import tfmini as tf


def _dequeued(tensors):
    with tf.Session() as session:
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        actual = session.run(tensors)
        coordinator.request_stop()
        coordinator.join(threads)
    return actual


class _Text:
    """The string dtype of pandas 3."""

    type = str


class _Column:
    dtype = _Text()
    shape = (3,)

    def __getitem__(self, rows):
        return np.array(["a", "b", "c"], object)[rows]


@pytest.mark.parametrize("dtype", ["object", "str", "string"])
def test_text_columns(dtype):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"job": pandas.Series(["a", "b", "c"]).astype(dtype), "n": [1, 2, 3]})
    make = tf.estimator.inputs.pandas_input_fn
    features, labels = make(frame, frame["job"], batch_size=3, shuffle=False)()
    assert (features["job"].dtype, features["n"].dtype) == (tf.string, tf.int64)
    actual, answers = _dequeued((features, labels))
    assert actual["job"].tolist() == answers.tolist() == [b"a", b"b", b"c"]
    assert actual["n"].tolist() == [1, 2, 3]


def test_non_numpy_text_arrays():
    make = tf.estimator.inputs.numpy_input_fn
    features = make({"job": _Column()}, batch_size=2, shuffle=False)()
    assert _dequeued(features)["job"].tolist() == [b"a", b"b"]
