"""Locally connected layers against loops over the positions."""

import numpy as np
import pytest

import tfmini as tf

pytestmark = pytest.mark.usefixtures("keras_session")

layers = tf.keras.layers


def _by_loops(x, kernel, bias, strides):
    """x [batch, rows, columns, channels], kernel [rows, columns, window ..., channels, filters]."""
    rows, columns, high, wide = kernel.shape[:4]
    out = np.zeros((len(x), rows, columns, kernel.shape[-1]))
    for i in range(rows):
        for j in range(columns):
            top, left = i * strides[0], j * strides[1]
            window = x[:, top : top + high, left : left + wide]
            out[:, i, j] = np.tensordot(window, kernel[i, j], axes=3) + bias[i, j]
    return out


@pytest.mark.parametrize("order", ["channels_last", "channels_first"])
@pytest.mark.parametrize("implementation", [1, 2, 3])
def test_locally_connected_2d(implementation, order):
    first = order == "channels_first"
    layer = layers.LocallyConnected2D(
        3,
        (2, 3),
        strides=(1, 2),
        data_format=order,
        implementation=implementation,
        bias_initializer="random_uniform",
        input_shape=(2, 4, 7) if first else (4, 7, 2),
    )
    model = tf.keras.Sequential([layer])
    weight, bias = model.get_weights()
    x = np.random.RandomState(0).rand(2, 4, 7, 2).astype("f")
    kernel = np.zeros((3, 3, 2, 3, 2, 3), "f")
    for location in np.ndindex(3, 3):
        if implementation == 1:
            window = weight[location[0] * 3 + location[1]]
            sizes = (2, 2, 3, 3) if first else (2, 3, 2, 3)
            window = window.reshape(sizes)
            kernel[location] = window.transpose(1, 2, 0, 3) if first else window
        elif implementation == 2:
            if first:
                weight_at = weight[:, :, :, :, location[0], location[1]].transpose(1, 2, 0, 3)
            else:
                weight_at = weight[:, :, :, location[0], location[1]]
            top, left = location[0], location[1] * 2
            kernel[location] = weight_at[top : top + 2, left : left + 3]
    if implementation == 3:  # its weights are sorted by output, then by input
        for (row, column), value in zip(layer.kernel_idxs, weight):
            if first:
                f, i, j = np.unravel_index(row, (3, 3, 3))
                c, y, z = np.unravel_index(column, (2, 4, 7))
            else:
                i, j, f = np.unravel_index(row, (3, 3, 3))
                y, z, c = np.unravel_index(column, (4, 7, 2))
            kernel[i, j, y - i, z - j * 2, c, f] = value
    if first:  # TensorFlow reads its elements in the order of the outputs
        bias = bias.reshape(3, 3, 3).transpose(1, 2, 0)
    result = model.predict(x.transpose(0, 3, 1, 2) if first else x)
    result = result.transpose(0, 2, 3, 1) if first else result
    np.testing.assert_allclose(result, _by_loops(x, kernel, bias, (1, 2)), rtol=1e-4, atol=1e-6)
    restored = tf.keras.Sequential.from_config(model.get_config())
    assert restored.layers[0].get_config() == layer.get_config()


def test_locally_connected_1d_with_padding():
    layer = layers.LocallyConnected1D(
        1, 3, padding="same", implementation=2, use_bias=False, input_shape=(5, 1)
    )
    model = tf.keras.Sequential([layer])
    model.set_weights([np.ones((5, 1, 5, 1))])
    result = model.predict(np.arange(5.0).reshape(1, 5, 1))
    np.testing.assert_array_equal(result.ravel(), [1, 3, 6, 9, 7])
