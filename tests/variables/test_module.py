"""tf.Module finds the variables and modules among its attributes."""

import tfmini as tf


class Dense(tf.Module):
    def __init__(self, size, name=None):
        super().__init__(name)
        self.w = tf.Variable(tf.zeros([size]), name="w")
        self.frozen = tf.Variable(1.0, trainable=False, name="frozen")

    @tf.Module.with_name_scope
    def call(self):
        return tf.identity(self.w, name="out")


class TwoLayers(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(2), Dense(3)]
        self.same = self.layers[0]


def test_leaves_with_paths():
    net = TwoLayers()
    first, second = net.layers
    result = net._flatten(predicate=lambda leaf: leaf is first.w or leaf is second, with_path=True)
    assert [path for path, _ in result] == [
        ("layers", 1),
        ("layers", 0, "w"),
        ("same", "w"),
    ]
    result = net._flatten(recursive=False, predicate=lambda leaf: isinstance(leaf, tf.Module))
    assert list(result) == [first, second]
    net.w = tf.Variable(1.0)
    result = net._flatten(
        predicate=lambda leaf: isinstance(leaf, tf.Variable),
        attribute_traversal_key=lambda name: (name != "w", name),
    )
    assert next(result) is net.w
