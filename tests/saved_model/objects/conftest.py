"""Objects are saved and loaded in eager mode."""

import pytest

import tfmini as tf
from tfmini._src.session.eager.enable import eager_mode

FLOAT = tf.TensorSpec([], tf.float32)


@pytest.fixture(autouse=True)
def eager(quiet_logs):
    with tf.Graph().as_default(), eager_mode():
        yield


class Model(tf.Module):
    def __init__(self):
        super().__init__()
        self.v = tf.Variable(3.0, name="vee")
        self.rows = [tf.Variable([1.0, 2.0])]
        self.more = {"a": tf.Variable(5, trainable=False)}
        keys = tf.lookup.KeyValueTensorInitializer(["x", "y"], [10, 20])
        self.table = tf.lookup.StaticHashTable(keys, -1)
        self.large = tf.fill([200], 2.0)

    @tf.function(input_signature=[FLOAT])
    def scaled(self, x):
        return self.v * x + tf.reduce_sum(self.rows[0])

    @tf.function
    def power(self, x, k=2):
        return {"s": x**k, "l": self.table.lookup(tf.constant(["x", "q"])), "c": self.large[0]}


@pytest.fixture
def loaded(tmp_path):
    model = Model()
    model.power(tf.constant([1.0, 2.0]))
    model.power(tf.constant([1, 2]), 3)
    tf.saved_model.save(model, str(tmp_path / "m"))
    return tf.saved_model.load_v2(str(tmp_path / "m"))
