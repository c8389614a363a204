"""Files left by a file cache, as by TensorFlow's iterators."""

import os

import pytest

import tfmini as tf


@pytest.mark.parametrize("count", [2, 5])
def test_incomplete_cache_leaves_no_file(tmp_path, count):
    dataset = tf.data.Dataset.range(5).cache(str(tmp_path / "c"))
    iterator = tf.data.make_initializable_iterator(dataset)
    element = iterator.get_next()
    with tf.Session() as session:
        session.run(iterator.initializer)
        assert [session.run(element) for _ in range(count)] == list(range(count))
        assert "c_0.lockfile" in os.listdir(tmp_path)
    assert not os.listdir(tmp_path)
