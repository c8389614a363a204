"""Arguments of layers by position: in the order that TensorFlow's signatures show, which hide some."""

import pytest

import tfmini as tf

FOUR = ((2, 3), (1, 1), "same")


def test_each_class_has_an_order_of_its_own():
    scoped = tf.layers.Conv2DTranspose(4, *FOUR, "channels_first", tf.nn.relu)
    assert scoped.data_format == "channels_first"
    assert scoped.activation is tf.nn.relu
    kept = tf.keras.layers.Conv2DTranspose(4, (2, 3), (2, 2), "same", 1, "channels_first", (1, 1))
    assert (kept.output_padding, kept.data_format) == ((1, 1), "channels_first")
    volumes = tf.keras.layers.Conv3DTranspose(4, 2, (2, 2, 2), "same", 1, None, "relu")
    assert volumes.activation is tf.keras.activations.relu
    assert "dilation_rate" not in volumes.get_config()


@pytest.mark.parametrize(
    "make, message",
    [
        (
            lambda: tf.keras.layers.Dense(*range(20)),
            "__init__() takes from 2 to 11 positional arguments but 21 were given",
        ),
        (
            lambda: tf.layers.Dense(*range(20)),
            "__init__() takes from 2 to 13 positional arguments but 21 were given",
        ),
        (
            lambda: tf.layers.Dense(3, units=4),
            "__init__() got multiple values for argument 'units'",
        ),
    ],
)
def test_wrong_calls(make, message):
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == message
