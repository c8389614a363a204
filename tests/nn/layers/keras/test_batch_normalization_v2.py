"""BatchNormalization of tf.compat.v2: TensorFlow 1.15.5's numbers, nodes and errors."""

import numpy as np
import pytest

import tfmini as tf
from tfmini._src.nn.layers.keras.batch_normalization_v2 import BatchNormalization
from tfmini._src.session.eager.enable import eager_mode

X = np.array([[1.0, 2.0], [3.0, 6.0]], "f")


def test_frozen_layer_uses_moving_averages():
    with eager_mode():
        layer = BatchNormalization()
        trained = layer(X, training=True)
        averages = layer.moving_mean.numpy()
        layer.trainable = False
        frozen = layer(X, training=True)
        after = layer.moving_mean.numpy()
    np.testing.assert_allclose(trained, [[-0.9995, -0.999875], [0.9995, 0.999875]], rtol=1e-6)
    expected = [[0.9795104, 1.9303086], [2.9785113, 5.8697138]]
    np.testing.assert_allclose(frozen, expected, rtol=1e-6)
    np.testing.assert_allclose(averages, [0.02, 0.04], rtol=1e-6)
    np.testing.assert_array_equal(after, averages)


def test_frozen_layer_adds_no_updates_to_graph():
    x = tf.placeholder(tf.float32, [None, 2])
    layer = BatchNormalization(name="b")
    layer(x)
    layer.trainable = False
    layer(x, training=True)
    nodes = [node.name for node in tf.get_default_graph().as_graph_def().node]
    assert len(nodes) == 106
    assert nodes[94] == "b_1/batchnorm/ReadVariableOp"
    assert layer.updates == []


def _scaled(shape):
    return 1.0, 0.0


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"renorm": True}, "Passing both fused=True and renorm=True is unsupported"),
        ({"axis": 2}, "Passing fused=True is only supported when axis is 1 or 3"),
        (
            {"virtual_batch_size": 2},
            "Passing fused=True is unsupported when virtual_batch_size is specified.",
        ),
        (
            {"adjustment": _scaled},
            "Passing fused=True is unsupported when adjustment is specified.",
        ),
    ],
)
def test_fused_op_restrictions(inputs, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        BatchNormalization(fused=True, **inputs)
    assert BatchNormalization(**inputs).fused is False


def test_the_fused_op_requires_images():
    assert BatchNormalization().fused is None
    layer = BatchNormalization(fused=True)
    with pytest.raises(
        ValueError, match="^Batch normalization layers with fused=True only support 4D"
    ):
        layer(tf.ones([2, 2]))


def test_wrapped_function_leaves_updates_to_caller():
    with eager_mode():
        layer = tf.keras.layers.BatchNormalization()
        tf.wrap_function(lambda: layer(tf.ones((10, 1)), training=True), [])()
        assert len(layer.updates) == 2
