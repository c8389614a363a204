"""Input producers over epochs; orders are TensorFlow 1.15.5's for the same seeds."""

import pytest

import tfmini as tf
from tests.train.input_queues.feeding import fed, numbers

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


def test_shuffled_epochs():
    queue = numbers(4, shuffle=True, seed=3, num_epochs=3)
    order = [3, 2, 1, 0, 3, 0, 2, 1, 1, 3, 2, 0]
    assert fed(queue.dequeue()) == [*order, "FIFOQueue"]


def test_match_filenames_once(tmp_path):
    for name in "ba":
        (tmp_path / name).write_text(name)
    files = tf.train.match_filenames_once(str(tmp_path / "*"))
    with tf.Session() as session:
        session.run(tf.local_variables_initializer())
        (tmp_path / "c").write_text("c")
        result = session.run(files).tolist()
    assert result == [str(tmp_path / name).encode() for name in "ab"]
