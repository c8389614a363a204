"""A linear classifier and its data."""

import numpy as np
import pytest

import tfmini as tf

X = np.linspace(-1, 1, 20, dtype=np.float32).reshape(20, 1)


def input_fn():
    return {"x": tf.constant(X)}, tf.constant((X > 0).astype(np.int32))


@pytest.fixture
def model(tmp_path):
    columns = [tf.contrib.layers.real_valued_column("x")]
    yield tf.contrib.learn.LinearClassifier(columns, str(tmp_path / "model"))
    tf.summary.FileWriterCache.clear()
