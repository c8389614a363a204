"""Names of devices as strategies compare them; the values are TensorFlow 1.15.5's."""

import tfmini as tf
from tfmini._src.distribute import devices
from tfmini._src.session.eager.enable import eager_mode


def test_the_device_of_a_block():
    with tf.Graph().as_default():
        assert devices.current() == ""
        with tf.device("/cpu:1"):
            assert devices.current() == "/device:CPU:1"
            assert devices.resolve(None) == "/replica:0/task:0/device:CPU:1"
    with eager_mode(), tf.device("/cpu:0"):
        assert devices.current() == "/job:localhost/replica:0/task:0/device:CPU:0"
